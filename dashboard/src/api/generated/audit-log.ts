// Generated from openapi/operator.json by npm run generate; do not edit.

export type AuditLineJson = {
  /** The merchant whose chain it belongs to; * for what belongs to none. */
  readonly chain: string;
  /** Its place in the chain. */
  readonly line: number;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** When, by the service's clock. */
  readonly at: string;
  /** Who: operator (the operator token), the id of an operator, merchant, the id of a merchant’s key (cred_…), portal (who looks at a merchant’s portal), training, service, or unknown for a refused sign-in. */
  readonly actor: string;
  /** Where the request came from; absent without a request. */
  readonly address?: string;
  /** What was done, such as payment.stopped. */
  readonly action: string;
  /** What it was done to. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The values before. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** The values after. */
  readonly after?: Readonly<Record<string, unknown>>;
  /** SHA-256 over this line and the hash of the one before. */
  readonly hash: string;
};

export type AuditHeadJson = {
  /** The merchant whose chain it belongs to; * for what belongs to none. */
  readonly chain: string;
  /** How many lines it has. */
  readonly line: number;
  /** Of its last line. */
  readonly hash: string;
};

/** What was found. */
export type AuditVerdictJson = {
  /** Whether no chain is broken. */
  readonly holds: boolean;
  /** Lines that were verified. */
  readonly lines: number;
  /** The last line of each chain. Store these elsewhere and send them with the next verification. */
  readonly heads: readonly AuditHeadJson[];
  /** The first broken line of each broken chain. */
  readonly broken: readonly BrokenLineJson[];
};

export type BrokenLineJson = {
  /** The merchant whose chain it belongs to; * for what belongs to none. */
  readonly chain: string;
  readonly line: number;
  /** What is wrong with it. */
  readonly because: string;
};

export type ListAuditQuery = {
  /** The merchant whose chain it belongs to; * for what belongs to none. */
  readonly merchant_id?: string;
  /** Only what this actor did. */
  readonly actor?: string;
  /** Only this act; with a dot at the end, all that begin with it: `payment.` */
  readonly action?: string;
  /** Only what was done then or later. */
  readonly from?: string;
  /** Only what was done before. */
  readonly to?: string;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListAuditAnswer = {
  readonly items: readonly AuditLineJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type VerifyAuditBody = {
  /** The merchant whose chain it belongs to; * for what belongs to none. */
  readonly merchant_id?: string;
  /** Heads of an earlier answer: each must still be the hash of its line. */
  readonly known?: readonly AuditHeadJson[];
};
