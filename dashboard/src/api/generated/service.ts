// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';

export type InvariantJson = {
  readonly name: string;
  readonly promise: string;
  readonly breaches: number;
};

export type ControlDifferenceJson = {
  readonly merchant_id: string;
  /** The UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  /** Absent where the events of a day differ. */
  readonly psp?: string;
  readonly connection_version?: number;
  readonly currency?: string;
  /** Successes at the PSP, as the charges here say. */
  readonly charged: ControlSumJson;
  /** Recovered payments. */
  readonly recovered: ControlSumJson;
  /** Successes in the bodies of events. */
  readonly announced: ControlSumJson;
  readonly events: {
    readonly created: number;
    readonly delivered: number;
    readonly pending: number;
    readonly given_up: number;
  };
  /** When it was noticed. */
  readonly found_at: string;
};

export type ControlSumJson = {
  readonly count: number;
  readonly amount_minor: number;
};

/** A check of everything that is stored. */
export type InvariantCheckJson = {
  readonly id: string;
  readonly state: 'running' | 'done';
  /** Rows that it has read. */
  readonly rows_read: number;
  /** What it has found so far. */
  readonly breaches: number;
  /** When it began. */
  readonly started_at: string;
  /** Its last page. */
  readonly updated_at: string;
  /** When it had read everything. */
  readonly ended_at?: string;
};

/** An account's charges beside the PSP's own list. */
export type ReconciliationJson = {
  readonly id: string;
  readonly merchant_id: string;
  readonly psp: string;
  readonly connection_version: number;
  readonly purpose: 'reconcile' | 'restore';
  readonly source: 'api' | 'report';
  /** no_list: the PSP has none; give a report of it. */
  readonly state: 'running' | 'done' | 'no_list';
  /** What is compared: theirs (the list), adopt (after a restore), ours, rest (what no debt accounts for). */
  readonly phase: string;
  /** The window, by the PSP's time. */
  readonly since: string;
  /** Its end; later charges are left to the next run. */
  readonly until: string;
  /** Steps that it has done. */
  readonly pages: number;
  /** Charges of the list that were compared. */
  readonly listed: number;
  /** Charges that the list resolved or brought. */
  readonly settled: number;
  /** What does not agree: GET /api/incidents has each. */
  readonly findings: number;
  /** What it waits for, or why it ended. */
  readonly detail?: string;
  /** When it began. */
  readonly started_at: string;
  /** Its last step. */
  readonly updated_at: string;
  /** When it ended. */
  readonly ended_at?: string;
};

/** What was charged after a restored backup. */
export type RestoreCheckJson = {
  /** The time of the backup. */
  readonly restored_from: string;
  /** running: nothing is charged. */
  readonly state: 'running' | 'done';
  /** Open payments that are looked up before they are charged. */
  readonly payments: number;
  /** When it began. */
  readonly started_at: string;
  /** When charging went on. */
  readonly ended_at?: string;
};

export type WrappingKeyJson = {
  /** Derived from the key: `local-` and a hash of it, or `aws-` and its id at AWS. */
  readonly key_id: string;
  /** `current`: ENCRYPTION_KEY. `other`: one of OTHER_ENCRYPTION_KEYS. `unknown`: it wraps something, but this process does not have it. */
  readonly use: 'current' | 'other' | 'unknown';
  /** Keys that it wraps. */
  readonly wraps: number;
  /** It no longer wraps anything. Remove it from the settings once no process has it as ENCRYPTION_KEY; older backups still need it. */
  readonly removable: boolean;
};

/** Everything that is wrapped is rewrapped. */
export type KeyRotationJson = {
  readonly id: string;
  readonly state: 'running' | 'done';
  /** The key that will wrap everything. */
  readonly key_id: string;
  /** Whether every merchant gets a new data key. */
  readonly new_data_keys: boolean;
  /** New data keys so far. */
  readonly made: number;
  /** Keys rewrapped so far. */
  readonly rewrapped: number;
  /** When it began. */
  readonly started_at: string;
  /** Its last page. */
  readonly updated_at: string;
  /** When nothing was left. */
  readonly ended_at?: string;
};

export type HealthAnswer = {
  readonly status: 'ok';
};

export type ReadyAnswer = {
  readonly status: 'ready';
};

export type ListInvariantsAnswer = {
  /** Whether nothing is breached. */
  readonly holds: boolean;
  /** Those of the control totals as of now, the others as of `last_check`. */
  readonly items: readonly InvariantJson[];
  /** What changed before this is in the control totals. */
  readonly counted_through?: string;
  /** What does not agree, the newest days first; 100 at most. */
  readonly differences: readonly ControlDifferenceJson[];
  /** A check of everything that is stored. */
  readonly last_check?: InvariantCheckJson;
  /** A check of everything that is stored. */
  readonly running_check?: InvariantCheckJson;
};

export type BeginReconciliationsBody = {
  /** One merchant; absent: all. */
  readonly merchant_id?: string;
  /** One PSP; absent: all. */
  readonly psp?: PspJson;
  /** Default: two hours before the end of the last run, or the first row of a report. */
  readonly since?: string;
  /** The PSP's settlement or transaction report as CSV, of one merchant and PSP. */
  readonly report?: string;
};

export type BeginReconciliationsAnswer = {
  readonly items: readonly ReconciliationJson[];
};

export type ListReconciliationsQuery = {
  /** One merchant; absent: all. */
  readonly merchant_id?: string;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListReconciliationsAnswer = {
  readonly items: readonly ReconciliationJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type BeginRestoreCheckBody = {
  /** The time of the backup. */
  readonly restored_from: string;
};

export type ListRestoreChecksAnswer = {
  readonly items: readonly RestoreCheckJson[];
};

export type CheckupAnswer = {
  /** Whether nothing is broken; warnings may be there. */
  readonly healthy: boolean;
  readonly items: readonly {
    /** What was looked at. */
    readonly check: 'database' | 'migrations' | 'wall' | 'clock' | 'encryption_key' | 'disk' | 'invariants' | 'late_work' | 'moves' | 'unknown_charges' | 'deliveries' | 'endpoint' | 'psp';
    /** In order, worth a look, or broken. */
    readonly verdict: 'good' | 'warning' | 'bad';
    /** What was found. */
    readonly found: string;
    /** What to do about it. */
    readonly action?: string;
    /** Whose it is, of a merchant’s own. */
    readonly merchant_id?: string;
  }[];
};

export type ListKeysAnswer = {
  /** The current one first. */
  readonly items: readonly WrappingKeyJson[];
  /** Everything that is wrapped is rewrapped. */
  readonly rotation?: KeyRotationJson;
};

export type RotateKeysBody = {
  /** Absent: false. */
  readonly new_data_keys?: boolean;
};
