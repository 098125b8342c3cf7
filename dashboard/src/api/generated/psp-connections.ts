// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';

export type SupportedPspJson = {
  /** The processor. */
  readonly psp: PspJson;
  readonly credentials: readonly PspFieldJson[];
};

export type PspFieldJson = {
  /** The field of a connection. */
  readonly name: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** What it is and where to find it. */
  readonly meaning: string;
};

/** The connection; its credentials are never shown. */
export type PspConnectionJson = {
  /** The processor. */
  readonly psp: PspJson;
  /** What the processor said of the credentials just now; `unreachable`: they are not tested. */
  readonly result: 'accepted' | 'unreachable' | 'refused';
  /** The account's name or id there. */
  readonly account?: string;
  /** Why they are not accepted. */
  readonly reason?: string;
  /** What works, but not as far as it should. */
  readonly warnings?: readonly string[];
  /** When the processor was asked. */
  readonly checked_at: string;
};

export type ListPspsAnswer = {
  readonly items: readonly SupportedPspJson[];
};
