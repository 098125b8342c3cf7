// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';

export type DisputeStatusJson = 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'prevented' | 'closed';

export type DisputeSummaryJson = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  /** Our id of it. */
  readonly id: string;
  /** Where the charge was made. */
  readonly psp: PspJson;
  /** The PSP's id of it. */
  readonly psp_dispute_id: string;
  /** Who reported it: the PSP, or you by POST /v1/disputes. */
  readonly origin: 'psp' | 'merchant';
  /** A fraud warning has no stage and no status. */
  readonly kind: DisputeKindJson;
  /** Stage and status in one word. */
  readonly state: string;
  /** How far it has come. */
  readonly stage?: DisputeStageJson;
  /** What is to be done, or how it ended. */
  readonly status?: DisputeStatusJson;
  /** Since when, by the PSP. */
  readonly state_at: string;
  /** The card's network. */
  readonly network?: string;
  /** The PSP's words for the reason. */
  readonly reason?: string;
  /** The network's code. */
  readonly reason_code?: string;
  /** What the code is about. */
  readonly reason_family?: ReasonFamilyJson;
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
  readonly match_state: MatchStateJson;
  /** Who made the match; what a person confirmed stays. */
  readonly matched_by?: 'rule' | 'person';
  /** Whether what the event left out was read at the PSP: none where nobody can be asked, pending until it answers, failed when it did not for days. */
  readonly look_up: 'none' | 'pending' | 'done' | 'failed';
  /** Who works on it; absent: nobody. */
  readonly assignee?: AssigneeJson;
};

/** A fraud warning has no stage and no status. */
export type DisputeKindJson = 'dispute' | 'fraud_warning';

export type DisputeStageJson = 'inquiry' | 'pre_dispute' | 'chargeback' | 'pre_arbitration' | 'arbitration' | 'compliance';

/** What the code is about. */
export type ReasonFamilyJson = 'fraud' | 'authorisation' | 'processing' | 'consumer';

/** Whether an analytics record of yours belongs to it. */
export type MatchStateJson = 'pending' | 'matched' | 'conflict' | 'review' | 'none';

/** Who works on it; absent: nobody. */
export type AssigneeJson = {
  readonly id: string;
  readonly name: string;
};

/** The dispute. */
export type DisputeJson = DisputeSummaryJson & {
  /** Each change of the stage or the status, the first one first. */
  readonly history: readonly DisputeChangeJson[];
  /** Analytics records that have something in common with it, the best first. */
  readonly matches: readonly MatchJson[];
  /** Judged again at each call; absent where the amount in dispute is not known. */
  readonly verdict?: VerdictJson;
  readonly submission?: SubmissionJson;
  readonly acceptance?: DisputeAcceptanceJson;
  /** Why it cannot be answered through its PSP now; absent where it can. */
  readonly obstacle?: ObstacleJson;
  /** Why it cannot be accepted through its PSP now; absent where it can. */
  readonly accept_obstacle?: AcceptObstacleJson;
  /** Newest last; absent for callers who may not read evidence. */
  readonly notes?: readonly DisputeNoteJson[];
};

export type DisputeChangeJson = {
  /** A fraud warning has no stage and no status. */
  readonly kind: DisputeKindJson;
  /** Stage and status in one word. */
  readonly state: string;
  /** How far it has come. */
  readonly stage?: DisputeStageJson;
  /** What is to be done, or how it ended. */
  readonly status?: DisputeStatusJson;
  /** By the PSP. */
  readonly occurred_at: string;
};

export type MatchJson = {
  readonly analytics_id: string;
  /** 1 to 100; from 50 on it holds by itself. */
  readonly score: number;
  readonly reasons: readonly MatchReasonJson[];
  /** Whether it is of an earlier charge. */
  readonly is_inherited: boolean;
};

/** What both have in common. */
export type MatchReasonJson = 'person' | 'charge' | 'transaction' | 'network_transaction' | 'invoice' | 'subscription' | 'invoice_part' | 'customer' | 'email_card_time' | 'email';

