// Generated from openapi/operator.json by npm run generate; do not edit.
import type { FigureJson, UpliftVerdictJson, VerdictResultJson } from './overview.ts';

/** How the merchant's customers are written to. */
export type MessageSettingsJson = {
  /** Whether customers are written to. */
  readonly on: boolean;
  /** IANA name; used for customers whose own zone is not known. */
  readonly time_zone: string;
  /** From this hour on nothing is sent; equal to quiet_until: no quiet hours. */
  readonly quiet_from: number;
  /** Until this hour. */
  readonly quiet_until: number;
  /** Messages about one payment. */
  readonly max_messages: number;
  /** Hours from the beginning of the wait to the first message. */
  readonly first_after_hours: number;
  /** Hours between two messages about one payment. */
  readonly gap_hours: number;
  /** Share of payments whose customers are never written to, to compare with. */
  readonly holdout_share: number;
  /** A language tag, such as en or pt-BR. */
  readonly language: string;
  /** The sender of messages, such as Acme <billing@acme.example>. */
  readonly sender?: string;
  readonly reply_to?: string;
  /** What is missing before messages can be switched on. */
  readonly missing: readonly string[];
  /** Every text that is used. */
  readonly templates: readonly MessageTemplateJson[];
};

/** A text of one reason and language. */
export type MessageTemplateJson = {
  /** Why the customer is written to. */
  readonly reason: MessageReasonJson;
  readonly language: string;
  /** One line. {merchant}, {amount}, {invoice_id}, {link}, {until} are replaced by their values; {link} only in the body. */
  readonly subject: string;
  /** Plain text with {link} in it. How to stop messages is added below it. */
  readonly body: string;
  /** The merchant's own text, in place of Recoup's. */
  readonly is_own: boolean;
};

/** Why the customer is written to. */
export type MessageReasonJson = 'expired_card' | 'closed_card' | 'card_details' | 'authentication' | 'contact_bank' | 'insufficient_funds' | 'other' | 'card_expiring';

export type CustomerMessageStateJson = 'sending' | 'sent' | 'refused' | 'bounced' | 'given_up';

/** A message to a customer. The recipient is not shown. */
export type CustomerMessageJson = {
  /** As the message itself names it (X-Recoup-Message). */
  readonly id: string;
  /** The payment that it is about. */
  readonly invoice_id?: string;
  /** Or the card that expires before it is charged again. */
  readonly payment_method_id?: string;
  /** Its number among the messages about its payment. */
  readonly number: number;
  readonly reason: string;
  readonly language: string;
  /** `refused`: the mail server rejected the recipient. `given_up`: no server accepted it, or it was no longer to be sent. */
  readonly state: CustomerMessageStateJson;
  /** Sends that were started. */
  readonly tries: number;
  /** When it was recorded, before it was sent. */
  readonly created_at: string;
  /** When it was accepted, refused or given up. */
  readonly ended_at?: string;
  /** Why it was not accepted the last time. */
  readonly last_error?: string;
};

/** What is recovered with messages, and without. */
export type MessageReportJson = {
  /** Messages that a mail server accepted. */
  readonly sent: number;
  /** Messages that were refused or bounced. */
  readonly bounced: number;
  /** Customers who opted out or complained. */
  readonly stopped: number;
  /** By currency. verdict is computed as in the uplift report, with the payments with messages as its learned arm. */
  readonly currencies: readonly MessageComparisonJson[];
  /** Messages about cards. Absent if there are no cards. */
  readonly cards?: CardComparisonJson;
};

export type MessageComparisonJson = {
  readonly currency: string;
  readonly messages: MessageArmJson;
  readonly holdout: MessageArmJson;
  /** What the learned policy recovered more than the holdout, of payments of the same merchants and weeks. The same figures wherever it is shown; docs/uplift.md has the formulas. */
  readonly verdict?: UpliftVerdictJson;
};

export type MessageArmJson = {
  /** Payments that began to wait for a customer whose address was known. */
  readonly payments: number;
  /** Those that have not ended yet. */
  readonly open: number;
  /** The sum of their amounts. */
  readonly failed_amount: number;
  /** Recovered by a retry, or paid in another way. */
  readonly recovered: number;
  readonly recovered_amount: number;
  /** recovered, of payments. */
  readonly recovered_rate?: FigureJson;
};

/** Messages about cards. Absent if there are no cards. */
export type CardComparisonJson = {
  readonly messages: CardArmJson;
  readonly holdout: CardArmJson;
  /** Whether one arm brings more money than the holdout, such as the learned policy: `not_significant` where the interval of the difference holds zero, `too_few` where fewer than 20 groups of payers are of an arm. */
  readonly result?: VerdictResultJson;
  /** The difference of the two rates. */
  readonly rate?: FigureJson;
};

export type CardArmJson = {
  /** Cards that expire before they are charged again, of customers whose address was known. */
  readonly cards: number;
  /** Those neither replaced nor charged yet. */
  readonly open: number;
  /** Replaced in time, or charged successfully anyway. */
  readonly kept: number;
  /** kept, of cards. */
  readonly kept_rate?: FigureJson;
};

export type ChangeMessageSettingsBody = {
  /** Whether customers are written to. */
  readonly on?: boolean;
  /** IANA name; used for customers whose own zone is not known. */
  readonly time_zone?: string;
  /** From this hour on nothing is sent; equal to quiet_until: no quiet hours. */
  readonly quiet_from?: number;
  /** Until this hour. */
  readonly quiet_until?: number;
  /** Messages about one payment. */
  readonly max_messages?: number;
  /** Hours from the beginning of the wait to the first message. */
  readonly first_after_hours?: number;
  /** Hours between two messages about one payment. */
  readonly gap_hours?: number;
  /** Share of payments whose customers are never written to, to compare with. */
  readonly holdout_share?: number;
  /** A language tag, such as en or pt-BR. */
  readonly language?: string;
  /** The sender of messages, such as Acme <billing@acme.example>. */
  readonly sender?: string;
  /** Where replies go; to the sender if not set. */
  readonly reply_to?: string;
};

export type SetMessageTemplateBody = {
  /** One line. {merchant}, {amount}, {invoice_id}, {link}, {until} are replaced by their values; {link} only in the body. */
  readonly subject: string;
  /** Plain text with {link} in it. How to stop messages is added below it. */
  readonly body: string;
};

export type TestMessageBody = {
  /** An e-mail address. */
  readonly to: string;
  /** Why the customer is written to. */
  readonly reason: MessageReasonJson;
  /** A language tag, such as en or pt-BR. */
  readonly language: string;
};

export type TestMessageAnswer = {
  /** Whether the mail server accepted it. */
  readonly sent: boolean;
  /** Why it did not. */
  readonly detail?: string;
};

export type SuppressMessagesBody = {
  /** An e-mail address. */
  readonly email: string;
  /** false: allow them again. */
  readonly suppressed: boolean;
};

export type SuppressMessagesAnswer = {
  /** False if it was already so. */
  readonly changed: boolean;
};

export type ListCustomerMessagesQuery = {
  /** Only those in this state. */
  readonly state?: CustomerMessageStateJson;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListCustomerMessagesAnswer = {
  readonly items: readonly CustomerMessageJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type ShowMessageReportQuery = {
  /** Only payments that began to wait from then on. */
  readonly since?: string;
};
