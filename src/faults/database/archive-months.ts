import type pg from 'pg';

/** Months in which a payment of a world may be made: worlds begin in March 2026, and last sixty days at most. */
const months = ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01'];

/**
 * Makes the archive's tables of those months. Made within a world one of them would lock the archive, and the simulator,
 * which looks at tables while transactions are held up, would wait for what never ends.
 */
export async function makeArchiveMonths(client: pg.Client): Promise<void> {
  for (const month of months) await client.query('select make_archive_month($1)', [month]);
}
