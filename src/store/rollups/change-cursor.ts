/** Where a count of changed rows stands: the last one that was counted. */
export interface ChangeCursor {
  /** As PostgreSQL writes it: a Date would cut its microseconds, and come before its own row. */
  readonly at: string;
  readonly merchantId: string;
  /** Of the invoice, or whatever else changed. */
  readonly id: string;
}

export interface CountedStep {
  readonly counted: number;
  readonly last: ChangeCursor;
}
