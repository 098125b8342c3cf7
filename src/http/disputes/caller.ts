import type { Acceptance } from '../../disputes/accept-analytics.ts';
import type { AnswersApi } from '../../disputes/answers-api.ts';
import type {
  ConfirmMatch,
  ConfirmOutcome,
  DisputeStore,
  IncomingDispute,
  ListDisputes,
} from '../../disputes/dispute-ports.ts';
import type { ErasureOutcome } from '../../disputes/ports.ts';
import type { AnalyticsView } from '../../disputes/show-analytics.ts';
import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { Json } from '../../domain/payment.ts';
import type { ScopedCaller } from '../endpoint/require-scope.ts';

/** What merchants' calls of this listener ask of the use cases. */
export interface AnalyticsApi {
  accept(input: { merchantId: string; body: Json }): Promise<Acceptance>;
  show(input: { merchantId: string; analyticsId: string }): Promise<AnalyticsView | undefined>;
  eraseCustomer(input: { merchantId: string; customerId: string }): Promise<ErasureOutcome>;
}

/** What merchants ask about their disputes. */
export interface DisputesApi {
  /** The dispute's id, once it is durable; undefined where the PSP's id cannot be kept. */
  report(input: Omit<IncomingDispute, 'origin'>): Promise<string | undefined>;
  list(
    input: Omit<ListDisputes, keyof OfMerchants> & { readonly merchantId: string },
  ): ReturnType<DisputeStore['list']>;
  show: DisputeStore['show'];
  /** A person's choice of the analytics record that belongs to a dispute. */
  confirmMatch(input: ConfirmMatch): Promise<ConfirmOutcome>;
}

/** The merchant whose credentials a request carries. */
export interface DisputesCaller extends ScopedCaller {
  readonly merchantId: string;
}

/** What merchants' calls of this listener are given beside the request. */
export interface DisputesContext {
  readonly api: AnalyticsApi;
  readonly disputes: DisputesApi;
  readonly answers: AnswersApi;
  readonly now: Date;
  readonly merchantId: string;
  /** Logs what an answer that has begun could not do, and gives the words for it. */
  reportFailure(error: unknown): string;
}
