/** The tables whose rows are jobs: `next_attempt_at` says when each is due. */
export const jobTables = [
  'requests',
  'payments',
  'psp_transactions',
  'deliveries',
  'endpoint_deliveries',
] as const;
export type JobTable = (typeof jobTables)[number];
