/** The tables whose rows are jobs: `next_attempt_at` says when each is due. */
export const jobTables = [
  'requests',
  'payments',
  'psp_transactions',
  'deliveries',
  'endpoint_deliveries',
] as const;
export type JobTable = (typeof jobTables)[number];

/** What is found of each of them. */
export function ofEachJobTable<Found>(
  of: (table: JobTable) => Found,
): Readonly<Record<JobTable, Found>> {
  return {
    requests: of('requests'),
    payments: of('payments'),
    psp_transactions: of('psp_transactions'),
    deliveries: of('deliveries'),
    endpoint_deliveries: of('endpoint_deliveries'),
  };
}
