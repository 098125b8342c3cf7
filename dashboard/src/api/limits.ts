import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PageOf } from './merchants.ts';
import { apiPath, get, type Query } from './request.ts';

export interface FeeJson {
  readonly network: string;
  readonly rule: string;
  readonly currency: string;
  readonly expected: number;
  readonly expected_count: number;
  readonly avoided: number;
  readonly avoided_count: number;
}

export interface CardNearLimitJson {
  readonly merchant_id: string;
  readonly card: string;
  readonly acceptor: string;
  readonly network: string;
  readonly counter?: string;
  readonly tries: number;
  readonly most: number;
  readonly last_at: string;
  readonly oldest_leaves_at: string;
  readonly payment_method_id: string;
  readonly invoice_id: string;
}

export interface ProgrammeJson {
  readonly programme: string;
  readonly items: number;
  readonly out_of: number;
  readonly ratio_bps?: number;
  readonly limit_items: number;
  readonly limit_bps: number;
  readonly is_excessive: boolean;
  readonly days_to_breach?: number;
  readonly source: string;
}

export interface RatiosJson {
  readonly month: string;
  readonly items: readonly {
    readonly merchant_id: string;
    readonly unknown_disputes: number;
    readonly unknown_settled: number;
    readonly programmes: readonly ProgrammeJson[];
  }[];
}

export function useFees(
  merchantId: string,
  from: string | undefined,
): UseQueryResult<{ readonly rule_pack_version: string; readonly items: readonly FeeJson[] }> {
  return useQuery({
    queryKey: ['fees', merchantId, from],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'fees'), { from }, signal),
    placeholderData: keepPreviousData,
  });
}

export function useCardsNearLimit(query: Query): UseQueryResult<PageOf<CardNearLimitJson>> {
  return useQuery({
    queryKey: ['cards-near-limit', query],
    queryFn: ({ signal }) => get<PageOf<CardNearLimitJson>>('/api/cards-near-limit', query, signal),
    placeholderData: keepPreviousData,
  });
}

export function useDisputeRatios(merchantId: string | undefined): UseQueryResult<RatiosJson> {
  return useQuery({
    queryKey: ['dispute-ratios', merchantId],
    queryFn: ({ signal }) =>
      get<RatiosJson>('/api/dispute-ratios', { merchant_id: merchantId }, signal),
  });
}
