import type { Closable } from '../context.ts';

/** The recovery that a span is of. */
export interface RecoveryName {
  readonly merchantId: string;
  readonly invoiceId: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOf {
  readonly name: string;
  /** Default `internal`. */
  readonly kind?: 'server' | 'client' | 'internal';
  /**
   * Which recovery it is of: the span stands in that recovery's trace, below the one that runs if that
   * stands there too, and else linked to it. Absent: it stands below the one that runs.
   */
  readonly recovery?: RecoveryName;
  readonly attributes?: SpanAttributes;
}

export interface RunningSpan {
  note(attributes: SpanAttributes): void;
  /** What it was for was not done; `reason` names the cause, never a person. */
  fail(reason: string): void;
}

/** A span that is ended by hand: for work that begins in one callback and ends in another. */
export interface OpenSpan extends RunningSpan {
  /** Runs the work within the span. */
  within<Result>(work: () => Result): Result;
  end(): void;
}

/** OpenTelemetry's spans, as much of them as the service needs. */
export interface Tracing extends Closable {
  /** Runs the work in a span; one that throws fails. */
  span<Result>(of: SpanOf, work: (span: RunningSpan) => Promise<Result>): Promise<Result>;
  /** Opens a span below the one that a `traceparent` names, where one is given. */
  open(of: SpanOf & { readonly traceparent?: string | undefined }): OpenSpan;
  /** The header by which another server goes on with the trace; none outside of spans. */
  headers(): Readonly<Record<string, string>>;
}
