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
  'invariant-differences',
  'reconciliations',
  'restore-checks',
  'endpoints',
  'keys',
  'audit',
  'operators',
  'saved-views',
  'alerts',
  'alert-silences',
  'alert-channels',
  'alert-routes',
  'alert-messages',
  'models',
  'trainings',
  'experiments',
  'what-ifs',
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

/** Those of one customer of a merchant, who has to be named too, by the last parts of their paths. */
export const listsOfCustomer = {
  'customer-payments': 'payments',
  'customer-methods': 'methods',
  'customer-attempts': 'attempts',
  'customer-disputes': 'disputes',
} as const;
