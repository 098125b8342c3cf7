// Generated from openapi/operator.json by npm run generate; do not edit.
import type { DeliveryJson } from './deliveries.ts';

export type PaymentStatusJson = 'scheduled' | 'attempting' | 'recovered' | 'stopped' | 'exhausted';

/** Only those that an open incident holds, or work that was set aside; `any`: either; `none`: only those that nothing holds. */
export type HeldByFilterJson = 'incident' | 'set_aside' | 'any' | 'none';

export type PaymentSummaryJson = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  /** The last three are final. */
  readonly status: PaymentStatusJson;
  /** Why it was stopped. */
  readonly stop_reason?: 'merchant_declined_retry' | 'merchant_stop' | 'invoice_not_found' | 'recovered_elsewhere' | 'invoice_closed' | 'disputed' | 'joined';
  /** The stopper's own words. */
  readonly stop_detail?: string;
  readonly amount: number;
  readonly currency: string;
  /** When it failed at the merchant. */
  readonly failed_at: string;
  /** The last moment of a try. */
  readonly window_ends_at: string;
  /** When it is tried next. */
  readonly next_attempt_at?: string;
  /** Of a scheduled payment. customer: nothing is tried before the window ends unless a payment method is added or updated. */
  readonly waiting_for?: 'attempt' | 'customer';
  /** Of a scheduled payment that is tried no more until a person decides. incident: what contradicts the record froze it. set_aside: it failed each time, or somebody put it by. */
  readonly held_by?: 'incident' | 'set_aside';
  /** Tries that reached the PSP, or may have. */
  readonly attempt_count: number;
  /** When recovery began. */
  readonly created_at: string;
  /** When it changed last. */
  readonly updated_at: string;
};

/** The payment, every attempt with its decision, and every delivery. */
export type PaymentJson = PaymentSummaryJson & {
  /** Other ids under which the same debt was reported. Each of them names this payment. */
  readonly joined_invoice_ids?: readonly string[];
  /** The id that retry-status calls and webhooks carry, where the PSP reported the debt first and the merchant then under its own id. */
  readonly merchant_invoice_id?: string;
  /** The invoice at the PSP that is paid there. */
  readonly psp_invoice_id?: string;
  readonly subscription_id?: string;
  readonly transaction_id: string;
  readonly original_psp_transaction_id: string;
  readonly psp: string;
  /** The merchant's own fields. */
  readonly custom?: Readonly<Record<string, unknown>>;
  /** The decision that stands: what is next, and why. */
  readonly decision?: DecisionJson;
  /** Charges of this invoice by somebody else since its recovery began, such as retries that are still switched on at the PSP. */
  readonly foreign_attempts?: {
    /** How many. */
    readonly count: number;
    /** When the last one was made. */
    readonly last_at: string;
  };
  readonly attempts: readonly AttemptJson[];
  readonly deliveries: readonly DeliveryJson[];
  /** What the customer was told and did, the oldest first. */
  readonly customer_contacts?: readonly CustomerContactJson[];
};

export type DecisionJson = {
  /** attempt, wait_for_update or exhausted. */
  readonly kind?: string;
  /** The reason in words. */
  readonly because?: string;
  /** fixed, even, learned or client_retry. */
  readonly policy?: string;
  /** Of learned: the id of the model. */
  readonly policy_version?: string;
  /** The edition of the networks' rules. */
  readonly rule_pack_version?: string;
  readonly decided_at?: string;
  /** When the attempt is to start, or the wait ends. */
  readonly at?: string;
  readonly methods?: readonly string[];
  /** The times that were weighed, the best first. */
  readonly candidates?: readonly {
    readonly at: string;
    readonly score: number;
  }[];
  /** What moved a time, or forbade a method. */
  readonly bounded_by?: readonly string[];
  /** The chance with which this choice was taken. */
  readonly propensity?: number;
  /** Of learned: planned by the model, by chance to learn from, held out to compare with, or on the fixed days because the model is not trusted. */
  readonly arm?: ArmJson;
  /** Of learned: the arm that the payment as a whole is compared in, its first decision's, whatever plans it since. */
  readonly payment_arm?: PaymentArmJson;
  /** Of an approval at that time, as the model has it. */
  readonly chance?: number;
  /** What moved that chance most, the strongest first. */
  readonly leading?: readonly {
    readonly feature: string;
    readonly words: string;
    readonly value: number;
    /** How far it moved the chance. */
    readonly effect: number;
  }[];
} & Readonly<Record<string, unknown>>;

