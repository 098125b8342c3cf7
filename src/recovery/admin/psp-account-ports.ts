import type { AccountMode, Psp } from '../../domain/psps.ts';
import type { OpenCharges, PspConnection } from '../operator-api.ts';
import type { AuditEntry } from './ports.ts';

/** A connection with its opened credentials, and the account that they belong to. */
export interface KeptPspConnection extends PspConnection {
  readonly version: number;
  readonly account?: string;
  readonly mode: AccountMode;
  /** False for an account that was replaced or removed while charges of it were open. */
  readonly isActive: boolean;
}

/** A connection to be kept. */
export interface PlacedConnection extends PspConnection {
  readonly account?: string;
  readonly mode: AccountMode;
  /** The active version whose account these credentials open too; absent: another account. */
  readonly sameAs?: number;
}

/** The version that is active from now on, and the one that it replaced. */
export interface PlacedVersion {
  readonly version: number;
  readonly retired?: RetiredVersion;
}

/** An account that nothing is charged through any more; without `open` nothing of it is open. */
export interface RetiredVersion {
  readonly version: number;
  readonly open?: OpenCharges;
}

/** Accounts in the database. Each write is one transaction with its line of the audit log. */
export interface PspAccountStore {
  /** Every connection whose credentials are still there; none for an unknown merchant. */
  readPspConnections(merchantId: string): Promise<readonly KeptPspConnection[]>;
  /** `changed`: the active version is no longer the one that `sameAs` was judged by. */
  connectPsp(input: {
    readonly merchantId: string;
    readonly connection: PlacedConnection;
    readonly audit: AuditEntry;
  }): Promise<({ readonly kind: 'connected' } & PlacedVersion) | 'no_merchant' | 'changed'>;
  /** `last_connection`: refused, nothing could be charged any more. */
  disconnectPsp(input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly audit: AuditEntry;
  }): Promise<
    | { readonly kind: 'disconnected'; readonly retired: RetiredVersion }
    | 'not_there'
    | 'last_connection'
  >;
  /** Keeps what the PSP said of an account that nobody had named yet. */
  namePspAccount(input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly version: number;
    readonly account?: string;
    readonly mode: AccountMode;
  }): Promise<void>;
}
