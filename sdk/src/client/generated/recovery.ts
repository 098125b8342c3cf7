// Generated from openapi/recovery.json by npm run generate; do not edit.
import type { CallOptions } from '../call-options.ts';
import type { OperationTable } from '../operation.ts';

export type ReportPaymentMethodUpdateBody = {
  /** The customer's id in your subscription platform. May be left out where psp_customer_id is given. */
  readonly customer_id?: string;
  /** The customer's id at the PSP. */
  readonly psp_customer_id?: string;
  /** The PSP's id of the payment method. */
  readonly payment_method_id: string;
  /** What led to the update. Without one it counts as user_updated. */
  readonly reason?: 'user_added' | 'user_removed' | 'user_updated' | 'network_updated';
};

export type ReportPaymentMethodUpdateAnswer = {
  readonly message: string;
  /** A UUID, a 56-digit sequence number and a 12-digit partition, with colons between. */
  readonly request_id: string;
};

export type ReportPaymentBody = {
  readonly customer: {
    /** The customer's id in your subscription platform. */
    readonly id: string;
    /** The customer's id at the PSP. */
    readonly psp_id?: string;
    /** When the customer was created. */
    readonly created_at?: string;
    /** The customer's postal code. */
    readonly postal_code?: string;
  };
  readonly subscription: {
    /** The subscription's id in your system. */
    readonly id: string;
    /** When the subscription began. */
    readonly start_date: string;
    /** When it ends or ended. */
    readonly end_date?: string;
    /** Whether a discount or a free period ended with this payment. */
    readonly discounted_or_free_period?: boolean;
    /** What is subscribed to. */
    readonly product_id?: string;
    readonly billing?: {
      /** The unit of the billing cycle. */
      readonly period?: 'day' | 'week' | 'month' | 'year';
      /** Units per cycle. */
      readonly frequency?: number;
    };
  };
  readonly invoice: {
    /** The invoice's id in your system; its recovery goes by this id. */
    readonly id: string;
    /** When the invoice was created. */
    readonly created_at: string;
  };
  /** One item for each payment method that was tried, in that order. */
  readonly transactions: readonly ({
    /** The transaction's id in your system. */
    readonly id: string;
    /** The transaction's id at the PSP. */
    readonly psp_transaction_id: string;
    /** The PSP that processed the transaction. */
    readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
    /** The acquirer's country. */
    readonly acquirer_country: string;
    /** The amount in major units, such as 12.23. */
    readonly amount: number;
    /** The currency (ISO 4217). */
    readonly currency: string;
    /** How the card is funded, in lower or upper case. */
    readonly funding_source: 'credit' | 'debit' | 'mixed' | 'paypal' | 'prepaid' | 'uncategorized' | 'unknown' | 'CREDIT' | 'DEBIT' | 'MIXED' | 'PAYPAL' | 'PREPAID' | 'UNCATEGORIZED' | 'UNKNOWN';
    /** The PSP's id of the payment method. */
    readonly payment_method_id: string;
    /** When the PSP made the transaction. */
    readonly psp_transaction_created_at: string;
    /** The card scheme, such as visa or mastercard. */
    readonly scheme: string;
    /** Whether the charge succeeded. */
    readonly success: boolean;
    readonly outcome: {
      /** What the issuer answered, as it came. */
      readonly raw_response_message: string;
      /** The PSP's words. */
      readonly psp_response_message?: string;
      /** The processor's response code. */
      readonly processor_response_code?: string | number;
      /** The network's status. */
      readonly network_status?: string;
      /** How the PSP classes the decline. */
      readonly response_type?: 'soft_decline' | 'hard_decline';
    };
    /** The transaction id of the card network. Required where psp is worldpay. */
    readonly network_transaction_id?: string;
    /** The merchant id at the acquirer. Required where psp is worldpay. */
    readonly mid?: string;
    /** Your own reporting group. */
    readonly reporting_group?: string;
    /** The postal code of the billing address. */
    readonly billing_postal_code?: string;
    /** The authorisation code. */
    readonly auth?: string;
    /** The card's first digits. */
    readonly bin?: string;
    /** What the PSP names the card by, the same for each method id that stands for it. */
    readonly card_fingerprint?: string;
    /** Whether the amount was captured. */
    readonly captured?: boolean;
    /** The issuer's country. */
    readonly issuer_country?: string;
    /** Whether the amount was refunded. */
    readonly refunded?: boolean;
    readonly enhanced_data?: {
      /** Level 2 data. */
      readonly level_2?: Readonly<Record<string, unknown>>;
      /** Level 3 data. */
      readonly level_3?: Readonly<Record<string, unknown>>;
    };
  })[];
  /** Your own fields. They come back in the retry-status call and in webhooks. */
  readonly custom?: Readonly<Record<string, unknown>>;
};

