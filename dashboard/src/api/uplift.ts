import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { UpliftJson } from './generated/payments.ts';
import { get, type Query } from './request.ts';

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
