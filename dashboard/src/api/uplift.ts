import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { get, type Query } from './request.ts';

/** A value with its interval of 95 %, where there are enough payers for one. */
export interface FigureJson {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

export type FiguresJson = Readonly<Partial<Record<string, FigureJson>>>;

export interface ArmJson {
  readonly arm: string;
  readonly payments: number;
  readonly open: number;
  readonly failed_amount: number;
  readonly recovered: number;
  readonly recovered_amount: number;
  readonly net_amount: number;
  readonly figures: FiguresJson;
}

export interface UpliftPartJson {
  readonly currency: string;
  readonly dimension: string;
  /** Empty for the whole. */
  readonly part: string;
  readonly arms: readonly ArmJson[];
  /** Learned less holdout. */
  readonly difference?: FiguresJson;
}

export interface UpliftJson {
  readonly notice?: string;
  readonly parts: readonly UpliftPartJson[];
}

/** It is reckoned over every payment of the time, so it is not asked for again and again. */
export function useUplift(query: Query): UseQueryResult<UpliftJson> {
  return useQuery({
    queryKey: ['uplift', query],
    queryFn: ({ signal }) => get<UpliftJson>('/api/uplift', query, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}