export type ReportPaymentAnswer = {
  readonly message: string;
  /** A UUID, a 56-digit sequence number and a 12-digit partition, with colons between. */
  readonly request_id: string;
};

export type ListPaymentsQuery = {
  /** Only payments in this state. */
  readonly status?: 'scheduled' | 'attempting' | 'recovered' | 'stopped' | 'exhausted';
  /** Only payments of this customer. */
  readonly customer_id?: string;
  /** Only payments whose recovery began then or later. */
  readonly created_from?: string;
  /** Only payments whose recovery began before then. */
  readonly created_to?: string;
  /** The next_cursor of the page before. */
  readonly cursor?: string;
  /** Items on a page. */
  readonly limit?: number;
};

export type ListPaymentsAnswer = {
  readonly payments: readonly {
    readonly invoice_id: string;
    readonly customer_id: string;
    /** The last three are final. */
    readonly status: 'scheduled' | 'attempting' | 'recovered' | 'stopped' | 'exhausted';
    /** Why it was stopped. */
    readonly stop_reason?: 'merchant_declined_retry' | 'merchant_stop' | 'invoice_not_found' | 'recovered_elsewhere' | 'invoice_closed' | 'disputed';
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
    /** Tries that reached the PSP, or may have. */
    readonly attempt_count: number;
    /** When recovery began. */
    readonly created_at: string;
    /** When it changed last. */
    readonly updated_at: string;
  }[];
  /** Where the next page begins. Absent on the last one. */
  readonly next_cursor?: string;
};

export type ListPaymentsItem = ListPaymentsAnswer['payments'][number];

export type ShowRequestAnswer = {
  readonly request_id: string;
  /** What was submitted. */
  readonly kind: 'payment' | 'payment_method_update';
  /** accepted: stored, and about to be applied. */
  readonly status: 'accepted' | 'applied' | 'rejected';
  /** When it was stored. */
  readonly received_at: string;
  /** When it took effect. */
  readonly applied_at?: string;
  /** What it did. */
  readonly outcome?: Readonly<Record<string, unknown>>;
};

