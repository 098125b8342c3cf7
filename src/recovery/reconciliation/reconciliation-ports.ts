import type { Psp } from '../../domain/psps.ts';
import type { PspTransactionState } from '../../domain/states.ts';
import type { ListedCharge, ReportCharges } from '../psp-ports.ts';

export type RunPurpose = 'reconcile' | 'restore';
export type RunState = 'running' | 'done' | 'no_list';
export type RunPhase = 'theirs' | 'adopt' | 'ours' | 'rest';

/** One account's charges held against the PSP's own list of them. */
export interface Reconciliation {
  readonly merchantId: string;
  readonly runId: string;
  readonly psp: Psp;
  readonly connectionVersion: number;
  readonly purpose: RunPurpose;
  readonly source: 'api' | 'report';
  readonly state: RunState;
  readonly phase: RunPhase;
  /** By the PSP's time. */
  readonly since: Date;
  readonly until: Date;
  readonly place: readonly string[];
  readonly pages: number;
  readonly listed: number;
  /** Charges that the list resolved or brought. */
  readonly settled: number;
  readonly findings: number;
  readonly detail?: string;
  readonly startedAt: Date;
  readonly updatedAt: Date;
  readonly endedAt?: Date;
}

export interface NewRun {
  readonly merchantId: string;
  readonly runId: string;
  readonly psp: Psp;
  readonly connectionVersion: number;
  readonly purpose: RunPurpose;
  /** Absent: from two hours before the end of the last run, or three days ago; of a report, from its first row. */
  readonly since?: Date;
  readonly at: Date;
  /** A report, instead of the PSP's list. */
  readonly report?: ReportCharges;
}

/** A charge of ours as it is compared. */
export interface OwnCharge {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly idempotencyKey: string;
  readonly paymentMethodId: string;
  readonly state: PspTransactionState;
  readonly pspTransactionId?: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly at: Date;
}

/** A debt of ours that a listed charge of somebody else pays. */
export interface PaidDebt {
  readonly pspTransactionId: string;
  readonly invoiceId: string;
  /** Our own success of it. */
  readonly ownSuccess?: string;
  /** Whether the merchant reported the charge, or the recovery ended because of such a one. */
  readonly isKnown: boolean;
}

/** What one step has done; the run goes on at `place`, or in the phase after it. */
export interface StepDone {
  readonly place?: readonly string[];
  readonly listed?: number;
  readonly settled?: number;
  readonly findings?: number;
  readonly detail?: string;
  /** The run ends. */
  readonly ends?: Exclude<RunState, 'running'>;
  readonly seen?: readonly string[];
  readonly missing?: readonly ListedCharge[];
}

/** A payment whose tries may have been charged after the backup. */
export interface AdoptablePayment {
  readonly invoiceId: string;
  readonly methodIds: readonly string[];
  /** Definite declines of each method so far, by its id. */
  readonly declines: Readonly<Record<string, number>>;
}

/** A listed charge that a debt of ours accounts for, with the attempt that it becomes. */
export interface AdoptableCharge extends ListedCharge {
  readonly idempotencyKey: string;
  readonly attemptId: string;
  readonly invoiceId: string;
  readonly paymentMethodId: string;
}

export interface ReconciliationStore {
  /** Begins a run; where one of the account is under way, that one goes on. */
  begin(input: NewRun): Promise<Reconciliation>;
  find(input: { merchantId: string; runId: string }): Promise<Reconciliation | undefined>;
  /** Some runs that are under way, those that were not looked at longest first. */
  listRunning(limit: number): Promise<readonly Reconciliation[]>;
  /** Compare-and-set on the pages done. False where another process was faster. */
  advance(run: Reconciliation, done: StepDone, at: Date): Promise<boolean>;
  readReportPage(run: Reconciliation): Promise<readonly ListedCharge[] | undefined>;
  /** Ours among these keys and PSP ids, of whichever merchant has the same account. */
  findOwn(
    run: Reconciliation,
    ids: { readonly keys: readonly string[]; readonly pspIds: readonly string[] },
  ): Promise<readonly OwnCharge[]>;
  /** By any name of a debt: the charge, the invoice at the PSP, the invoice as it was reported. */
  findPaidDebts(
    run: Reconciliation,
    charges: readonly { readonly pspTransactionId: string; readonly pspInvoiceId?: string }[],
  ): Promise<readonly PaidDebt[]>;
  /** Of these customers at the PSP those whose payments were ever reported here. */
  findKnownCustomers(
    run: Reconciliation,
    pspCustomerIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Ours that the list should hold and does not, after `place`. */
  findUnseen(
    run: Reconciliation,
    limit: number,
  ): Promise<{ readonly charges: readonly OwnCharge[]; readonly place?: readonly string[] }>;
  hasListedDeclines(run: Reconciliation): Promise<boolean>;
  /** Payments that were not recovered in the backup, after `place`. */
  findAdoptable(
    run: Reconciliation,
    limit: number,
  ): Promise<{
    readonly payments: readonly AdoptablePayment[];
    readonly place?: readonly string[];
  }>;
  /** Of these keys those that the list held and the record does not. */
  findMissing(run: Reconciliation, keys: readonly string[]): Promise<readonly ListedCharge[]>;
  /**
   * Writes a row for each of these listed charges, as one that was taken for never made; once. A debt's are in the
   * order in which they were made.
   */
  adopt(run: Reconciliation, charges: readonly AdoptableCharge[], at: Date): Promise<void>;
  /** These missing charges are in the record now. */
  foundMissing(run: Reconciliation, keys: readonly string[]): Promise<void>;
  /** What is left of them once all payments were looked at, and every further charge of a key, after `place`. */
  listMissing(
    run: Reconciliation,
    limit: number,
  ): Promise<{ readonly charges: readonly ListedCharge[]; readonly place?: readonly string[] }>;
}
