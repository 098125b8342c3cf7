import type { Database, Statement } from '../database.ts';

/** What is left of sums that nothing belongs to any more. */
const sweep = (name: string, text: string): Statement => ({ name: `sweep_${name}`, text });

const lock: Statement = {
  name: 'lock_rollup_to_sweep',
  text: 'select from rollup_progress where name = $1 for update',
};

/** By the count whose sums they are: who holds its progress may change any of them, in any order. */
const sweeps = [
  {
    of: 'payments',
    statements: [
      sweep('cohorts', 'delete from cohort_rollups where payments = 0'),
      sweep('recovered', 'delete from recovered_rollups where payments = 0'),
      sweep('planned', 'delete from planned_rollups where attempts = 0'),
    ],
  },
  {
    of: 'uplift',
    statements: [
      sweep('uplift', 'delete from uplift_sums where payments = 0'),
      sweep('experiments', 'delete from experiment_sums where payments = 0 and tries = 0'),
    ],
  },
];

/** Removes sums that nothing belongs to any more. Readers do not mind them; they only take room. */
export async function sweepRollups(db: Database): Promise<void> {
  for (const { of, statements } of sweeps) {
    await db.transaction(async (tx) => {
      await tx.query(lock, [of]);
      for (const statement of statements) await tx.query(statement, []);
    });
  }
}
