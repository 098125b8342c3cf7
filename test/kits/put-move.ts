import type { Database } from '../../src/store/database.ts';

export const moveBegan = '2026-03-01T08:00:00.000Z';
export const moveEnded = '2026-03-01T08:10:00.000Z';

/** A merchant's move to the cell `cell_2`, as the command leaves it in the cell that the merchant leaves. */
export async function putMove(
  db: Pick<Database, 'pool'>,
  merchantId: string,
  state: 'draining' | 'fenced' | 'moved' | 'cleared',
): Promise<void> {
  await db.pool.query(
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at,
       moved_at, cleared_at)
     values ($1, 'mov_1', $2, 'cell_2', 'http://127.0.0.1:1', 'http://127.0.0.1:2', $3::timestamptz,
       case when $2 in ('moved', 'cleared') then $4::timestamptz end,
       case when $2 = 'cleared' then $4::timestamptz end)
     on conflict (merchant_id) do update set state = excluded.state, moved_at = excluded.moved_at,
       cleared_at = excluded.cleared_at`,
    [merchantId, state, moveBegan, moveEnded],
  );
}
