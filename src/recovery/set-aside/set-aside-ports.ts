import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { AuditEntry } from '../admin/ports.ts';

/** Rows that are jobs; each is named within its merchant by one id. */
export const workKinds = ['payment', 'charge', 'delivery', 'endpoint_delivery', 'request'] as const;
export type WorkKind = (typeof workKinds)[number];

/**
 * One row: a payment by its invoice, a charge by its key, a delivery by its event, one to a further
 * endpoint by event and endpoint with a colon between, a request by its sequence number.
 */
export interface WorkKey {
  readonly kind: WorkKind;
  readonly merchantId: string;
  readonly id: string;
}

/** Work that is due no more until the operator has it done again. */
export interface SetAside extends WorkKey {
  readonly invoiceId?: string;
  readonly reason: string;
  readonly failures: number;
  readonly setAsideAt: Date;
}

export interface ListSetAside extends OfMerchants {
  readonly kind?: WorkKind;
  readonly invoiceId?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface FailedWork extends WorkKey {
  /** Codes and our words, no personal data. */
  readonly reason: string;
  readonly at: Date;
}

/** What became of work that threw; `moved`: it is no longer that work. */
export type FailureOutcome = 'backs_off' | 'set_aside' | 'moved';

export interface SetAsideStore {
  /** Counts the failure: the row is due again after a wait that grows, and after a few is set aside. */
  noteFailure(work: FailedWork): Promise<FailureOutcome>;
  /** Due again now, with a line of the audit log in the same transaction. False: not set aside. */
  retry(input: WorkKey & { readonly at: Date; readonly audit: AuditEntry }): Promise<boolean>;
}
