import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DisputeRatiosJson } from './generated/dispute-reports.ts';
import type { CardNearLimitJson, FeeTotalJson } from './generated/limits.ts';
import { lookAgainAfterMs } from './look-again.ts';
import type { PageOf } from './merchants.ts';
import { apiPath, get, type Query } from './request.ts';

export function useFees(
  merchantId: string,
  from: string | undefined,
): UseQueryResult<{ readonly rule_pack_version: string; readonly items: readonly FeeTotalJson[] }> {
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

/** Their charges are counted anew where the last count is ten minutes old. */
const ratiosLagMs = 605_000;

/** Looks again until the charges are as new as they get, and then no more. */
export function useDisputeRatios(
  merchantId: string | undefined,
  askedAt: Date,
): UseQueryResult<DisputeRatiosJson> {
  return useQuery({
    queryKey: ['dispute-ratios', merchantId],
    queryFn: ({ signal }) =>
      get<DisputeRatiosJson>('/api/dispute-ratios', { merchant_id: merchantId }, signal),
    refetchInterval: ({ state }) => lookAgainAfterMs(state.data?.as_of, askedAt, ratiosLagMs),
  });
}
