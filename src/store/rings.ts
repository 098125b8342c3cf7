import type { Queryable, Statement } from './database.ts';
import { type JobTable, jobTables } from './job-tables.ts';

/** What one process tells the others of its cell: work that is due at once, or that the sandbox's clock was moved. */
export type Ring = JobTable | 'clock';

const rings: readonly string[] = [...jobTables, 'clock'] satisfies readonly Ring[];

export function isRing(payload: string | undefined): payload is Ring {
  return payload !== undefined && rings.includes(payload);
}

/** The channel of a cell; the login's own schema has the plain one. */
export function ringChannel(schema: string | undefined): string {
  return schema === undefined ? 'recoup_rings' : `recoup_rings_${schema}`;
}

const notify: Statement = { name: 'ring', text: 'select pg_notify($1, $2)' };

/** Rings in a transaction of its own, after what it tells of is committed. A ring may get lost. */
export async function ring(db: Queryable, channel: string, what: Ring): Promise<void> {
  await db.query(notify, [channel, what]);
}
