import type { Queryable, Statement } from './database.ts';

const rings = ['requests', 'payments', 'deliveries', 'unknownCharges', 'clock', 'jobs'] as const;
/**
 * What one process tells the others of its cell: work that is due at once, that the sandbox's clock was moved, or that
 * somebody asked for a run of a background job.
 */
export type Ring = (typeof rings)[number];

export function isRing(payload: string | undefined): payload is Ring {
  return rings.some((ring) => ring === payload);
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
