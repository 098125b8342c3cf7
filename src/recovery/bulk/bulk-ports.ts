import type { HoldFilter, Wait } from '../../domain/states.ts';
import type { AuditEntry } from '../admin/ports.ts';
import type { InvoiceOf, Page } from '../api.ts';

/** What may be done to many payments at once. */
export const bulkActions = ['stop', 'retry', 'set_aside'] as const;
export type BulkAction = (typeof bulkActions)[number];

/** The states of payments to which anything can be done. */
export const openStates = ['scheduled', 'attempting'] as const;
export type OpenState = (typeof openStates)[number];

/** Which of a merchant's open payments are meant: those whose recovery began in [from, until). */
export interface BulkScope {
  readonly merchantId: string;
  readonly status?: OpenState;
  readonly waitingFor?: Wait;
  readonly heldBy?: HoldFilter;
  readonly from?: Date;
  readonly until: Date;
}

export interface Bulk extends BulkScope {
  readonly bulkId: string;
  readonly action: BulkAction;
  readonly reason: string;
  readonly state: 'running' | 'done';
  /** Payments that were meant when it was asked for. */
  readonly matched: number;
  /** Payments that it was done to. */
  readonly done: number;
  /** To others it was not, and why. */
  readonly refused: Readonly<Record<string, number>>;
  readonly requestedAt: Date;
  readonly endedAt?: Date;
}

/** An end left out is now: what begins later is no part of it. */
export type AskedBulk = Omit<BulkScope, 'until'> & {
  readonly until?: Date;
  readonly action: BulkAction;
  readonly reason: string;
};

export interface BulkApi {
  /** Has something done to many of a merchant's payments, in the background. */
  beginBulk(asked: AskedBulk): Promise<Bulk>;
}

/** One that runs, with what its next step needs. */
export interface RunningBulk extends Bulk {
  readonly after?: Place;
  /** Of the last place it is not noted what became of it. */
  readonly isUnderWay: boolean;
  readonly actor?: string;
  readonly address?: string;
}

/** Where a payment stands in the order of the work. */
export interface Place {
  readonly createdAt: Date;
  readonly invoiceId: string;
}

export interface BulkStore {
  count(scope: BulkScope): Promise<number>;
  /** Notes it with its line of the audit log. */
  begin(input: {
    readonly bulkId: string;
    readonly asked: AskedBulk & { readonly until: Date };
    readonly at: Date;
    readonly audit: AuditEntry;
  }): Promise<Bulk>;
  find(key: { readonly merchantId: string; readonly bulkId: string }): Promise<Bulk | undefined>;
  /** The newest first. */
  list(input: {
    readonly merchantId: string;
    readonly cursor?: string;
    readonly limit: number;
  }): Promise<Page<Bulk>>;
  /** The merchant's oldest that runs. */
  running(merchantId: string): Promise<RunningBulk | undefined>;
  /** The next payments that it means. */
  next(bulk: RunningBulk, limit: number): Promise<readonly Place[]>;
  /** Moves on to a payment. False where another run has moved it on. */
  take(bulk: RunningBulk, place: Place): Promise<boolean>;
  /** Whether the audit log has what was done to it: a retry and a setting aside are one commit with their lines. */
  isLogged(bulk: RunningBulk, place: Place): Promise<boolean>;
  /** Notes what became of the one that was taken. False where another run has. */
  note(
    bulk: RunningBulk,
    input: { readonly place: Place; readonly refusal?: string },
  ): Promise<boolean>;
  end(bulk: RunningBulk, at: Date): Promise<void>;
}

/** What became of one payment; `because`: it was not done. */
export type BulkOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly because: string };

/** What is done to one payment, with its line of the audit log. */
export type DoOne = (bulk: RunningBulk, key: InvoiceOf) => Promise<BulkOutcome>;
