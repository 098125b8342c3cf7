import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CohortsJson, OverviewJson, RetryMapJson } from './generated/overview.ts';
import type { ListInvariantsAnswer } from './generated/service.ts';
import { lookAgainAfterMs } from './look-again.ts';
import { get, type Query } from './request.ts';

/** Charges are counted once they lie two minutes behind. */
const chargesLagMs = 125_000;

/** Looks again until everything that changed before `askedAt` is counted, and then no more. */
export function useOverview(query: Query, askedAt: Date): UseQueryResult<OverviewJson> {
  return useQuery({ ...overviewQuery(query, askedAt), placeholderData: keepPreviousData });
}

/**
 * Of another time to compare with, if any. What was read of it a minute ago stays until it is read again;
 * what was read of another `range` does not, since it would be taken for this one's.
 */
export function useEarlierOverview(
  { query, range }: { readonly query: Query | undefined; readonly range: string },
  askedAt: Date,
): UseQueryResult<OverviewJson> {
  const queryKey = ['overview', 'earlier', range, query];
  return useQuery({
    ...overviewQuery({ ...query, without: 'verdict' }, askedAt),
    queryKey,
    enabled: query !== undefined,
    placeholderData: (data, before) => (before?.queryKey[2] === range ? data : undefined),
  });
}

function overviewQuery(query: Query, askedAt: Date) {
  return {
    queryKey: ['overview', query],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      get<OverviewJson>('/api/overview', query, signal),
    refetchInterval: ({
      state,
    }: {
      readonly state: { readonly data?: OverviewJson | undefined };
    }) => lookAgainAfterMs(state.data?.as_of, askedAt, 0),
  };
}

export function useRetryMap(query: Query, askedAt: Date): UseQueryResult<RetryMapJson> {
  return useQuery({
    queryKey: ['retry-map', query],
    queryFn: ({ signal }) => get<RetryMapJson>('/api/retry-map', query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => lookAgainAfterMs(state.data?.as_of, askedAt, chargesLagMs),
  });
}

export function useCohorts(query: Query, askedAt: Date): UseQueryResult<CohortsJson> {
  return useQuery({
    queryKey: ['cohorts', query],
    queryFn: ({ signal }) => get<CohortsJson>('/api/cohorts', query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => lookAgainAfterMs(state.data?.as_of, askedAt, 0),
  });
}

const checkAgainMs = 60_000;

/** What must always hold, of all merchants; looked at again every minute. */
export function useInvariants(isAsked = true): UseQueryResult<ListInvariantsAnswer> {
  return useQuery({
    queryKey: ['invariants'],
    queryFn: ({ signal }) => get<ListInvariantsAnswer>('/api/invariants', {}, signal),
    refetchInterval: checkAgainMs,
    enabled: isAsked,
  });
}