export type ShowPaymentAnswer = {
  readonly invoice_id: string;
  readonly customer_id: string;
  /** The last three are final. */
  readonly status: 'scheduled' | 'attempting' | 'recovered' | 'stopped' | 'exhausted';
  /** Why it was stopped. */
  readonly stop_reason?: 'merchant_declined_retry' | 'merchant_stop' | 'invoice_not_found' | 'recovered_elsewhere' | 'invoice_closed' | 'disputed';
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
  /** Tries that reached the PSP, or may have. */
  readonly attempt_count: number;
  /** When recovery began. */
  readonly created_at: string;
  /** When it changed last. */
  readonly updated_at: string;
  readonly subscription_id?: string;
  readonly transaction_id: string;
  readonly original_psp_transaction_id: string;
  readonly psp: string;
  /** The merchant's own fields. */
  readonly custom?: Readonly<Record<string, unknown>>;
  /** The decision that stands: what is next, and why. */
  readonly decision?: {
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
    readonly arm?: 'learned' | 'explore' | 'holdout' | 'fallback';
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
  };
  /** Charges of this invoice by somebody else since its recovery began, such as retries that are still switched on at the PSP. */
  readonly foreign_attempts?: {
    /** How many. */
    readonly count: number;
    /** When the last one was made. */
    readonly last_at: string;
  };
  readonly attempts: readonly ({
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
    readonly decision?: {
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
      readonly arm?: 'learned' | 'explore' | 'holdout' | 'fallback';
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
    };
    /** What the merchant's server said to the final check. */
    readonly check?: Readonly<Record<string, unknown>>;
    readonly transactions: readonly ({
      /** 1 for the attempt's first method. */
      readonly ordinal: number;
      /** not_made: it never arrived at the PSP. */
      readonly status: 'sending' | 'succeeded' | 'declined' | 'unknown' | 'not_made';
      readonly payment_method_id: string;
      readonly psp_transaction_id?: string;
      readonly network_transaction_id?: string;
      readonly amount: number;
      readonly currency: string;
      readonly decline?: {
        /** What it means for the next try. */
        readonly category: 'never' | 'fix_data' | 'customer_action' | 'later' | 'technical' | 'review';
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
          readonly category: 'never' | 'fix_data' | 'customer_action' | 'later' | 'technical' | 'review';
        }[];
      };
      /** When the charge was sent. */
      readonly sent_at: string;
      /** When its outcome was known. */
      readonly settled_at?: string;
    })[];
    readonly blocked_charges?: readonly (Readonly<Record<string, unknown>>)[];
  })[];
  readonly deliveries: readonly {
    readonly event_id: string;
    /** The kind of event. */
    readonly type: string;
    /** exhausted: given up after the last redelivery. */
    readonly status: 'pending' | 'delivered' | 'exhausted';
    /** Sends so far. */
    readonly tries: number;
    /** When it is sent next. */
    readonly next_attempt_at?: string;
    /** When the merchant acknowledged it. */
    readonly delivered_at?: string;
    /** The status of the last answer. */
    readonly last_status?: number;
    /** Why the last send failed. */
    readonly last_error?: string;
  }[];
};

export type RetryPaymentBody = {
  /** When to try. Without it: now. */
  readonly retry_at?: string;
};

export type RetryPaymentAnswer = {
  readonly message: string;
  readonly invoice_id: string;
  /** When it is tried. */
  readonly next_attempt_at: string;
};

export type StopPaymentBody = {
  /** Why, in your own words; shown as stop_detail. */
  readonly reason?: string;
};

export type StopPaymentAnswer = {
  readonly message: string;
  readonly invoice_id: string;
  readonly status: string;
};

export type ListEventsQuery = {
  /** Only events after this one: a next_cursor, or the sequence of the last event that you have. */
  readonly cursor?: string;
  /** Items on a page. */
  readonly limit?: number;
};

export type ListEventsAnswer = {
  readonly events: readonly ({
    readonly event_id: string;
    /** A number that rises without gaps, as text. */
    readonly sequence: string;
    /** The X-Service-Webhook-Type of the webhook. */
    readonly type: string;
    readonly invoice_id: string;
    /** When it happened. */
    readonly created_at: string;
    /** The webhook's body. */
    readonly body: Readonly<Record<string, unknown>>;
    readonly delivery: {
      readonly event_id: string;
      /** The kind of event. */
      readonly type: string;
      /** exhausted: given up after the last redelivery. */
      readonly status: 'pending' | 'delivered' | 'exhausted';
      /** Sends so far. */
      readonly tries: number;
      /** When it is sent next. */
      readonly next_attempt_at?: string;
      /** When the merchant acknowledged it. */
      readonly delivered_at?: string;
      /** The status of the last answer. */
      readonly last_status?: number;
      /** Why the last send failed. */
      readonly last_error?: string;
    };
  })[];
  /** Where the next page begins. Absent on the last one. */
  readonly next_cursor?: string;
};

export type ListEventsItem = ListEventsAnswer['events'][number];

export type RedeliverEventBody = {
};