/** Judged again at each call; absent where the amount in dispute is not known. */
export type VerdictJson = {
  readonly rule_set: RuleSetJson;
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
  readonly rules: readonly RuleJson[];
};

export type RuleSetJson = {
  readonly id: string;
  readonly version: string;
  readonly words: string;
  /** Whether no text of the network confirms the figures: a guide, no promise. */
  readonly unconfirmed: boolean;
};

export type RuleJson = {
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

export type SubmissionJson = {
  /** `staged` lies at the PSP and was not sent on; of `unknown` the PSP did not answer. */
  readonly state: 'staging' | 'staged' | 'submitting' | 'submitted' | 'failed' | 'unknown';
  /** What was answered: each stage has one answer. */
  readonly stage: DisputeStageJson;
  /** Where. */
  readonly psp: PspJson;
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

export type DisputeAcceptanceJson = {
  /** `accepted`: what is disputed is given away, for good. Of `unknown` the PSP did not answer. */
  readonly state: 'accepting' | 'accepted' | 'failed' | 'unknown';
  /** What is not contested: each stage has one answer. */
  readonly stage: DisputeStageJson;
  /** Where. */
  readonly psp: PspJson;
  /** Why it failed, or is unknown. */
  readonly reason?: string;
  /** Since when. */
  readonly updated_at: string;
};

/** Why it cannot be answered through its PSP now; absent where it can. */
export type ObstacleJson = {
  /** What stands in the way. */
  readonly kind: 'no_dispute' | 'no_amount' | 'not_open' | 'past_deadline' | 'not_connected' | 'by_hand' | 'no_staging' | 'accepted' | 'accepting';
  /** In a sentence, with what to do. */
  readonly message: string;
};

/** Why it cannot be accepted through its PSP now; absent where it can. */
export type AcceptObstacleJson = {
  /** What stands in the way. */
  readonly kind: 'no_dispute' | 'not_open' | 'past_deadline' | 'not_connected' | 'by_hand' | 'not_in_this_stage' | 'answered' | 'answering';
  /** In a sentence, with what to do. */
  readonly message: string;
};

export type DisputeNoteJson = {
  readonly id: string;
  /** The operator who wrote it; absent: the shared operator token. */
  readonly author_id?: string;
  /** Absent if they are not an operator of this cell. */
  readonly author_name?: string;
  readonly text: string;
  /** When. */
  readonly written_at: string;
  /** Whether you wrote it or are an administrator. */
  readonly is_removable: boolean;
};

export type ListDisputesQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Only those of this status. */
  readonly status?: DisputeStatusJson;
  /** Only those assigned to this person: the id of an operator, `me`, or `none` for nobody. */
  readonly assigned_to?: string;
  /** Only those whose answer is due before. */
  readonly due_before?: string;
  /** With order deadline: only those whose answer is due at this time or later. */
  readonly due_from?: string;
  /** deadline: those that await an answer, soonest first, with those without a known date last. Default: newest. */
  readonly order?: 'newest' | 'deadline';
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListDisputesAnswer = {
  readonly items: readonly DisputeSummaryJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type SubmitDisputeBody = {
  /** Lays the evidence at the PSP, and sends nothing on. Default: false. */
  readonly stage_only?: boolean;
};

export type AssignDisputeBody = {
  /** Who is assigned from now on: the id of an operator, `me`, or `none` for nobody. */
  readonly assigned_to: string;
};

export type AssignDisputeAnswer = {
  /** The dispute's id. */
  readonly id: string;
  /** Who works on it; absent: nobody. */
  readonly assignee?: AssigneeJson;
};

export type ShowAssigneesQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
};

export type ShowAssigneesAnswer = {
  readonly assignees: readonly AssigneeJson[];
  /** Your own id, if you are one of them. */
  readonly me?: string;
};

export type AddDisputeNoteBody = {
  /** What was found out, for the others who work on it. */
  readonly text: string;
};

export type ConfirmMatchBody = {
  /** An analytics record of the merchant's. */
  readonly analytics_id: string;
};

export type ConfirmMatchAnswer = {
  /** The dispute's id. */
  readonly id: string;
  /** Its match. */
  readonly analytics_id: string;
};
