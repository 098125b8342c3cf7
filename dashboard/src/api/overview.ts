import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { get, type Query } from './request.ts';

/** Payments and their money, in major units of one currency. */
export interface SumJson {
  readonly payments: number;
  readonly amount: number;
}

/** Payments that came in within a time, and what became of them so far. */
export interface CohortJson extends SumJson {
  readonly attempts: number;
  readonly open: SumJson;
  readonly recovered: SumJson;
  readonly stopped: SumJson;
  readonly exhausted: SumJson;
}

export interface PointJson extends SumJson {
  readonly at: string;
  readonly holdout: SumJson;
}

export interface CurrencyJson {
  readonly currency: string;
  readonly recovered: SumJson;
  readonly recovered_before?: SumJson;
  readonly at_risk: SumJson;
  readonly cohort: CohortJson;
  readonly experiment?: { readonly treated: CohortJson; readonly holdout: CohortJson };
  readonly funnel: readonly (CohortJson & { readonly category: string })[];
  readonly series: readonly PointJson[];
}

export interface AlertJson {
  readonly kind: string;
  readonly count: number;
  readonly at: string;
  readonly need_person?: number;
  readonly merchant_id?: string;
  readonly merchant_name?: string;
  readonly network?: string;
  readonly spent?: number;
  readonly model_id?: string;
  readonly words?: string;
}

/** Cards near what their networks allow in 30 days. */
export interface NetworkPressureJson {
  readonly as_of?: string;
  readonly networks: readonly {
    readonly network: string;
    readonly near: number;
    readonly spent: number;
  }[];
}

export interface PlannedJson {
  readonly at: string;
  readonly category: string;
  readonly attempts: number;
}

export interface OverviewJson {
  readonly as_of?: string;
  readonly series_step: 'hour' | 'day';
  readonly currencies: readonly CurrencyJson[];
  readonly planned: readonly PlannedJson[];
  readonly network_pressure: NetworkPressureJson;
  readonly alerts: readonly AlertJson[];
}

export interface TriesJson {
  readonly tries: number;
  readonly successes: number;
}
export interface BucketJson extends TriesJson {
  readonly bucket: string;
}

export interface RetryMapJson {
  readonly as_of?: string;
  readonly hours: readonly (TriesJson & { readonly at: string })[];
  readonly days_since_failure: readonly BucketJson[];
  readonly decline_codes: readonly BucketJson[];
  readonly bins: readonly BucketJson[];
}

/** Reading brings the sums up to date: a later look has what the first one lacks. */
const lookAgainMs = 1_000;
/** Charges are counted once they lie two minutes behind. */
const chargesLagMs = 125_000;

/** Looks again until everything that changed before `askedAt` is counted, and then no more. */
export function useOverview(query: Query, askedAt: Date): UseQueryResult<OverviewJson> {
  return useQuery({
    queryKey: ['overview', query],
    queryFn: ({ signal }) => get<OverviewJson>('/api/overview', query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => intervalOf(state.data?.as_of, askedAt, 0),
  });
}

export function useRetryMap(query: Query, askedAt: Date): UseQueryResult<RetryMapJson> {
  return useQuery({
    queryKey: ['retry-map', query],
    queryFn: ({ signal }) => get<RetryMapJson>('/api/retry-map', query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => intervalOf(state.data?.as_of, askedAt, chargesLagMs),
  });
}

function intervalOf(asOf: string | undefined, askedAt: Date, lagMs: number): number | false {
  const isCounted = asOf !== undefined && Date.parse(asOf) >= askedAt.getTime() - lagMs;
  return isCounted ? false : lookAgainMs;
}
