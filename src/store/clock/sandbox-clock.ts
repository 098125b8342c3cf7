import type { Queryable, Statement } from '../database.ts';

const read: Statement = {
  name: 'read_clock_offset',
  plans: 'alike',
  text: 'select offset_ms from sandbox_clock',
};

/** The clock only moves forward: of two moves at once, the farther one holds. */
const move: Statement = {
  name: 'move_clock',
  text: 'update sandbox_clock set offset_ms = greatest(offset_ms, $1) returning offset_ms',
};

/** How many milliseconds the sandbox's clock stands before the machine's. */
export async function readClockOffset(db: Queryable): Promise<number> {
  const [row] = await db.query<{ offset_ms: number }>(read, []);
  return row?.offset_ms ?? 0;
}

export async function writeClockOffset(db: Queryable, offsetMs: number): Promise<number> {
  const [row] = await db.query<{ offset_ms: number }>(move, [offsetMs]);
  return row?.offset_ms ?? offsetMs;
}

/**
 * The offset as a scalar subquery, for statements of pg-boss, whose connections are in no cell. Without
 * one, the table is where the login has it.
 */
export function clockOffsetSql(schema: string | undefined): string {
  return `(select offset_ms from ${schema === undefined ? '' : `${schema}.`}sandbox_clock)`;
}
