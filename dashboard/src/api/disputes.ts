import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { PageOf } from './merchants.ts';
import { apiPath, get, getBlob, type Query, send } from './request.ts';

/** A dispute or a fraud warning as the operator API lists it. */
export interface DisputeJson {
  readonly merchant_id: string;
  readonly id: string;
  readonly psp: string;
  readonly psp_dispute_id: string;
  readonly kind: string;
  readonly state: string;
  readonly stage?: string;
  readonly status?: string;
  readonly network?: string;
  readonly reason?: string;
  readonly reason_code?: string;
  readonly reason_family?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly opened_at: string;
  readonly respond_by?: string;
  readonly respond_by_source?: string;
  readonly is_psp_deadline?: boolean;
  readonly days_left?: number;
  readonly payment_ids: readonly string[];
  readonly invoice_id?: string;
  readonly subscription_id?: string;
  readonly customer_id?: string;
  readonly psp_customer_id?: string;
  readonly unsigned_fields: readonly string[];
  readonly blocks_retries: boolean;
  readonly match_state: string;
  readonly matched_by?: string;
}

export interface RuleJson {
  readonly id: string;
  readonly words: string;
  readonly result: 'pass' | 'fail' | 'missing';
  readonly detail: string;
  readonly fix?: string;
}

export interface VerdictJson {
  readonly rule_set: {
    readonly version: string;
    readonly words: string;
    readonly unconfirmed: boolean;
  };
  readonly eligible: boolean;
  readonly matching: readonly string[];
  readonly prior_charges: readonly string[];
  readonly rules: readonly RuleJson[];
}

export interface MatchJson {
  readonly analytics_id: string;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly is_inherited: boolean;
}

export interface SubmissionJson {
  readonly state: string;
  readonly stage: string;
  readonly content_hash: string;
  readonly reason?: string;
  readonly updated_at: string;
}

export interface OneDisputeJson extends DisputeJson {
  readonly history: readonly {
    readonly state: string;
    readonly stage?: string;
    readonly occurred_at: string;
  }[];
  readonly matches: readonly MatchJson[];
  readonly verdict?: VerdictJson;
  readonly submission?: SubmissionJson;
}

export interface EvidenceJson {
  readonly content_hash: string;
  readonly content: {
    readonly timeline: readonly {
      readonly at: string;
      readonly words: string;
      readonly reference?: string;
    }[];
  } & Readonly<Record<string, unknown>>;
  readonly psp_evidence: {
    readonly psp: string;
    readonly body?: unknown;
    readonly left_out: readonly { readonly field: string; readonly why: string }[];
  };
}

export function useDisputes(query: Query): UseQueryResult<PageOf<DisputeJson>> {
  return useQuery({
    queryKey: ['disputes', query],
    queryFn: ({ signal }) => get<PageOf<DisputeJson>>('/api/disputes', query, signal),
    placeholderData: keepPreviousData,
  });
}

/** Each reading opens the customer's captures, which the audit log notes: not read again by itself. */
export function useDispute(id: string): UseQueryResult<OneDisputeJson> {
  return useQuery({
    queryKey: ['dispute', id],
    queryFn: ({ signal }) => get<OneDisputeJson>(apiPath('disputes', id), {}, signal),
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

export function useConfirmMatch(dispute: DisputeJson): UseMutationResult<unknown, Error, string> {
  const { merchant_id: merchantId, id } = dispute;
  return useDisputeAct(id, (analyticsId: string) =>
    send('POST', apiPath('merchants', merchantId, 'disputes', id, 'match'), {
      analytics_id: analyticsId,
    }),
  );
}

export function useSubmitDispute(id: string): UseMutationResult<SubmissionJson, Error, boolean> {
  return useDisputeAct(id, (stageOnly: boolean) =>
    send<SubmissionJson>('POST', apiPath('disputes', id, 'submit'), { stage_only: stageOnly }),
  );
}

function useDisputeAct<Input, Answer>(
  id: string,
  mutationFn: (input: Input) => Promise<Answer>,
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    // After a refusal too: the PSP may have taken it, or the dispute may have moved on.
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['dispute', id] });
      void queries.invalidateQueries({ queryKey: ['disputes'] });
    },
  });
}
