// Generated from openapi/recovery.json by npm run generate; do not edit.
import type { CustomerOutcome, PaymentStatus } from './payments.ts';

export type CustomerLink = {
  /** Absent: the link is about a card, and nothing has failed. */
  readonly invoice_id?: string;
  readonly customer_id: string;
  readonly subscription_id?: string;
  /** The method that was declined last, or that expires. */
  readonly payment_method_id: string;
  /** The last three are final: there is nothing left to mend. */
  readonly status?: PaymentStatus;
  /** What is owed, in major units. */
  readonly amount?: number;
  readonly currency?: string;
  /** Of a link about a card: its last month, as 2026-03. */
  readonly card_expires?: string;
  /** Of the same: there is nothing left to do. */
  readonly is_replaced?: boolean;
  /** When the link ends: with the window of the payment, or when the card is charged again. */
  readonly ends_at: string;
};

export type NoteCustomerVisitBody = {
};

export type NoteCustomerOutcomeBody = {
  /** What the customer did. Each but refused brings the next try at once. */
  readonly outcome: CustomerOutcome;
  /** The PSP's id of the method that was added, or of the one that was mended. Default: the one that was declined last; required of payment_method_added. */
  readonly payment_method_id?: string;
};

export type NoteCustomerOutcomeAnswer = {
  readonly invoice_id?: string;
  /** Of a link about a card, in the place of invoice_id. */
  readonly payment_method_id?: string;
  /** Whether the payment is planned again; not of refused, nor once it has ended. */
  readonly retries: boolean;
};

export type NoteMessageBounceBody = {
  /** The message's id (X-Recoup-Message), or the address that it came back to, which has the id in it. */
  readonly message: string;
  /** What came. */
  readonly kind: 'bounced' | 'complained';
  /** Why, such as a status code. */
  readonly detail?: string;
};

export type NoteMessageBounceAnswer = {
  readonly message: string;
};
