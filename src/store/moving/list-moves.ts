import { present } from '../../domain/present.ts';
import type { MoveAtWork } from '../../recovery/checkup/checkup-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { moveLockKey } from './hold-move.ts';

/** The lock of a command is asked for where it is held: a key of 64 bits in two halves. */
const list: Statement = {
  name: 'list_moves_at_work',
  text: `
    select m.merchant_id, m.state, m.to_cell, m.begun_at, m.moved_at,
      exists (
        select from pg_locks l
        where l.locktype = 'advisory' and l.objsubid = 1
          and l.database = (select oid from pg_database where datname = current_database())
          and (l.classid::bigint << 32) | l.objid::bigint
            = hashtextextended($1::text || m.merchant_id, 0)) as is_moving
    from merchant_moves m
    where m.state <> 'cleared'
    order by m.begun_at limit 100`,
};

interface Row {
  readonly merchant_id: string;
  readonly state: 'draining' | 'closing' | 'fenced' | 'moved';
  readonly to_cell: string;
  readonly begun_at: Date;
  readonly moved_at: Date | null;
  readonly is_moving: boolean;
}

/** Moves out of this cell that are not at their end, the oldest first. */
export async function listMoves(
  db: Queryable,
  { cell }: { readonly cell: string | undefined },
): Promise<readonly MoveAtWork[]> {
  const rows = await db.query<Row>(list, [moveLockKey(cell ?? '', '')]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    state: row.state,
    toCell: row.to_cell,
    begunAt: row.begun_at,
    isMoving: row.is_moving,
    ...present({ movedAt: row.moved_at ?? undefined }),
  }));
}
