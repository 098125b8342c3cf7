// Generated from openapi/operator.json by npm run generate; do not edit.

/** What kind of work it is. */
export type WorkKindJson = 'payment' | 'charge' | 'delivery' | 'endpoint_delivery' | 'request';

/** A failed job that is not run again until somebody retries it. */
export type SetAsideJson = {
  /** What kind of work it is. */
  readonly kind: WorkKindJson;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  /** The invoice of a payment, the key of a charge, the event of a delivery (of one to a further endpoint with a colon and its id behind), the sequence number of a request. */
  readonly id: string;
  readonly invoice_id?: string;
  /** The last fault, or why it was given up. */
  readonly reason: string;
  /** How often in a row it failed. */
  readonly failures: number;
  /** Since when it is no longer due. */
  readonly set_aside_at: string;
};

export type ListSetAsideQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** What kind of work it is. */
  readonly kind?: WorkKindJson;
  /** Only what is of this invoice. */
  readonly invoice_id?: string;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListSetAsideAnswer = {
  readonly items: readonly SetAsideJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type RetrySetAsideBody = {
  /** What kind of work it is. */
  readonly kind: WorkKindJson;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  /** The invoice of a payment, the key of a charge, the event of a delivery (of one to a further endpoint with a colon and its id behind), the sequence number of a request. */
  readonly id: string;
};

export type RetrySetAsideAnswer = {
  readonly retried: boolean;
};
