import { type UseMutationResult, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RebuttalJson } from './generated/dispute-evidence.ts';
import type { DisputeSummaryJson } from './generated/disputes.ts';
import { apiPath, get, send } from './request.ts';
import { useChange } from './use-change.ts';

/** What a person adds to a dispute's evidence lies below its merchant. */
type Named = Pick<DisputeSummaryJson, 'merchant_id' | 'id'>;

function pathOf({ merchant_id: merchantId, id }: Named, ...parts: readonly string[]): string {
  return apiPath('merchants', merchantId, 'disputes', id, ...parts);
}

/** Each reading stands in the audit log: not read again by itself. */
export function useRebuttal(dispute: Named): UseQueryResult<RebuttalJson> {
  return useQuery({
    queryKey: ['dispute', dispute.id, 'rebuttal'],
    queryFn: ({ signal }) => get<RebuttalJson>(pathOf(dispute, 'rebuttal'), {}, signal),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

export function useWriteRebuttal(dispute: Named): UseMutationResult<void, Error, string> {
  return useChange((text: string) => send<void>('PUT', pathOf(dispute, 'rebuttal'), { text }), {
    shown: ['dispute', dispute.id, 'rebuttal'],
    others: [['dispute', dispute.id, 'evidence']],
    afterRefusal: true,
  });
}
