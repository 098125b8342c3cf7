// Generated from openapi/operator.json by npm run generate; do not edit.

export type HealthAnswer = {
  readonly status: 'ok';
};

export type ReadyAnswer = {
  readonly status: 'ready';
};

export type ListInvariantsAnswer = {
  /** Whether nothing is breached. */
  readonly holds: boolean;
  readonly items: readonly {
    readonly name: string;
    readonly promise: string;
    readonly breaches: number;
  }[];
};

export type CheckupAnswer = {
  /** Whether nothing is broken; warnings may be there. */
  readonly healthy: boolean;
  readonly items: readonly {
    /** What was looked at. */
    readonly check: 'database' | 'migrations' | 'clock' | 'encryption_key' | 'disk' | 'invariants' | 'late_work' | 'unknown_charges' | 'deliveries' | 'endpoint' | 'psp';
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
