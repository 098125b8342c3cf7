import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { EvidenceJson } from './generated/dispute-evidence.ts';
import type { DisputeOutcomesJson } from './generated/dispute-reports.ts';
import type {
  DisputeAcceptanceJson,
  DisputeJson,
  DisputeSummaryJson,
  SubmissionJson,
} from './generated/disputes.ts';
import type { PageOf } from './merchants.ts';
import { apiPath, get, getBlob, type Query, send } from './request.ts';
import { useChange } from './use-change.ts';

export function useDisputes(query: Query): UseQueryResult<PageOf<DisputeSummaryJson>> {
  return useQuery({
    queryKey: ['disputes', query],
    queryFn: ({ signal }) => get<PageOf<DisputeSummaryJson>>('/api/disputes', query, signal),
    placeholderData: keepPreviousData,
  });
}

export function useDisputeOutcomes(query: Query): UseQueryResult<DisputeOutcomesJson> {
  return useQuery({
    queryKey: ['dispute-outcomes', query],
    queryFn: ({ signal }) => get<DisputeOutcomesJson>('/api/dispute-outcomes', query, signal),
    placeholderData: keepPreviousData,
  });
}

/**
 * Each reading opens the customer's analytics records, which the audit log notes: not read again by
 * itself.
 */
export function useDispute(id: string): UseQueryResult<DisputeJson> {
  return useQuery({
    queryKey: ['dispute', id],
    queryFn: ({ signal }) => get<DisputeJson>(apiPath('disputes', id), {}, signal),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

export function useEvidence(id: string, isWanted: boolean): UseQueryResult<EvidenceJson> {
  return useQuery({
    queryKey: ['dispute', id, 'evidence'],
    queryFn: ({ signal }) => get<EvidenceJson>(apiPath('disputes', id, 'evidence'), {}, signal),
    enabled: isWanted,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** The evidence as a document for people. */
export function useEvidencePdf(id: string): UseMutationResult<Blob, Error, void> {
  return useMutation({
    mutationFn: () => getBlob(apiPath('disputes', id, 'evidence'), 'application/pdf'),
  });
}

export function useConfirmMatch(
  dispute: DisputeSummaryJson,
): UseMutationResult<unknown, Error, string> {
  const { merchant_id: merchantId, id } = dispute;
  return useChange(
    (analyticsId: string) =>
      send('POST', apiPath('merchants', merchantId, 'disputes', id, 'match'), {
        analytics_id: analyticsId,
      }),
    ofDispute(id),
  );
}

export function useSubmitDispute(id: string): UseMutationResult<SubmissionJson, Error, boolean> {
  return useChange(
    (stageOnly: boolean) =>
      send<SubmissionJson>('POST', apiPath('disputes', id, 'submit'), { stage_only: stageOnly }),
    ofDispute(id),
  );
}

export function useAcceptDispute(
  id: string,
): UseMutationResult<DisputeAcceptanceJson, Error, void> {
  return useChange(
    () => send<DisputeAcceptanceJson>('POST', apiPath('disputes', id, 'accept')),
    ofDispute(id),
  );
}

/** After a refusal too: the PSP may have taken it, or the dispute may have moved on. */
function ofDispute(id: string) {
  return { shown: ['dispute', id], others: [['disputes']], afterRefusal: true };
}
