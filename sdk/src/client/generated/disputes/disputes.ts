// Generated from openapi/disputes.json by npm run generate; do not edit.
import type { MatchReason, MatchState, Psp } from './analytics.ts';

/** A fraud warning has no stage and no status. */
export type DisputeKind = 'dispute' | 'fraud_warning';

export type DisputeStage = 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';

export type DisputeStatus = 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'prevented' | 'closed';

export type DisputeSummary = {
  /** Our id of it. */
  readonly id: string;
  /** Where the charge was made. */
  readonly psp: Psp;
  /** The PSP's id of it. */
  readonly psp_dispute_id: string;
  /** Who reported it: the PSP, or you by POST /v1/disputes. */
  readonly origin: 'psp' | 'merchant';
  /** A fraud warning has no stage and no status. */
  readonly kind: DisputeKind;
  /** Stage and status in one word. */
  readonly state: string;
  /** How far it has come. */
  readonly stage?: DisputeStage;
  /** What is to be done, or how it ended. */
  readonly status?: DisputeStatus;
  /** Since when, by the PSP. */
  readonly state_at: string;
  /** The card's network. */
  readonly network?: string;
  /** The PSP's words for the reason. */
  readonly reason?: string;
  /** The network's code. */
  readonly reason_code?: string;
  /** What the code is about. */
  readonly reason_family?: ReasonFamily;
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
  /** Whether retries on its card are stopped: while it is open, and after a fraud warning. */
  readonly blocks_retries: boolean;
  /** Whether an analytics record of yours belongs to it. */
  readonly match_state: MatchState;
  /** Who made the match; what a person confirmed stays. */
  readonly matched_by?: 'rule' | 'person';
  /** Whether what the event left out was read at the PSP: none where nobody can be asked, pending until it answers, failed when it did not for days. */
  readonly look_up: 'none' | 'pending' | 'done' | 'failed';
};

/** What the code is about. */
export type ReasonFamily = 'fraud' | 'authorisation' | 'processing' | 'consumer';

export type Dispute = DisputeSummary & {
  /** Each change of the stage or the status, the first one first. */
  readonly history: readonly DisputeChange[];
  /** Analytics records that have something in common with it, the best first. */
  readonly matches: readonly Match[];
  /** Judged again at each call; absent where the amount in dispute is not known. */
  readonly verdict?: Verdict;
  readonly submission?: Submission;
  readonly acceptance?: DisputeAcceptance;
  /** Why it cannot be answered through its PSP now; absent where it can. */
  readonly obstacle?: Obstacle;
  /** Why it cannot be accepted through its PSP now; absent where it can. */
  readonly accept_obstacle?: AcceptObstacle;
};

export type DisputeChange = {
  /** A fraud warning has no stage and no status. */
  readonly kind: DisputeKind;
  /** Stage and status in one word. */
  readonly state: string;
  /** How far it has come. */
  readonly stage?: DisputeStage;
  /** What is to be done, or how it ended. */
  readonly status?: DisputeStatus;
  /** By the PSP. */
  readonly occurred_at: string;
};

export type Match = {
  readonly analytics_id: string;
  /** 1 to 100; from 50 on it holds by itself. */
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  /** Whether it is of an earlier charge. */
  readonly is_inherited: boolean;
};

/** Judged again at each call; absent where the amount in dispute is not known. */
export type Verdict = {
  readonly rule_set: RuleSet;
  /** Whether the test is for the dispute's reason; with `no`, or while the reason is not known, the rules say nothing of the dispute. */
  readonly applies: 'yes' | 'no' | 'unknown';
  /** Whether every rule passes. The bank still decides. */
  readonly eligible: boolean;
  /** What counts at the PSP. */
  readonly element_set: readonly string[];
  /** What is equal over all charges. */
  readonly matching: readonly string[];
  /** The earlier charges chosen. */
  readonly prior_charges: readonly string[];
  readonly rules: readonly Rule[];
};

export type RuleSet = {
  readonly id: string;
  readonly version: string;
  readonly words: string;
  /** Whether no text of the network confirms the figures: a guide, no promise. */
  readonly unconfirmed: boolean;
};

export type Rule = {
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
};

export type Submission = {
  /** `staged` lies at the PSP and was not sent on; of `unknown` the PSP did not answer. */
  readonly state: 'staging' | 'staged' | 'submitting' | 'submitted' | 'failed' | 'unknown';
  /** What was answered: each stage has one answer. */
  readonly stage: DisputeStage;
  /** Where. */
  readonly psp: Psp;
  /** Of the packet that was staged last. */
  readonly content_hash: string;
  /** Why it failed, or is unknown. */
  readonly reason?: string;
  /** Since when. */
  readonly updated_at: string;
  /** When it was sent on, or found to be. */
  readonly submitted_at?: string;
  /** True where the PSP asks for another answer to the same stage: submit again. */
  readonly is_asked_again?: boolean;
};

export type DisputeAcceptance = {
  /** `accepted`: what is disputed is given away, for good. Of `unknown` the PSP did not answer. */
  readonly state: 'accepting' | 'accepted' | 'failed' | 'unknown';
  /** What is not contested: each stage has one answer. */
  readonly stage: DisputeStage;
  /** Where. */
  readonly psp: Psp;
  /** Why it failed, or is unknown. */
  readonly reason?: string;
  /** Since when. */
  readonly updated_at: string;
};

/** Why it cannot be answered through its PSP now; absent where it can. */
export type Obstacle = {
  /** What stands in the way. */
  readonly kind: 'no_dispute' | 'no_amount' | 'not_open' | 'past_deadline' | 'not_connected' | 'by_hand' | 'no_staging' | 'accepted' | 'accepting';
  /** In a sentence, with what to do. */
  readonly message: string;
};

/** Why it cannot be accepted through its PSP now; absent where it can. */
export type AcceptObstacle = {
  /** What stands in the way. */
  readonly kind: 'no_dispute' | 'not_open' | 'past_deadline' | 'not_connected' | 'by_hand' | 'not_in_this_stage' | 'answered' | 'answering';
  /** In a sentence, with what to do. */
  readonly message: string;
};

export type ReportDisputeBody = {
  /** Where the charge was made. */
  readonly psp: Psp;
  /** The PSP's id of it: the same one again is the same dispute. */
  readonly psp_dispute_id: string;
  /** A fraud warning has no stage and no status. */
  readonly kind: DisputeKind;
  /** How far it has come. */
  readonly stage?: DisputeStage;
  /** What is to be done, or how it ended. */
  readonly status?: DisputeStatus;
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
  readonly status?: DisputeStatus;
  /** Only those of this stage. */
  readonly stage?: DisputeStage;
  /** Only those whose answer is due before. */
  readonly due_before?: string;
  /** The next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListDisputesAnswer = {
  readonly items: readonly DisputeSummary[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type SubmitDisputeBody = {
  /** Lays the evidence at the PSP, and sends nothing on. Default: false. */
  readonly stage_only?: boolean;
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
    readonly psp: Psp;
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
  /** The analytics record that belongs to the dispute. */
  readonly analytics_id: string;
};

export type ConfirmMatchAnswer = {
  /** Our id of it. */
  readonly id: string;
  readonly analytics_id: string;
};
