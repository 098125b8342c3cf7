import type { ErrorCode } from '../../domain/errors.ts';
import type { Psp } from '../../domain/psps.ts';
import type { InvariantView } from '../accounting/accounting-ports.ts';
import type { KeyRotation } from '../keys/key-ports.ts';
import type { MerchantView } from '../operator-api.ts';
import type { CredentialsCheck } from '../psp-ports.ts';

/** How the database and the work in it stand. */
export interface DatabaseState {
  readonly serverVersion: string;
  /** From the question to the answer. */
  readonly roundTripMs: number;
  /** How far the database's clock is before this process's; half the round trip is allowed for. */
  readonly clockAheadMs: number;
  /** Migrations of this version that have not run, and those that it does not know and does not run on. */
  readonly missingMigrations: readonly string[];
  readonly unknownMigrations: readonly string[];
  /** Those that it does not know and runs on. */
  readonly addedMigrations: readonly string[];
  /** What the database lacks for roles and row-level security; absent where merchants are served behind them. */
  readonly wallLacks?: string;
}

/** How the clock of a process of this deployment stands, as it measured it itself. */
export interface ProcessClock {
  readonly processId: string;
  readonly roles: readonly string[];
  /** How far its machine's clock is before the database's, and by how much that may be wrong. */
  readonly aheadMs: number;
  readonly uncertaintyMs: number;
  /** Set while it takes no work, with the error code and its words. */
  readonly held?: { readonly code: ErrorCode; readonly message: string; readonly since: Date };
}

/** Work that should have been done by now. */
export interface LateWork {
  readonly table: string;
  readonly count: number;
  readonly oldestDueAt: Date;
}

/** Webhooks of one merchant that do not arrive. */
export interface FailingDeliveries {
  readonly merchantId: string;
  /** Failed at least once, and to be sent again. */
  readonly failing: number;
  /** Given up since `exhaustedSince` of the question. */
  readonly exhausted: number;
  readonly lastError?: string;
}

/** Payments of one merchant that wait since its server gives no usable answer to the final check. */
export interface UnansweredChecks {
  readonly merchantId: string;
  readonly payments: number;
  readonly lastAskedAt: Date;
  /** What was wrong with the newest answer, in a sentence. */
  readonly lastAnswer: string;
}

/** A merchant's move to another cell that is not at its end. */
export interface MoveAtWork {
  readonly merchantId: string;
  readonly state: 'draining' | 'closing' | 'fenced' | 'moved';
  /** Empty: a Recoup that is no cell. */
  readonly toCell: string;
  readonly begunAt: Date;
  readonly movedAt?: Date;
  /** Whether a command works on it now. */
  readonly isMoving: boolean;
}

export type Reach =
  | { readonly kind: 'reached' }
  | { readonly kind: 'failed'; readonly detail: string };

/** What a check-up asks of the parts that know. */
export interface CheckupPorts {
  readDatabase(): Promise<DatabaseState>;
  /** Every process of the deployment that was heard of lately. */
  listProcessClocks(): Promise<readonly ProcessClock[]>;
  /** Rejects with AppError encryption_key_wrong. */
  verifyEncryptionKey(): Promise<void>;
  /** The last rotation of the encryption key. */
  findRotation(): Promise<KeyRotation | undefined>;
  listMoves(): Promise<readonly MoveAtWork[]>;
  /** Of the disk that the data folder is on; undefined where the system does not say. */
  readDisk(): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | undefined>;
  checkInvariants(): Promise<readonly InvariantView[]>;
  /** Due before `before` and not done. */
  listLate(before: Date): Promise<readonly LateWork[]>;
  /** Lost answers that no look-up will resolve. */
  countUnresolved(): Promise<number>;
  listFailingDeliveries(exhaustedSince: Date): Promise<readonly FailingDeliveries[]>;
  /** Payments that are due again by `dueBy` and reached no processor in their last `tries` tries or more. */
  listUnanswered(input: {
    readonly dueBy: Date;
    readonly tries: number;
  }): Promise<readonly UnansweredChecks[]>;
  listMerchants(limit: number): Promise<readonly MerchantView[]>;
  /** Resolves the name, connects and greets by TLS under the guard; no request is sent. */
  reach(url: string): Promise<Reach>;
  testPsp(input: {
    readonly merchantId: string;
    readonly psp: Psp;
  }): Promise<CredentialsCheck | undefined>;
}
