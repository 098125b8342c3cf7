import type { Incident } from './incident.ts';

/** One transaction that was made with the PSP during a retry. */
export interface PspTransaction {
  readonly psp_transaction_id?: string;
  readonly network_transaction_id?: string;
  /** The payment method that was charged, by its id in your system. */
  readonly merchant_payment_method_id?: string;
  readonly success?: boolean;
}

/** The result of one retry. Amounts are decimals in major units of `currency`. */
export interface RetryResult {
  /** When the event was made, RFC 3339 in UTC; not necessarily when the retry was. */
  readonly timestamp?: string;
  /** The retry's id in the service. */
  readonly service_id?: string;
  readonly customer_id?: string;
  readonly subscription_id?: string;
  readonly invoice_id?: string;
  readonly transaction_id?: string;
  readonly original_psp_transaction_id?: string;
  readonly psp_transactions?: readonly PspTransaction[];
  readonly original_amount?: number;
  /** What was collected or tried; another amount than the original if your final check named one. */
  readonly amount_collected?: number;
  /** ISO 4217. */
  readonly currency?: string;
  readonly success?: boolean;
  /** Your own fields, as you reported them. */
  readonly custom?: Readonly<Record<string, unknown>>;
}

/** The end of a recovery, for merchants that asked the operator for this event. */
export interface EndOfDunning {
  /** When the event was made, RFC 3339 in UTC. */
  readonly timestamp?: string;
  readonly invoice_id?: string;
  /** Whether the service collected it. */
  readonly recovered?: boolean;
  /** Your own fields, as you reported them. */
  readonly custom?: Readonly<Record<string, unknown>>;
}

/**
 * A payment waits for its customer, or the card of a subscription is about to expire (`reason` is
 * `card_expiring`), for merchants that asked the operator for this event.
 */
export interface CustomerActionRequired {
  /** When the event was made, RFC 3339 in UTC. */
  readonly timestamp?: string;
  readonly customer_id?: string;
  readonly subscription_id?: string;
  /** Absent of a card that is about to expire. */
  readonly invoice_id?: string;
  /** Of a card that is about to expire: the payment method. */
  readonly payment_method_id?: string;
  /** Of the same: its last month, such as `2027-03`. */
  readonly card_expires?: string;
  /** The category of the last decline, or `card_expiring`. */
  readonly reason?: string;
  /** The PSP's code of that decline. */
  readonly decline_code?: string;
  /** What the customer can do; more may be added. */
  readonly what_helps?: 'new_payment_method' | 'authentication' | 'contact_issuer' | (string & {});
  /** When that decline came, or the notice of the card; RFC 3339 in UTC. */
  readonly since?: string;
  /** When the recovery ends if nothing changes, or the subscription renews; RFC 3339 in UTC. */
  readonly waits_until?: string;
  /** What is owed, in major units of `currency`. */
  readonly amount?: number;
  /** ISO 4217. */
  readonly currency?: string;
  /** Your page for the customer, with the signed link of this payment; where you have such a page. */
  readonly customer_page_url?: string;
  /** Your own fields, as you reported them. */
  readonly custom?: Readonly<Record<string, unknown>>;
}

/** Such a wait is over, for the same merchants. */
export interface CustomerActionResolved {
  /** When the event was made, RFC 3339 in UTC. */
  readonly timestamp?: string;
  readonly customer_id?: string;
  readonly subscription_id?: string;
  /** Absent of a card that was about to expire. */
  readonly invoice_id?: string;
  /** Of a card that was about to expire: the payment method. */
  readonly payment_method_id?: string;
  /** Of the same: its last month, such as `2027-03`. */
  readonly card_expires?: string;
  /** `card_expiring`, of such a card alone. */
  readonly reason?: string;
  /** What ended the wait; more may be added. */
  readonly resolved_by?:
    | 'payment_method'
    | 'recovered'
    | 'stopped'
    | 'window_ended'
    | (string & {});
  /** Your own fields, as you reported them. */
  readonly custom?: Readonly<Record<string, unknown>>;
}

interface Verified {
  /**
   * Names the event, the same in every delivery of it: `webhook-id` where its signature holds, else
   * the deduplication id, which no signature covers.
   */
  readonly id: string;
  /** X-Service-Webhook-Deduplication-ID; empty where the header is absent. */
  readonly deduplicationId: string;
}

/** The result of a retry. */
export interface RetryResultEvent extends Verified {
  readonly type: 'retry_result';
  readonly data: RetryResult;
}

/** A payment has reached its last state. */
export interface EndOfDunningEvent extends Verified {
  readonly type: 'end_of_dunning';
  readonly data: EndOfDunning;
}

/** The records of a charge contradict each other. */
export interface IncidentEvent extends Verified {
  readonly type: 'incident';
  readonly data: Incident;
}

/** A payment has begun to wait for its customer. */
export interface CustomerActionRequiredEvent extends Verified {
  readonly type: 'customer_action_required';
  readonly data: CustomerActionRequired;
}

/** A payment has ended to wait for its customer. */
export interface CustomerActionResolvedEvent extends Verified {
  readonly type: 'customer_action_resolved';
  readonly data: CustomerActionResolved;
}

/** A kind of event that this version of the SDK has no type for. */
export interface OtherEvent extends Verified {
  readonly type: 'other';
  /** X-Service-Webhook-Type, as it came. */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A webhook whose signature and time held. */
export type WebhookEvent =
  | RetryResultEvent
  | EndOfDunningEvent
  | IncidentEvent
  | CustomerActionRequiredEvent
  | CustomerActionResolvedEvent
  | OtherEvent;