export type ArmJson = 'learned' | 'explore' | 'holdout' | 'fallback';

/** Of learned: the arm that the payment as a whole is compared in, its first decision's, whatever plans it since. */
export type PaymentArmJson = 'learned' | 'holdout';

export type AttemptJson = {
  readonly id: string;
  readonly number: number;
  /** unknown: the answer was lost and is being looked up. */
  readonly status: 'checking' | 'charging' | 'succeeded' | 'declined' | 'not_attempted' | 'unknown';
  /** When the final check began. */
  readonly started_at: string;
  /** When it was over. */
  readonly ended_at?: string;
  readonly amount?: number;
  readonly currency?: string;
  /** The decision that set its time and methods. */
  readonly decision?: DecisionJson;
  /** What the merchant's server said to the final check. */
  readonly check?: Readonly<Record<string, unknown>>;
  readonly transactions: readonly TransactionJson[];
  readonly blocked_charges?: readonly (Readonly<Record<string, unknown>>)[];
};

export type TransactionJson = {
  /** 1 for the attempt's first method. */
  readonly ordinal: number;
  /** not_made: it never arrived at the PSP, or the PSP refused the request. */
  readonly status: 'sending' | 'succeeded' | 'declined' | 'unknown' | 'not_made';
  readonly payment_method_id: string;
  readonly psp_transaction_id?: string;
  readonly network_transaction_id?: string;
  readonly amount: number;
  readonly currency: string;
  readonly decline?: DeclineJson;
  /** Why it was not made, or why its outcome is unknown. */
  readonly reason?: string;
  /** When the charge was sent. */
  readonly sent_at: string;
  /** When its outcome was known. */
  readonly settled_at?: string;
};

export type DeclineJson = {
  /** What it means for the next try. */
  readonly category: DeclineCategoryJson;
  /** The PSP's own code. */
  readonly code: string;
  readonly message?: string;
  /** By whose table the codes were read. */
  readonly network?: 'visa' | 'mastercard' | 'amex' | 'discover';
  /** The network's response code. */
  readonly network_code?: string;
  /** Mastercard's merchant advice code. */
  readonly advice_code?: string;
  /** How long the issuer asks to wait. */
  readonly wait_seconds?: number;
  /** What each source said: the one that decided first, then by precedence. */
  readonly sources?: readonly {
    /** Who said it. */
    readonly source: 'network_advice' | 'network_code' | 'psp_advice' | 'psp_code' | 'psp_category';
    readonly said: string;
    /** What it means by itself. */
    readonly category: DeclineCategoryJson;
  }[];
};

export type DeclineCategoryJson = 'never' | 'fix_data' | 'customer_action' | 'later' | 'technical' | 'review';

export type CustomerContactJson = {
  /** When. */
  readonly at: string;
  /** What it was. */
  readonly kind: CustomerContactKindJson;
  /** What the customer did. */
  readonly outcome?: CustomerOutcomeJson;
  /** Which message. */
  readonly message_id?: string;
};

/** What it was. */
export type CustomerContactKindJson = 'message_sent' | 'message_bounced' | 'stopped' | 'visited' | 'outcome';

/** What the customer did. */
export type CustomerOutcomeJson = 'payment_method_added' | 'payment_method_updated' | 'authenticated' | 'issuer_contacted' | 'refused';

