import type { Json, JsonObject } from '../../domain/payment.ts';

/** One line of the audit log. */
export interface AuditLine {
  /** The merchant whose chain it stands in; `*` for what belongs to none. */
  readonly chain: string;
  /** Its place in the chain, from 1. */
  readonly line: number;
  readonly at: Date;
  /** `operator`: the one token; `merchant`, `service`, `training`; or the id of an operator. */
  readonly actor: string;
  /** Where the request came from; absent for what the service did by itself. */
  readonly address?: string;
  readonly action: string;
  readonly detail: JsonObject;
  readonly before?: Json;
  readonly after?: Json;
  /** SHA-256 in hexadecimal, over the line and the hash before it. */
  readonly hash: string;
}

export interface ListAudit {
  /** Of merchants, or `*`; absent: all of them. */
  readonly chains?: readonly string[];
  readonly actor?: string;
  /** An act; with a dot at its end, all whose names begin with it. */
  readonly action?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly cursor?: string;
  readonly limit: number;
}

/** A chain's last line at some moment: kept elsewhere, it proves later that nothing was taken off. */
export interface AuditHead {
  readonly chain: string;
  readonly line: number;
  readonly hash: string;
}

export interface BrokenLine {
  readonly chain: string;
  readonly line: number;
  /** What is wrong with it. */
  readonly because: string;
}

export interface AuditVerdict {
  readonly lines: number;
  readonly heads: readonly AuditHead[];
  /** The first broken line of each broken chain. */
  readonly broken: readonly BrokenLine[];
}
