/** What a check says: in order, worth a look, or broken. */
export const findingVerdicts = ['good', 'warning', 'bad'] as const;
export type FindingVerdict = (typeof findingVerdicts)[number];

/** What is looked at, in the order in which it is told. */
export const checkNames = [
  'database',
  'migrations',
  'wall',
  'clock',
  'encryption_key',
  'disk',
  'invariants',
  'late_work',
  'moves',
  'unknown_charges',
  'deliveries',
  'endpoint',
  'psp',
] as const;
export type CheckName = (typeof checkNames)[number];

/** One thing that was looked at. */
export interface Finding {
  readonly check: CheckName;
  readonly verdict: FindingVerdict;
  /** What was found, in a sentence. */
  readonly found: string;
  /** What to do about it; absent where nothing is to be done. */
  readonly action?: string;
  /** Whose it is, of a check that is made for each merchant. */
  readonly merchantId?: string;
}
