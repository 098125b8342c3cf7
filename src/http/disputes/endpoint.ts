import type { IncomingMessage } from 'node:http';
import type { Acceptance } from '../../disputes/accept-analytics.ts';
import type { AnswersApi } from '../../disputes/answers-api.ts';
import type {
  ConfirmMatch,
  ConfirmOutcome,
  DisputeStore,
  IncomingDispute,
} from '../../disputes/dispute-ports.ts';
import type { ErasureOutcome } from '../../disputes/ports.ts';
import type { AnalyticsView } from '../../disputes/show-analytics.ts';
import type { Json } from '../../domain/payment.ts';
import type { Answer } from '../server/answer.ts';
import type { RawBody } from '../server/read-body.ts';
import type { DisputesOperation } from './operation.ts';

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
  list: DisputeStore['list'];
  show: DisputeStore['show'];
  /** A person's choice of the capture that belongs to a dispute. */
  confirmMatch(input: ConfirmMatch): Promise<ConfirmOutcome>;
}

/** A call of a merchant whose credentials were right. */
export interface DisputesCall {
  readonly api: AnalyticsApi;
  readonly disputes: DisputesApi;
  readonly answers: AnswersApi;
  readonly now: Date;
  readonly merchantId: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Logs what an answer that has begun could not do, and gives the words for it. */
  reportFailure(error: unknown): string;
}

interface Common {
  /** With its parameters in braces; the first is the one that the docs show. */
  readonly paths: readonly [string, ...string[]];
  readonly operation: DisputesOperation;
}

/** An endpoint whose body, if it has one, is read whole. */
export interface WholeEndpoint extends Common {
  readonly kind: 'whole';
  readonly method: 'GET' | 'POST' | 'DELETE';
  answer(call: DisputesCall, body: RawBody | undefined): Promise<Answer>;
}

/** An endpoint that answers while it reads: each text goes out as it comes. */
export interface StreamedEndpoint extends Common {
  readonly kind: 'streamed';
  readonly method: 'POST';
  /** A refusal before anything is read, or the texts of the answer. */
  answer(
    call: DisputesCall,
    body: IncomingMessage | undefined,
  ): { readonly refusal: Answer } | { readonly texts: AsyncIterable<string> };
}

export type DisputesEndpoint = WholeEndpoint | StreamedEndpoint;
