import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Reconciliation } from './reconciliation-ports.ts';

export interface BeginReconciliations {
  /** Absent: every merchant's. */
  readonly merchantId?: string;
  readonly psp?: Psp;
  readonly since?: Date;
  /** The PSP's report as CSV, for one merchant's active account at one PSP. */
  readonly report?: string;
}

export interface ListReconciliations extends OfMerchants {
  readonly cursor?: string;
  readonly limit: number;
}

/** What was charged after the backup that a database was restored from. */
export interface RestoreCheck {
  readonly restoredFrom: Date;
  readonly state: 'running' | 'done';
  /** Open payments that are looked up before they are charged. */
  readonly payments: number;
  readonly startedAt: Date;
  readonly endedAt?: Date;
}

export interface ReconciliationApi {
  /** Begins to compare; accounts that are compared already go on. @throws AppError invalid_request */
  beginReconciliations(input: BeginReconciliations): Promise<readonly Reconciliation[]>;
  /** Holds all charging until what was charged since is recorded; the same time again is one check. */
  beginRestoreCheck(restoredFrom: Date): Promise<RestoreCheck>;
}
