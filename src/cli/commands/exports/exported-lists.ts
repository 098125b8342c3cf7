/** The lists that `recoup export` takes away, by the paths of their exports. */
export const listsOfAll = [
  'merchants',
  'payments',
  'disputes',
  'dispute-ratios',
  'dispute-outcomes',
  'recovery',
  'cards-near-limit',
  'unknown-charges',
  'incidents',
  'set-aside',
  'invariants',
  'reconciliations',
  'restore-checks',
  'endpoints',
  'keys',
  'audit',
  'operators',
  'saved-views',
  'alert-messages',
] as const;

/** Those of one merchant, which has to be named. */
export const listsOfOne = [
  'psps',
  'credentials',
  'deliveries',
  'bulk-actions',
  'replays',
  'psp-events',
  'fees',
  'webhook-endpoints',
  'monthly-statements',
  'customer-messages',
] as const;
