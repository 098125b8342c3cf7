// Generated from openapi/operator.json by npm run generate; do not edit.

export type FeeTotalJson = {
  /** Such as visa. */
  readonly network: string;
  /** The rule that it is charged under; see docs/network-rules.md. */
  readonly rule: string;
  /** What the rule says; absent for a rule that no longer exists. */
  readonly meaning?: string;
  readonly currency: string;
  /** For charges that were made, Recoup's own and reported ones. */
  readonly expected: number;
  readonly expected_count: number;
  /** For charges that the rule prevented. */
  readonly avoided: number;
  readonly avoided_count: number;
};

export type CardNearLimitJson = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  /** The card's fingerprint, or its method's id; no number. */
  readonly card: string;
  /** Where it is charged. */
  readonly acceptor: string;
  /** Whose limit it is. */
  readonly network: string;
  /** Visa counts separately by who initiated the charge and by credential. */
  readonly counter?: string;
  /** Declined charges in the last 30 days that count towards the limit. */
  readonly tries: number;
  /** How many the network allows. */
  readonly most: number;
  /** When the last one was made. */
  readonly last_at: string;
  /** When the oldest one stops counting. */
  readonly oldest_leaves_at: string;
  /** Of the last one. */
  readonly payment_method_id: string;
  /** Of the last one. */
  readonly invoice_id: string;
};

export type ListFeesQuery = {
  /** Of charges at this time or later. Without it: from the first. */
  readonly from?: string;
  /** Of charges before this time. Without it: to the last. */
  readonly to?: string;
};

export type ListFeesAnswer = {
  /** The edition of the rules. */
  readonly rule_pack_version: string;
  readonly items: readonly FeeTotalJson[];
};

export type ListCardsNearLimitQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListCardsNearLimitAnswer = {
  readonly items: readonly CardNearLimitJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};
