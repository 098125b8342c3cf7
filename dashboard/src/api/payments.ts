import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { PageOf } from './merchants.ts';
import { apiPath, get, type Query, send } from './request.ts';

/** A payment as the operator API lists it. */
export interface PaymentJson {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly status: string;
  readonly stop_reason?: string;
  readonly stop_detail?: string;
  readonly amount: number;
  readonly currency: string;
  readonly failed_at: string;
  readonly window_ends_at: string;
  readonly next_attempt_at?: string;
  readonly attempt_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Why a plan is as it is. */
export interface DecisionJson {
  readonly kind: string;
  readonly because: string;
  readonly policy: string;
  readonly policy_version: string;
  readonly decided_at: string;
  readonly at?: string;
  readonly methods?: readonly string[];
  readonly candidates?: readonly { readonly at: string; readonly score: number }[];
  readonly bounded_by?: readonly string[];
  /** Of the learned policy: which part of an experiment it is, and what its model says. */
  readonly arm?: string;
  readonly chance?: number;
  readonly leading?: readonly { readonly words: string; readonly effect: number }[];
}

export interface OnePaymentJson extends PaymentJson {
  readonly subscription_id?: string;
  readonly transaction_id: string;
  readonly original_psp_transaction_id: string;
  readonly psp: string;
  readonly decision?: DecisionJson;
  readonly foreign_attempts?: { readonly count: number; readonly last_at: string };
}

export interface MethodJson {
  readonly payment_method_id: string;
  readonly scheme?: string;
  readonly funding_source?: string;
  readonly bin?: string;
  readonly issuer_country?: string;
  readonly removed: boolean;
}

export interface EntryJson {
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly words: string;
  readonly because?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The chances of a model's plan over the window, step by step. */
export interface CurveJson {
  readonly payment_method_id: string;
  readonly from: string;
  readonly step_ms: number;
  readonly chances: readonly number[];
  readonly allowed_at: string;
  readonly bound_by?: string;
  readonly utc_offset_minutes: number;
}

export interface TimelineJson {
  readonly payment: OnePaymentJson;
  readonly methods: readonly MethodJson[];
  readonly entries: readonly EntryJson[];
  readonly curve?: CurveJson;
}

export function usePayments(query: Query): UseQueryResult<PageOf<PaymentJson>> {
  return useQuery({
    queryKey: ['payments', query],
    queryFn: ({ signal }) => get<PageOf<PaymentJson>>('/api/payments', query, signal),
    placeholderData: keepPreviousData,
  });
}

interface Key {
  readonly merchantId: string;
  readonly invoiceId: string;
}

export function useTimeline({ merchantId, invoiceId }: Key): UseQueryResult<TimelineJson> {
  return useQuery({
    queryKey: ['payment', merchantId, invoiceId],
    queryFn: ({ signal }) =>
      get<TimelineJson>(
        apiPath('merchants', merchantId, 'payments', invoiceId, 'timeline'),
        {},
        signal,
      ),
  });
}

/** Retries or stops; lists and the payment itself are read again after it. */
export function useAct<Body extends object, Answer>(
  { merchantId, invoiceId }: Key,
  act: 'retry' | 'stop',
): UseMutationResult<Answer, Error, Body> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) =>
      send<Answer>('POST', apiPath('merchants', merchantId, 'payments', invoiceId, act), body),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['payment', merchantId, invoiceId] });
      void queries.invalidateQueries({ queryKey: ['payments'] });
    },
  });
}
