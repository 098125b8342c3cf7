import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { UpliftJson } from './generated/overview.ts';
import { lookAgainAfterMs } from './look-again.ts';
import { get, type Query } from './request.ts';

/** Looks again until everything that changed before `askedAt` is counted, and then no more. */
export function useUplift(query: Query, askedAt: Date): UseQueryResult<UpliftJson> {
  return useQuery({
    queryKey: ['uplift', query],
    queryFn: ({ signal }) => get<UpliftJson>('/api/uplift', query, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => lookAgainAfterMs(state.data?.as_of, askedAt, 0),
  });
}
