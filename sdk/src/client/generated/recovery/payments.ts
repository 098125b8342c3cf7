// Generated from openapi/recovery.json by npm run generate; do not edit.

export type PaymentStatus = 'scheduled' | 'attempting' | 'recovered' | 'stopped' | 'exhausted';

export type PaymentSummary = {
  readonly invoice_id: string;
  readonly customer_id: string;
  /** The last three are final. */
  readonly status: PaymentStatus;
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

export type Payment = PaymentSummary & {
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
  readonly decision?: Decision;
  /** Charges of this invoice by somebody else since its recovery began, such as retries that are still switched on at the PSP. */
  readonly foreign_attempts?: {
    /** How many. */
    readonly count: number;
    /** When the last one was made. */
    readonly last_at: string;
  };
  readonly attempts: readonly Attempt[];
  readonly deliveries: readonly Delivery[];
  /** What the customer was told and did, the oldest first. */
  readonly customer_contacts?: readonly CustomerContact[];
};

export type Decision = {
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
  readonly arm?: Arm;
  /** Of learned: the arm that the payment as a whole is compared in, its first decision's, whatever plans it since. */
  readonly payment_arm?: PaymentArm;
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

/** Of learned: planned by the model, by chance to learn from, held out to compare with, or on the fixed days because the model is not trusted. */
export type Arm = 'learned' | 'explore' | 'holdout' | 'fallback';

/** Of learned: the arm that the payment as a whole is compared in, its first decision's, whatever plans it since. */
export type PaymentArm = 'learned' | 'holdout';

export type Attempt = {
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
  readonly decision?: Decision;
  /** What the merchant's server said to the final check. */
  readonly check?: Readonly<Record<string, unknown>>;
  readonly transactions: readonly Transaction[];
  readonly blocked_charges?: readonly (Readonly<Record<string, unknown>>)[];
};

export type Transaction = {
  /** 1 for the attempt's first method. */
  readonly ordinal: number;
  /** not_made: it never arrived at the PSP, or the PSP refused the request. */
  readonly status: 'sending' | 'succeeded' | 'declined' | 'unknown' | 'not_made';
  readonly payment_method_id: string;
  readonly psp_transaction_id?: string;
  readonly network_transaction_id?: string;
  readonly amount: number;
  readonly currency: string;
  readonly decline?: Decline;
  /** Why it was not made, or why its outcome is unknown. */
  readonly reason?: string;
  /** When the charge was sent. */
  readonly sent_at: string;
  /** When its outcome was known. */
  readonly settled_at?: string;
};

export type Decline = {
  /** What it means for the next try. */
  readonly category: DeclineCategory;
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
    readonly category: DeclineCategory;
  }[];
};

export type DeclineCategory = 'never' | 'fix_data' | 'customer_action' | 'later' | 'technical' | 'review';

export type Delivery = {
  readonly event_id: string;
  /** The kind of event. */
  readonly type: string;
  /** exhausted: given up after the last redelivery. */
  readonly status: DeliveryStatus;
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

/** exhausted: given up after the last redelivery. */
export type DeliveryStatus = 'pending' | 'delivered' | 'exhausted';

export type CustomerContact = {
  /** When. */
  readonly at: string;
  /** What it was. */
  readonly kind: CustomerContactKind;
  /** What the customer did. */
  readonly outcome?: CustomerOutcome;
  /** Which message. */
  readonly message_id?: string;
};

/** What it was. */
export type CustomerContactKind = 'message_sent' | 'message_bounced' | 'stopped' | 'visited' | 'outcome';

export type CustomerOutcome = 'payment_method_added' | 'payment_method_updated' | 'authenticated' | 'issuer_contacted' | 'refused';

export type ListPaymentsQuery = {
  /** Only payments in this state. */
  readonly status?: PaymentStatus;
  /** Only scheduled ones that wait for their next attempt, or for their customer. */
  readonly waiting_for?: 'attempt' | 'customer';
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
  readonly payments: readonly PaymentSummary[];
  /** Where the next page begins. Absent on the last one. */
  readonly next_cursor?: string;
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