export type RedeliverEventAnswer = {
  readonly message: string;
  readonly event_id: string;
};

/** Every operation of the recovery API. */
export interface RecoveryOperations {
  /** Report a payment method update. Send every payment method that a customer or a network added, removed or updated. An added or updated one pulls the next retry of that customer forward; a removed one is not tried again. At least one of customer_id and psp_customer_id has to be given. */
  reportPaymentMethodUpdate(body: ReportPaymentMethodUpdateBody, options?: CallOptions): Promise<ReportPaymentMethodUpdateAnswer>;

  /** Report a billing attempt. Send one event for each billing attempt, failed or successful. A failed one starts the recovery of its invoice. A successful one ends it, and is history that retries learn from. */
  reportPayment(body: ReportPaymentBody, options?: CallOptions): Promise<ReportPaymentAnswer>;

  /** List payments. Payments under recovery and those that ended, by status, customer and time. */
  listPayments(query?: ListPaymentsQuery, options?: CallOptions): Promise<ListPaymentsAnswer>;

  /** Every item of `listPayments`, page after page. */
  iteratePayments(query?: ListPaymentsQuery, options?: CallOptions): AsyncGenerator<ListPaymentsItem>;

  /** Show a submitted request. What became of a request, by the request_id of its acknowledgement. */
  showRequest(requestId: string, options?: CallOptions): Promise<ShowRequestAnswer>;

  /** Get payment information. The payment of an invoice: its status, the next try, and every try so far with the decision behind it, the PSP's transactions and the deliveries of its webhooks. */
  showPayment(invoiceId: string, options?: CallOptions): Promise<ShowPaymentAnswer>;

  /** Retry a payment at a time of your choice. Tries the payment now or at retry_at. The network's rules, the window, the budget of tries and the final check at your server hold as for every retry. */
  retryPayment(invoiceId: string, body?: RetryPaymentBody, options?: CallOptions): Promise<RetryPaymentAnswer>;

  /** Stop the recovery of a payment. Ends the recovery. Nothing is charged after the stop was acknowledged with 200. */
  stopPayment(invoiceId: string, body?: StopPaymentBody, options?: CallOptions): Promise<StopPaymentAnswer>;

  /** List events in their order. Every event that was or will be sent to your webhook, for pulling. To ask for what is new, send the sequence of the last event that you have as cursor. */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Promise<ListEventsAnswer>;

  /** Every item of `listEvents`, page after page. */
  iterateEvents(query?: ListEventsQuery, options?: CallOptions): AsyncGenerator<ListEventsItem>;

  /** Send an event again. Sends the event to your webhook at once, with the same body and deduplication id, and as often as a new one if that fails. */
  redeliverEvent(id: string, body?: RedeliverEventBody, options?: CallOptions): Promise<RedeliverEventAnswer>;
}

export const recoveryOperations = {
  reportPaymentMethodUpdate: { method: 'POST', path: '/recover/payment_method_updates', pathNames: [], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  reportPayment: { method: 'POST', path: '/recover/payments', pathNames: [], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  listPayments: { method: 'GET', path: '/recover/payments', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json' },
  iteratePayments: { method: 'GET', path: '/recover/payments', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', pages: 'payments' },
  showRequest: { method: 'GET', path: '/recover/requests/{request_id}', pathNames: ['request_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  showPayment: { method: 'GET', path: '/recover/payments/{invoice_id}', pathNames: ['invoice_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  retryPayment: { method: 'POST', path: '/recover/payments/{invoice_id}/retry', pathNames: ['invoice_id'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  stopPayment: { method: 'POST', path: '/recover/payments/{invoice_id}/stop', pathNames: ['invoice_id'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
  listEvents: { method: 'GET', path: '/recover/events', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json' },
  iterateEvents: { method: 'GET', path: '/recover/events', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', pages: 'events' },
  redeliverEvent: { method: 'POST', path: '/recover/events/{id}/redeliver', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: true, isRepeatable: true, form: 'json' },
} satisfies OperationTable;
