// Generated from openapi/disputes.json by npm run generate; do not edit.

/** At least one of invoice_id, subscription_id, charge_id, transaction_id and network_transaction_id is there. The more there are, the surer disputes are matched. */
export type AnalyticsRecord = {
  /** The customer's e-mail address. A display name before it is dropped. */
  readonly customer_email: string;
  /** The customer's address, from the checkout's request headers. */
  readonly ipv4_address: string;
  /** The PSP that processed the transaction. */
  readonly psp: Psp;
  /** The customer's user agent. */
  readonly user_agent?: string | null;
  /** The customer at the PSP. */
  readonly customer_id?: string | null;
  /** The invoice at the PSP. */
  readonly invoice_id?: string | null;
  /** The subscription at the PSP. */
  readonly subscription_id?: string | null;
  /** The charge at the PSP. */
  readonly charge_id?: string | null;
  /** The transaction at the PSP. */
  readonly transaction_id?: string | null;
  /** The transaction in the card network. */
  readonly network_transaction_id?: string | null;
};

export type Psp = 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';

export type PaymentMatch = {
  readonly invoice_id: string;
  readonly psp_transaction_id: string;
  /** When it was charged. */
  readonly charged_at: string;
  /** 1 to 100; from 50 on it holds by itself. */
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  /** Whether the checkout is of an earlier charge. */
  readonly is_inherited: boolean;
};

/** What both have in common. */
export type MatchReason = 'person' | 'charge' | 'transaction' | 'network_transaction' | 'invoice' | 'subscription' | 'invoice_part' | 'customer' | 'email_card_time' | 'email';

export type DisputeMatch = {
  readonly dispute_id: string;
  /** Stage and status in one word. */
  readonly state: string;
  /** Whether an analytics record belongs to the dispute. */
  readonly match_state: MatchState;
  /** Whether it is this one that does. */
  readonly is_the_match: boolean;
  /** 1 to 100; from 50 on it holds by itself. */
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  /** Whether the checkout is of an earlier charge. */
  readonly is_inherited: boolean;
};

export type MatchState = 'pending' | 'matched' | 'conflict' | 'review' | 'none';

export type CreateAnalyticsAnswer = {
  readonly id: string;
};

export type CreateAnalyticsBatchQuery = {
  /** The first line that is ingested. */
  readonly from_row?: number;
};

export type CreateAnalyticsBatchAnswer = {
  /** The line of the body, from 1. */
  readonly row: number;
  readonly id?: string;
  /** What is wrong with the row; a text where the batch ends here. */
  readonly detail?: readonly {
    /** Where: `body` and the field, or `body` alone. */
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
  }[] | string;
};

export type ShowAnalyticsAnswer = {
  readonly id: string;
  /** active; archived: kept for late disputes alone; erased with its customer. */
  readonly state: 'active' | 'archived' | 'erased';
  /** As it was submitted. */
  readonly psp: Psp;
  /** When it came. */
  readonly captured_at: string;
  readonly fields: readonly ('customer_email' | 'ipv4_address' | 'psp' | 'user_agent' | 'customer_id' | 'invoice_id' | 'subscription_id' | 'charge_id' | 'transaction_id' | 'network_transaction_id')[];
  /** Whether the address can be a customer’s on the internet. */
  readonly ip_is_public: boolean;
  readonly identifiers: readonly ('customer_id' | 'invoice_id' | 'subscription_id' | 'charge_id' | 'transaction_id' | 'network_transaction_id')[];
  readonly missing_for_evidence: readonly ('public_ipv4_address' | 'customer_id' | 'user_agent' | 'payment_id')[];
  /** From then on its payment can speak for a later, disputed one. */
  readonly mature_at: string;
  /** When two charges can speak for a later, disputed one by Visa CE3.0. Outside Stripe the e-mail address counts only as the login. */
  readonly priors: {
    /** too_few: two charges of the card with this IP and e-mail address are needed. */
    readonly state: 'matures' | 'too_few';
    /** Of too_few: how many there are. */
    readonly charges?: number;
    /** From then on two of them are old enough; may be past. */
    readonly mature_at?: string;
    /** A charge that is disputed before then has them. */
    readonly mature_until?: string;
  };
  /** Whether a dispute keeps it from being erased. */
  readonly legal_hold: boolean;
  /** Charges that succeeded, reported or made by Recoup, and have an id in common with it, the surest first. */
  readonly payments: readonly PaymentMatch[];
  /** The disputes that it has something in common with, the newest first. */
  readonly matches: readonly DisputeMatch[];
};
