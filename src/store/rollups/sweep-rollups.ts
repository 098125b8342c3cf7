import type { Queryable, Statement } from '../database.ts';

/** What is left of sums that nothing belongs to any more. */
const sweep = (name: string, text: string): Statement => ({ name: `sweep_${name}`, text });
const sweeps = [
  sweep('cohorts', 'delete from cohort_rollups where payments = 0'),
  sweep('recovered', 'delete from recovered_rollups where payments = 0'),
  sweep('planned', 'delete from planned_rollups where attempts = 0'),
  sweep('uplift', 'delete from uplift_sums where payments = 0'),
  sweep('experiments', 'delete from experiment_sums where payments = 0 and tries = 0'),
];

/** Removes sums that nothing belongs to any more. Readers do not mind them; they only take room. */
export async function sweepRollups(tx: Queryable): Promise<void> {
  for (const statement of sweeps) await tx.query(statement, []);
}
