import type { Queryable, Statement } from './database.ts';

/** Takes new pages of the disk, and gives them back at once. */
const probe: Statement = {
  name: 'probe_writes',
  text: `
    create temporary table recoup_write_probe on commit drop as
    select n from generate_series(1, 4000) as n`,
};

/** Writes something for nobody. @throws AppError database_disk_full, database_read_only */
export async function probeWrites(db: Queryable): Promise<void> {
  await db.query(probe, []);
}
