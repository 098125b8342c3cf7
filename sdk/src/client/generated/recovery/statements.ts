// Generated from openapi/recovery.json by npm run generate; do not edit.

export type Statement = {
  /** The form of this statement. */
  readonly version: number;
  readonly merchant_id: string;
  /** The UTC day. */
  readonly day: string;
  /** The `hash` of the day before; zeros in your first statement. */
  readonly previous_hash: string;
  /** SHA-256, in hexadecimal, of this statement without `hash` as canonical JSON (RFC 8785). */
  readonly hash: string;
  /** One for each account and currency, of what happened on the day. */
  readonly accounts: readonly StatedAccount[];
  /** The day's events, by their state at its end. */
  readonly events: StatedEvents;
  /** What became known on the day of days before: to be added to their statements. Figures may be negative. */
  readonly corrections: {
    readonly accounts: readonly AccountCorrection[];
    readonly events: readonly EventCorrection[];
  };
};

export type StatedAccount = {
  readonly psp: string;
  /** Which of your accounts at this PSP: the first is 1. 0 where it is not known. */
  readonly connection_version: number;
  /** Empty for incidents that have no amount. */
  readonly currency: string;
  /** Charges that the PSP answered, declined ones among them. */
  readonly attempts: StatedSum;
  /** Charges that succeeded at the PSP. */
  readonly successes: StatedSum;
  /** Payments that were recovered. */
  readonly recovered: StatedSum;
  /** Successes that your webhook was or will be sent. */
  readonly announced: StatedSum;
  /** Refunds of incidents. */
  readonly refunds: StatedSum;
  /** Incidents that were opened. */
  readonly incidents: StatedSum;
};

export type StatedSum = {
  readonly count: number;
  readonly amount_minor: number;
};

/** The day's events, by their state at its end. */
export type StatedEvents = {
  readonly created: number;
  readonly delivered: number;
  readonly pending: number;
  readonly given_up: number;
};

export type AccountCorrection = StatedAccount & {
  /** The day that is corrected. */
  readonly day: string;
};

export type EventCorrection = {
  /** The day on which the events were created. */
  readonly day: string;
  readonly created: number;
  readonly delivered: number;
  readonly pending: number;
  readonly given_up: number;
};

export type ListStatementsQuery = {
  /** Only statements after this one: a next_cursor, or a day that you have. */
  readonly cursor?: string;
  /** Items on a page. */
  readonly limit?: number;
};

export type ListStatementsAnswer = {
  readonly statements: readonly Statement[];
  /** Where the next page begins. Absent on the last one. */
  readonly next_cursor?: string;
};
