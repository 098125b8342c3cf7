import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { AuditVerdictJson, ListAuditAnswer } from './generated/audit-log.ts';
import { get, type Query, send } from './request.ts';

export function useAudit(query: Query): UseQueryResult<ListAuditAnswer> {
  return useQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => get<ListAuditAnswer>('/api/audit', query, signal),
    placeholderData: keepPreviousData,
  });
}

/** Computes every hash anew, of one merchant's chain or of all. */
export function useVerifyAudit(
  merchantId: string | undefined,
): UseMutationResult<AuditVerdictJson, Error, void> {
  return useMutation({
    mutationFn: () =>
      send<AuditVerdictJson>(
        'POST',
        '/api/audit/verify',
        merchantId === undefined ? {} : { merchant_id: merchantId },
      ),
  });
}
