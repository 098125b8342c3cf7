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
  /** What the processor's own pages call it. */
  readonly label: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** What it is and where to find it. */
  readonly meaning: string;
};

export type PspAccountJson = {
  /** The processor. */
  readonly psp: PspJson;
  /** Counts the accounts there: new keys of the same one keep it, another gets the next. */
  readonly version: number;
  /** The account's own id there. */
  readonly account?: string;
  /** Whether real money moves there; `unknown`: neither the processor nor the credentials say. */
  readonly mode: AccountModeJson;
  /** `retired`: another replaced it, or it was removed. */
  readonly state: 'active' | 'retired';
  /** When it was connected. */
  readonly connected_at: string;
  /** When it was replaced or removed. */
  readonly retired_at?: string;
  /** Since then nothing can be looked up there any more. */
  readonly credentials_destroyed_at?: string;
  /** Charges of the account that are under way or whose answer was lost. Absent: there are none. */
  readonly open?: OpenChargesJson;
};

/** Whether real money moves there; `unknown`: neither the processor nor the credentials say. */
export type AccountModeJson = 'live' | 'test' | 'sandbox' | 'unknown';

/** Charges of the account that are under way or whose answer was lost. Absent: there are none. */
export type OpenChargesJson = {
  /** Charges that may have been made. */
  readonly count: number;
  /** Their sum in each currency. */
  readonly amounts: readonly {
    /** In major units. */
    readonly amount: number;
    readonly currency: string;
  }[];
  /** When the oldest of them was sent. */
  readonly oldest_sent_at: string;
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
  /** Whether real money moves there; `unknown`: neither the processor nor the credentials say. */
  readonly mode: AccountModeJson;
  /** Counts the accounts there: new keys of the same one keep it, another gets the next. */
  readonly version: number;
  /** The account that this one replaced: nothing is charged through it any more. Its credentials stay sealed until what is open at it is resolved. */
  readonly retired?: {
    /** Counts the accounts there: new keys of the same one keep it, another gets the next. */
    readonly version: number;
    /** Charges of the account that are under way or whose answer was lost. Absent: there are none. */
    readonly open?: OpenChargesJson;
  };
};

/** The account that was removed. Its credentials are destroyed once nothing of it is open. */
export type DisconnectedPspJson = {
  /** The processor. */
  readonly psp: PspJson;
  /** Counts the accounts there: new keys of the same one keep it, another gets the next. */
  readonly version: number;
  /** Charges of the account that are under way or whose answer was lost. Absent: there are none. */
  readonly open?: OpenChargesJson;
};

export type ListPspsAnswer = {
  readonly items: readonly SupportedPspJson[];
};

export type ListPspAccountsAnswer = {
  readonly items: readonly PspAccountJson[];
};
