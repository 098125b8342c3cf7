import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { BeginBulkBody, BulkJson, CountPaymentsQuery } from './generated/bulk-actions.ts';
import { apiPath, get, send } from './request.ts';

/** How many payments the filters mean. */
export function useCountForBulk(
  merchantId: string,
  scope: CountPaymentsQuery,
  isAsked: boolean,
): UseQueryResult<{ readonly count: number }> {
  return useQuery({
    queryKey: ['count-for-bulk', merchantId, scope],
    queryFn: ({ signal }) =>
      get(apiPath('merchants', merchantId, 'bulk-actions', 'count'), { ...scope }, signal),
    enabled: isAsked,
  });
}

export function useBeginBulk(
  merchantId: string,
): UseMutationResult<BulkJson, Error, BeginBulkBody> {
  return useMutation({
    mutationFn: (body) =>
      send('POST', apiPath('merchants', merchantId, 'bulk-actions'), { ...body }),
  });
}

const lookMs = 500;

/** A bulk action; looks until it came to its last payment. */
export function useBulk(merchantId: string, bulkId: string): UseQueryResult<BulkJson> {
  return useQuery<BulkJson>({
    queryKey: ['bulk', merchantId, bulkId],
    queryFn: ({ signal }) =>
      get(apiPath('merchants', merchantId, 'bulk-actions', bulkId), {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : lookMs),
  });
}