/** The payment, and everything that touched it in order. */
export type TimelineJson = {
  /** The payment, every attempt with its decision, and every delivery. */
  readonly payment: PaymentJson;
  /** Its payment methods, in its own order. */
  readonly methods: readonly PaymentMethodJson[];
  /** The oldest first. */
  readonly entries: readonly TimelineEntryJson[];
  /** The attempt that is planned, and those meant to follow where it is declined, as they are planned now. */
  readonly planned: readonly PlannedTryJson[];
  /** Of a plan that a model made: the chances over the window, as it sees them now. */
  readonly curve?: ChanceCurveJson;
};

export type PaymentMethodJson = {
  readonly payment_method_id: string;
  readonly scheme?: string;
  readonly funding_source?: string;
  readonly bin?: string;
  readonly issuer_country?: string;
  readonly removed: boolean;
};

export type TimelineEntryJson = {
  /** When it happened. */
  readonly at: string;
  /** What kind of thing it is. */
  readonly kind: 'failed' | 'taken_in' | 'reported' | 'method' | 'decision' | 'check' | 'charge' | 'rule' | 'attempt' | 'webhook' | 'psp_event' | 'dispute' | 'customer' | 'act' | 'ended';
  /** Who did it, or whose word it is. */
  readonly actor: 'merchant' | 'recoup' | 'psp' | 'issuer' | 'network' | 'operator' | 'customer';
  /** What happened. */
  readonly message: string;
  /** Why, where somebody decided something. */
  readonly because?: string;
  readonly amount?: number;
  readonly currency?: string;
  /** What was said or sent, in the API's own names. */
  readonly facts: Readonly<Record<string, unknown>>;
};

export type PlannedTryJson = {
  /** When it begins. */
  readonly at: string;
  /** Of an approval, from 0 to 1, where a model planned it. */
  readonly chance?: number;
};

/** Of a plan that a model made: the chances over the window, as it sees them now. */
export type ChanceCurveJson = {
  /** Of which method. */
  readonly payment_method_id: string;
  /** When the first step begins; the last one holds the end of the window. */
  readonly from: string;
  /** How long a step is. */
  readonly step_ms: number;
  /** Of an approval in each step, from 0 to 1. */
  readonly chances: readonly number[];
  /** Before it the issuer's advice or a network's rule forbids a try. */
  readonly allowed_at: string;
  /** What forbids it. */
  readonly bound_by?: string;
  /** Of the payer's zone. */
  readonly utc_offset_minutes: number;
};

export type ListPaymentsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Only those in this state. */
  readonly status?: PaymentStatusJson;
  /** Only scheduled ones that wait for their next attempt, or for their customer. */
  readonly waiting_for?: 'attempt' | 'customer';
  /** Only those that an open incident holds, or work that was set aside; `any`: either; `none`: only those that nothing holds. */
  readonly held_by?: HeldByFilterJson;
  /** Only those with exactly this id: of an invoice, customer, subscription, transaction, charge, attempt, payment method, event or dispute, ours or the processor’s. Where there is none: whose ids begin with it, of this amount (42, 42.00, 42 EUR), of a disputed card with these last four digits, or of this e-mail address. Whenever it was created. */
  readonly search?: string;
  /** Only those whose recovery began then or later. */
  readonly created_from?: string;
  /** Only those whose recovery began before. */
  readonly created_to?: string;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListPaymentsAnswer = {
  readonly items: readonly PaymentSummaryJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type RetryPaymentBody = {
  /** When to try. Default: now. */
  readonly retry_at?: string;
};

export type RetryPaymentAnswer = {
  readonly status: 'scheduled';
  /** When it is tried. */
  readonly next_attempt_at: string;
};

export type StopPaymentBody = {
  /** Why, in words; kept with the payment. */
  readonly reason: string;
};

export type StopPaymentAnswer = {
  /** How it ended, which may have been before. */
  readonly status: 'recovered' | 'stopped' | 'exhausted';
};
