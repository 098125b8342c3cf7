// Generated from openapi/disputes.json by npm run generate; do not edit.
import type { CallOptions } from '../call-options.ts';
import type { OperationTable } from '../operation.ts';

export type CreateAnalyticsBody = {
  /** The customer's e-mail address. A display name before it is dropped. */
  readonly customer_email: string;
  /** The customer's address, from the checkout's request headers. */
  readonly ipv4_address: string;
  /** The PSP that processed the transaction. */
  readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
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

export type CreateAnalyticsAnswer = {
  readonly id: string;
};

export type CreateAnalyticsBatchBody = {
  /** The customer's e-mail address. A display name before it is dropped. */
  readonly customer_email: string;
  /** The customer's address, from the checkout's request headers. */
  readonly ipv4_address: string;
  /** The PSP that processed the transaction. */
  readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
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

export type CreateAnalyticsBatchQuery = {
  /** The first line that is taken in. */
  readonly from_row?: number;
};

export type CreateAnalyticsBatchAnswer = {
  /** The line of the body, from 1. */
  readonly row: number;
  readonly id?: string;
  /** What is wrong with the row; a text where the batch ends here. */
  readonly detail?: readonly {
    /** Where: `body` and the field, or the character at which the JSON ends. */
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
  readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
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
  /** Payments that have an id in common with it, the surest first. */
  readonly payments: readonly {
    readonly invoice_id: string;
    readonly psp_transaction_id: string;
    /** When it was charged. */
    readonly charged_at: string;
    /** 1 to 100; from 50 on it holds by itself. */
    readonly score: number;
    readonly reasons: readonly ('person' | 'charge' | 'transaction' | 'network_transaction' | 'invoice' | 'subscription' | 'invoice_part' | 'customer' | 'email_card_time' | 'email')[];
    /** Whether the checkout is of an earlier charge. */
    readonly is_inherited: boolean;
  }[];
  /** The disputes that it has something in common with, the newest first. */
  readonly matches: readonly {
    readonly dispute_id: string;
    /** Stage and status in one word. */
    readonly state: string;
    /** Whether a capture belongs to the dispute. */
    readonly match_state: 'pending' | 'matched' | 'conflict' | 'review' | 'none';
    /** Whether it is this one that does. */
    readonly is_the_match: boolean;
    /** 1 to 100; from 50 on it holds by itself. */
    readonly score: number;
    readonly reasons: readonly ('person' | 'charge' | 'transaction' | 'network_transaction' | 'invoice' | 'subscription' | 'invoice_part' | 'customer' | 'email_card_time' | 'email')[];
    /** Whether the checkout is of an earlier charge. */
    readonly is_inherited: boolean;
  }[];
};

export type EraseCustomerAnswer = {
  readonly customer_id: string;
  /** When the key was destroyed. */
  readonly erased_at: string;
  /** Captures that can be read no more. */
  readonly records: number;
  /** SHA-256 in hexadecimal of what was destroyed; the audit log holds what it is of. */
  readonly proof: string;
};

export type ReportDisputeBody = {
  /** Where the charge was made. */
  readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
  /** The PSP's id of it: the same one again is the same dispute. */
  readonly psp_dispute_id: string;
  /** A fraud warning has no stage and no status. */
  readonly kind: 'dispute' | 'fraud_warning';
  /** How far it has come. */
  readonly stage?: 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';
  /** What is to be done, or how it ended. */
  readonly status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'prevented' | 'closed';
  /** When that became so: an older report never replaces a newer one. */
  readonly occurred_at: string;
  /** When it was opened. */
  readonly opened_at: string;
  /** When the charge was made. */
  readonly charged_at?: string;
  /** When the PSP wants the answer. */
  readonly respond_by?: string;
  /** The card's network. */
  readonly network?: string;
  /** The PSP's words for the reason. */
  readonly reason?: string;
  /** The network's code. */
  readonly reason_code?: string;
  /** What is disputed, as a decimal. */
  readonly amount?: number;
  /** Its currency. */
  readonly currency?: string;
  /** The PSP's id of the charge. */
  readonly charge_id?: string;
  /** Another name of the PSP's for the payment. */
  readonly transaction_id?: string;
  /** The network's id of the transaction. */
  readonly network_transaction_id?: string;
  /** The invoice. */
  readonly invoice_id?: string;
  /** The subscription. */
  readonly subscription_id?: string;
  /** The PSP's id of the customer. */
  readonly psp_customer_id?: string;
  /** The PSP's id of the method. */
  readonly payment_method_id?: string;
  /** The PSP's fingerprint of the card. */
  readonly card_fingerprint?: string;
  /** The address that was paid with; kept as a keyed hash alone. */
  readonly customer_email?: string;
};

export type ReportDisputeAnswer = {
  /** Our id of it. */
  readonly id: string;
};

export type ListDisputesQuery = {
  /** Only those of this status. */
  readonly status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'prevented' | 'closed';
  /** Only those of this stage. */
  readonly stage?: 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';
  /** Only those whose answer is due before. */
  readonly due_before?: string;
  /** The next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListDisputesAnswer = {
  readonly items: readonly {
    /** Our id of it. */
    readonly id: string;
    /** Where the charge was made. */
    readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
    /** The PSP's id of it. */
    readonly psp_dispute_id: string;
    /** Who told of it: the PSP, or you by POST /v1/disputes. */
    readonly origin: 'psp' | 'merchant';
    /** A fraud warning has no stage and no status. */
    readonly kind: 'dispute' | 'fraud_warning';
    /** Stage and status in one word. */
    readonly state: string;
    /** How far it has come. */
    readonly stage?: 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';
    /** What is to be done, or how it ended. */
    readonly status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'prevented' | 'closed';
    /** Since when, by the PSP. */
    readonly state_at: string;
    /** The card's network. */
    readonly network?: string;
    /** The PSP's words for the reason. */
    readonly reason?: string;
    /** The network's code. */
    readonly reason_code?: string;
    /** What the code is about. */
    readonly reason_family?: 'fraud' | 'authorisation' | 'processing' | 'consumer';
    /** What is disputed, as a decimal. */
    readonly amount?: number;
    /** Its currency. */
    readonly currency?: string;
    /** When it was opened. */
    readonly opened_at: string;
    /** When an answer is due. */
    readonly respond_by?: string;
    /** Who says so. */
    readonly respond_by_source?: string;
    /** False where it is reckoned and not the PSP's own date. */
    readonly is_psp_deadline?: boolean;
    /** Whole UTC days until then; negative when it is past. */
    readonly days_left?: number;
    /** The PSP's names of the payment. */
    readonly payment_ids: readonly string[];
    /** The invoice. */
    readonly invoice_id?: string;
    /** The subscription. */
    readonly subscription_id?: string;
    /** Your id of the customer. */
    readonly customer_id?: string;
    /** The PSP's id of the customer. */
    readonly psp_customer_id?: string;
    /** The PSP's id of the method. */
    readonly payment_method_id?: string;
    /** The network's id of the transaction. */
    readonly network_transaction_id?: string;
    /** What no signature of the PSP covers: read it there before you act on it. */
    readonly unsigned_fields: readonly string[];
    /** Whether its card is not charged. */
    readonly blocks_retries: boolean;
    /** Whether a capture of yours belongs to it. */
    readonly match_state: 'pending' | 'matched' | 'conflict' | 'review' | 'none';
    /** Who made the match; what a person confirmed stays. */
    readonly matched_by?: 'rule' | 'person';
    /** Whether what the event left out was read at the PSP: none where nobody can be asked, pending until it answers, failed when it did not for days. */
    readonly look_up: 'none' | 'pending' | 'done' | 'failed';
  }[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type ListDisputesItem = ListDisputesAnswer['items'][number];

export type ShowDisputeAnswer = {
  /** Our id of it. */
  readonly id: string;
  /** Where the charge was made. */
  readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
  /** The PSP's id of it. */
  readonly psp_dispute_id: string;
  /** Who told of it: the PSP, or you by POST /v1/disputes. */
  readonly origin: 'psp' | 'merchant';
  /** A fraud warning has no stage and no status. */
  readonly kind: 'dispute' | 'fraud_warning';
  /** Stage and status in one word. */
  readonly state: string;
  /** How far it has come. */
  readonly stage?: 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';
  /** What is to be done, or how it ended. */
  readonly status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'prevented' | 'closed';
  /** Since when, by the PSP. */
  readonly state_at: string;
  /** The card's network. */
  readonly network?: string;
  /** The PSP's words for the reason. */
  readonly reason?: string;
  /** The network's code. */
  readonly reason_code?: string;
  /** What the code is about. */
  readonly reason_family?: 'fraud' | 'authorisation' | 'processing' | 'consumer';
  /** What is disputed, as a decimal. */
  readonly amount?: number;
  /** Its currency. */
  readonly currency?: string;
  /** When it was opened. */
  readonly opened_at: string;
  /** When an answer is due. */
  readonly respond_by?: string;
  /** Who says so. */
  readonly respond_by_source?: string;
  /** False where it is reckoned and not the PSP's own date. */
  readonly is_psp_deadline?: boolean;
  /** Whole UTC days until then; negative when it is past. */
  readonly days_left?: number;
  /** The PSP's names of the payment. */
  readonly payment_ids: readonly string[];
  /** The invoice. */
  readonly invoice_id?: string;
  /** The subscription. */
  readonly subscription_id?: string;
  /** Your id of the customer. */
  readonly customer_id?: string;
  /** The PSP's id of the customer. */
  readonly psp_customer_id?: string;
  /** The PSP's id of the method. */
  readonly payment_method_id?: string;
  /** The network's id of the transaction. */
  readonly network_transaction_id?: string;
  /** What no signature of the PSP covers: read it there before you act on it. */
  readonly unsigned_fields: readonly string[];
  /** Whether its card is not charged. */
  readonly blocks_retries: boolean;
  /** Whether a capture of yours belongs to it. */
  readonly match_state: 'pending' | 'matched' | 'conflict' | 'review' | 'none';
  /** Who made the match; what a person confirmed stays. */
  readonly matched_by?: 'rule' | 'person';
  /** Whether what the event left out was read at the PSP: none where nobody can be asked, pending until it answers, failed when it did not for days. */
  readonly look_up: 'none' | 'pending' | 'done' | 'failed';
  /** Each change of the stage or the status, the first one first. */
  readonly history: readonly {
    /** A fraud warning has no stage and no status. */
    readonly kind: 'dispute' | 'fraud_warning';
    /** Stage and status in one word. */
    readonly state: string;
    /** How far it has come. */
    readonly stage?: 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';
    /** What is to be done, or how it ended. */
    readonly status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'prevented' | 'closed';
    /** By the PSP. */
    readonly occurred_at: string;
  }[];
  /** Captures that have something in common with it, the best first. */
  readonly matches: readonly {
    readonly analytics_id: string;
    /** 1 to 100; from 50 on it holds by itself. */
    readonly score: number;
    readonly reasons: readonly ('person' | 'charge' | 'transaction' | 'network_transaction' | 'invoice' | 'subscription' | 'invoice_part' | 'customer' | 'email_card_time' | 'email')[];
    /** Whether it is of an earlier charge. */
    readonly is_inherited: boolean;
  }[];
  /** Judged anew at each call; absent where the amount in dispute is not known. */
  readonly verdict?: {
    readonly rule_set: {
      readonly id: string;
      readonly version: string;
      readonly words: string;
      /** Whether no text of the network confirms the figures: a guide, no promise. */
      readonly unconfirmed: boolean;
    };
    /** Whether every rule passes. The bank still decides. */
    readonly eligible: boolean;
    /** What counts at the PSP. */
    readonly element_set: readonly string[];
    /** What is equal over all charges. */
    readonly matching: readonly string[];
    /** The earlier charges chosen. */
    readonly prior_charges: readonly string[];
    readonly rules: readonly {
      /** Which rule. */
      readonly id: 'network_reason' | 'kind_of_goods' | 'prior_count' | 'prior_standing' | 'prior_psp' | 'prior_window' | 'descriptor' | 'two_elements' | 'ip_or_device' | 'product_descriptions' | 'prior_references';
      /** What it asks. */
      readonly words: string;
      /** `missing`: something has to be added. */
      readonly result: 'pass' | 'fail' | 'missing';
      /** What was found; never a value of the customer. */
      readonly detail: string;
      /** What would make it pass. */
      readonly fix?: string;
    }[];
  };
  readonly submission?: {
    /** `staged` lies at the PSP and was not sent on; of `unknown` the PSP did not answer. */
    readonly state: 'staging' | 'staged' | 'submitting' | 'submitted' | 'failed' | 'unknown';
    /** What was answered: each stage has one answer. */
    readonly stage: 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';
    /** Where. */
    readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
    /** Of the packet that was staged last. */
    readonly content_hash: string;
    /** Why it failed, or is unknown. */
    readonly reason?: string;
    /** Since when. */
    readonly updated_at: string;
    /** When it was sent on, or found to be. */
    readonly submitted_at?: string;
  };
};

export type ShowEvidenceAnswer = {
  /** SHA-256 over the canonical JSON (RFC 8785) of `content`, in hexadecimal. */
  readonly content_hash: string;
  /** Judged anew at each call; absent where the amount in dispute is not known. */
  readonly verdict: {
    readonly rule_set: {
      readonly id: string;
      readonly version: string;
      readonly words: string;
      /** Whether no text of the network confirms the figures: a guide, no promise. */
      readonly unconfirmed: boolean;
    };
    /** Whether every rule passes. The bank still decides. */
    readonly eligible: boolean;
    /** What counts at the PSP. */
    readonly element_set: readonly string[];
    /** What is equal over all charges. */
    readonly matching: readonly string[];
    /** The earlier charges chosen. */
    readonly prior_charges: readonly string[];
    readonly rules: readonly {
      /** Which rule. */
      readonly id: 'network_reason' | 'kind_of_goods' | 'prior_count' | 'prior_standing' | 'prior_psp' | 'prior_window' | 'descriptor' | 'two_elements' | 'ip_or_device' | 'product_descriptions' | 'prior_references';
      /** What it asks. */
      readonly words: string;
      /** `missing`: something has to be added. */
      readonly result: 'pass' | 'fail' | 'missing';
      /** What was found; never a value of the customer. */
      readonly detail: string;
      /** What would make it pass. */
      readonly fix?: string;
    }[];
  };
  /** The packet, as it is hashed: dispute, charge, priors, verdict and timeline. It holds personal data in clear text. */
  readonly content: Readonly<Record<string, unknown>>;
  /** The packet in the form of its PSP, with what that has no room for. */
  readonly psp_evidence: {
    /** Whose form it is. */
    readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
    /** Absent where it takes the PDF alone. */
    readonly body?: unknown;
    readonly left_out: readonly {
      readonly field: string;
      readonly why: string;
    }[];
  };
};

export type StateEvidenceBody = {
  /** What was sold: of the disputed charge, and of all charges of its subscription. */
  readonly product_description?: string;
  /** Stripe and Checkout.com ask for it. */
  readonly merchandise_or_services?: 'merchandise' | 'services';
  /** When the customer was given it. */
  readonly provided_at?: string;
  /** What statements say, of all charges. */
  readonly descriptor?: string;
  /** Whether customers sign in with the captured e-mail address. */
  readonly email_is_login?: boolean;
  /** What holds for single charges. */
  readonly charges?: readonly {
    /** The PSP's id of the charge. */
    readonly charge_id: string;
    /** Its acquirer reference number. */
    readonly arn?: string;
    /** What the statement says. */
    readonly descriptor?: string;
    /** What was sold. */
    readonly product_description?: string;
  }[];
};

export type StateEvidenceAnswer = {
  /** Our id of it. */
  readonly id: string;
};

export type SubmitDisputeBody = {
  /** Lays the evidence at the PSP, and sends nothing on. Default: false. */
  readonly stage_only?: boolean;
};

export type SubmitDisputeAnswer = {
  /** `staged` lies at the PSP and was not sent on; of `unknown` the PSP did not answer. */
  readonly state: 'staging' | 'staged' | 'submitting' | 'submitted' | 'failed' | 'unknown';
  /** What was answered: each stage has one answer. */
  readonly stage: 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';
  /** Where. */
  readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
  /** Of the packet that was staged last. */
  readonly content_hash: string;
  /** Why it failed, or is unknown. */
  readonly reason?: string;
  /** Since when. */
  readonly updated_at: string;
  /** When it was sent on, or found to be. */
  readonly submitted_at?: string;
};

export type LookUpOrderBody = {
  /** The card's first digits. */
  readonly card_bin: string;
  /** Its last four. */
  readonly card_last4?: string;
  /** What was charged, as a decimal. */
  readonly amount: number;
  /** Its currency. */
  readonly currency: string;
  /** The day of the charge; a day more or less is looked at. */
  readonly transaction_date: string;
  /** What the statement says. */
  readonly descriptor?: string;
};

export type LookUpOrderAnswer = {
  /** Whether one charge fits. */
  readonly result: 'found' | 'none' | 'ambiguous';
  readonly not_compared: readonly ('card_last4' | 'descriptor')[];
  readonly order?: {
    readonly charge_id: string;
    /** Where the charge was made. */
    readonly psp: 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';
    readonly amount: number;
    readonly currency: string;
    /** When. */
    readonly charged_at: string;
    readonly invoice_id: string;
    readonly subscription_id?: string;
    readonly customer_id: string;
    /** The subscription's product. */
    readonly product?: string;
    /** Whether an earlier charge of its subscription is known. */
    readonly is_renewal: boolean;
    /** In clear text; the audit log says that it was read. */
    readonly checkout?: {
      /** When the customer checked out. */
      readonly captured_at?: string;
      /** Of an earlier charge. */
      readonly is_inherited: boolean;
      readonly customer_email: string;
      readonly ipv4_address: string;
      readonly user_agent?: string;
    };
  };
};

export type ConfirmMatchBody = {
  /** The capture that belongs to the dispute. */
  readonly analytics_id: string;
};

export type ConfirmMatchAnswer = {
  /** Our id of it. */
  readonly id: string;
  readonly analytics_id: string;
};

export type PingAnswer = {
  readonly status: string;
};

/** Every operation of the disputes API. */
export interface DisputesOperations {
  /** Submit what a checkout captured. The answer means that it is durable. The same content again has the same id, and changes nothing. `/v1/analytics` without the slash is the same. */
  createAnalytics(body: CreateAnalyticsBody, options?: CallOptions): Promise<CreateAnalyticsAnswer>;

  /** Show what was kept. The names of the fields that are kept, what it lacks to be evidence, and the payments and disputes that it belongs to, with the reasons. */
  showAnalytics(id: string, options?: CallOptions): Promise<ShowAnalyticsAnswer>;

  /** Erase a customer. Destroys the key that opens the captures of the customer, the indexes that find them and the ids in them; captures without a customer id that carry his e-mail address are his too. A repetition answers the same. */
  eraseCustomer(customerId: string, options?: CallOptions): Promise<EraseCustomerAnswer>;

  /** Report a dispute. For PSPs whose webhooks do not come here. The answer means that it is durable, and that the open retries of its card are stopped. Each report of the same dispute updates it. */
  reportDispute(body: ReportDisputeBody, options?: CallOptions): Promise<ReportDisputeAnswer>;

  /** List disputes and fraud warnings. The newest first. */
  listDisputes(query?: ListDisputesQuery, options?: CallOptions): Promise<ListDisputesAnswer>;

  /** Every item of `listDisputes`, page after page. */
  iterateDisputes(query?: ListDisputesQuery, options?: CallOptions): AsyncGenerator<ListDisputesItem>;

  /** Show a dispute. Its state, deadline and history, the captures that match it with reasons, the verdict on it and the answer that it was given. */
  showDispute(id: string, options?: CallOptions): Promise<ShowDisputeAnswer>;

  /** Show a dispute's evidence. JSON, or with `Accept: application/pdf` a document for people. The same facts give the same bytes; the ETag holds the content hash. Captures are opened for it, and the audit log says so. */
  showEvidence(id: string, options?: CallOptions): Promise<ShowEvidenceAnswer>;

  /** Add to a dispute's evidence. What only you know of its charges. It replaces what you stated before. Name no person in it: what tells of customers belongs into captures, which are sealed. */
  stateEvidence(id: string, body: StateEvidenceBody, options?: CallOptions): Promise<StateEvidenceAnswer>;

  /** Answer a dispute at its PSP. The evidence is staged at the PSP, then sent on: once for each stage of the dispute. A repetition answers the same submission. Where the PSP's answer is lost, its record says what became of it, and nothing is sent blindly. */
  submitDispute(id: string, body: SubmitDisputeBody, options?: CallOptions): Promise<SubmitDisputeAnswer>;

  /** Look up the order behind a charge. For networks' order look-ups before a dispute is filed. Amount, day and the card's first digits have to name one charge alone: of several none is told of. */
  lookUpOrder(body: LookUpOrderBody, options?: CallOptions): Promise<LookUpOrderAnswer>;

  /** Say which capture belongs to a dispute. For conflicts, weak candidates and wrong matches: any capture of yours. No rule takes it back; another choice replaces it. */
  confirmMatch(id: string, body: ConfirmMatchBody, options?: CallOptions): Promise<ConfirmMatchAnswer>;

  /** Check the service and your credentials. Answers 200 when the service runs and the credentials are valid. */
  ping(options?: CallOptions): Promise<PingAnswer>;
}

export const disputesOperations = {
  createAnalytics: { method: 'POST', path: '/v1/analytics/', pathNames: [], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  showAnalytics: { method: 'GET', path: '/v1/analytics/{id}', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  eraseCustomer: { method: 'DELETE', path: '/v1/customers/{customer_id}', pathNames: ['customer_id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  reportDispute: { method: 'POST', path: '/v1/disputes', pathNames: [], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  listDisputes: { method: 'GET', path: '/v1/disputes', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json' },
  iterateDisputes: { method: 'GET', path: '/v1/disputes', pathNames: [], hasBody: false, hasQuery: true, hasKey: false, isRepeatable: true, form: 'json', pages: 'items' },
  showDispute: { method: 'GET', path: '/v1/disputes/{id}', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  showEvidence: { method: 'GET', path: '/v1/disputes/{id}/evidence', pathNames: ['id'], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
  stateEvidence: { method: 'POST', path: '/v1/disputes/{id}/evidence', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  submitDispute: { method: 'POST', path: '/v1/disputes/{id}/submit', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  lookUpOrder: { method: 'POST', path: '/v1/orders/lookup', pathNames: [], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  confirmMatch: { method: 'POST', path: '/v1/disputes/{id}/match', pathNames: ['id'], hasBody: true, hasQuery: false, hasKey: false, isRepeatable: false, form: 'json' },
  ping: { method: 'GET', path: '/', pathNames: [], hasBody: false, hasQuery: false, hasKey: false, isRepeatable: true, form: 'json' },
} satisfies OperationTable;
