import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../../domain/errors.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';
import { changeTable } from './change-table.ts';
import { movedTables } from './moved-tables.ts';

/**
 * The last wall around a merchant that leaves: triggers that refuse what is written about it, whoever writes.
 * Making one waits for every transaction that has written to its table, so once they stand nothing of the
 * merchant changes any more: a worker that wakes up late, or a process that has not heard, writes nothing,
 * and so charges nothing. They are there only while a merchant is on its way, and name it: for the writes
 * of others they cost a comparison. Deletes pass: they are the retention's.
 */
const name = 'moved_merchants';
const tries = 60;
const tryPauseMs = 500;

const fencesKey = 'recoup fences';

/** Makes the fence anew around the merchants of moves in this cell, with or without one of them. */
export async function raiseFence(
  cell: CellConnection,
  change: { readonly add?: string; readonly remove?: string },
): Promise<void> {
  // Of two moves at once each has to see the other's merchant.
  await rowsOf(cell, `select pg_advisory_lock(hashtextextended($1, 0))`, [keyOf(cell)]);
  try {
    const fenced = await rowsOf<{ merchant_id: string }>(
      cell,
      `select merchant_id from merchant_moves
       where state in ('fenced', 'moved') and merchant_id is distinct from $1
       union select $2::text where $2 is not null order by 1`,
      [change.remove, change.add],
    );
    const merchants = fenced.map(({ merchant_id: id }) => id);
    for (const table of movedTables) if (table.isFenced) await fenceTable(cell, table, merchants);
  } finally {
    await rowsOf(cell, `select pg_advisory_unlock(hashtextextended($1, 0))`, [keyOf(cell)]);
  }
}

function keyOf({ cell }: CellConnection): string {
  return `${fencesKey} ${cell}`;
}

/** Each table by itself: whoever waits for one holds no other, so nobody waits for us in a circle. */
async function fenceTable(
  cell: CellConnection,
  table: { readonly name: string },
  merchants: readonly string[],
): Promise<void> {
  const list = merchants.map((id) => pg.escapeLiteral(id)).join(', ');
  const statement =
    merchants.length === 0
      ? `drop trigger if exists ${name} on ${table.name}`
      : `create or replace trigger ${name} before insert or update on ${table.name}
         for each row when (new.merchant_id in (${list})) execute function refuse_moved_merchant()`;
  for (let left = tries; (await changeTable(cell, statement)) === 'held'; left -= 1) {
    if (left <= 1) {
      const held = `A transaction that does not end holds the table ${table.name}.`;
      throw new AppError('move_not_drained', held);
    }
    await pause(tryPauseMs);
  }
}
