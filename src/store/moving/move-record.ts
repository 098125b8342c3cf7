import { AppError } from '../../domain/errors.ts';
import { appendAudit } from '../admin/audit-log.ts';
import { type CellConnection, inTransaction, rowsOf } from './cell-connection.ts';

export type MoveState = 'draining' | 'closing' | 'fenced' | 'moved' | 'cleared';

/** A move as the cell that the merchant leaves has it. */
export interface MoveRow {
  readonly move_id: string;
  readonly state: MoveState;
  readonly to_cell: string;
}

/** The same as the other cell has it, which decides. */
export interface ArrivalRow {
  readonly move_id: string;
  readonly state: 'copying' | 'active' | 'abandoned';
  readonly from_cell: string;
  /** Null while it is copying. */
  readonly ended_at: Date | null;
}

export async function findMove(
  source: CellConnection,
  merchantId: string,
): Promise<MoveRow | undefined> {
  const [row] = await rowsOf<MoveRow>(
    source,
    'select move_id, state, to_cell from merchant_moves where merchant_id = $1',
    [merchantId],
  );
  return row;
}

export async function findArrival(
  target: CellConnection,
  merchantId: string,
): Promise<ArrivalRow | undefined> {
  const [row] = await rowsOf<ArrivalRow>(
    target,
    'select move_id, state, from_cell, ended_at from merchant_arrivals where merchant_id = $1',
    [merchantId],
  );
  return row;
}

export async function isHere(cell: CellConnection, merchantId: string): Promise<boolean> {
  const text = 'select 1 from merchants where merchant_id = $1';
  return (await rowsOf(cell, text, [merchantId])).length > 0;
}

export interface NewMove {
  readonly merchantId: string;
  readonly moveId: string;
  readonly recoveryUrl: string;
  readonly disputesUrl: string;
  readonly at: Date;
}

/** First the arrival, then the move: one without the other is an arrival that the next try takes over. */
export async function beginMove(
  { source, target }: { readonly source: CellConnection; readonly target: CellConnection },
  { merchantId, moveId, recoveryUrl, disputesUrl, at }: NewMove,
): Promise<void> {
  await inTransaction(target, async () => {
    await rowsOf(target, 'delete from moving_rows where merchant_id = $1', [merchantId]);
    await rowsOf(
      target,
      `insert into merchant_arrivals (merchant_id, move_id, state, from_cell, begun_at)
       values ($1, $2, 'copying', $3, $4)
       on conflict (merchant_id) do update set
         move_id = excluded.move_id, state = 'copying', from_cell = excluded.from_cell,
         begun_at = excluded.begun_at, ended_at = null`,
      [merchantId, moveId, source.cell, at],
    );
  });
  await inTransaction(source, async () => {
    await rowsOf(
      source,
      `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
       values ($1, $2, 'draining', $3, $4, $5, $6)`,
      [merchantId, moveId, target.cell, recoveryUrl, disputesUrl, at],
    );
    const detail = { to_cell: target.cell, move_id: moveId };
    await appendAudit(source, merchantId, { action: 'merchant.move_begun', detail, at });
  });
}

/** A move that was switched, and that the source does not know of, since it was restored from a backup. */
export async function adoptMove(
  { source, target }: { readonly source: CellConnection; readonly target: CellConnection },
  { merchantId, moveId, recoveryUrl, disputesUrl, at }: NewMove,
): Promise<void> {
  await rowsOf(
    source,
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
     values ($1, $2, 'fenced', $3, $4, $5, $6)`,
    [merchantId, moveId, target.cell, recoveryUrl, disputesUrl, at],
  );
}

/** @throws AppError where somebody else has taken the move elsewhere meanwhile */
export async function setMoveState(
  source: CellConnection,
  input: { readonly merchantId: string; readonly state: MoveState; readonly at: Date },
): Promise<void> {
  const { merchantId, state, at } = input;
  const rows = await rowsOf(
    source,
    `update merchant_moves set state = $2,
       closed_at = case when $2 = 'closing' then $3::timestamptz else closed_at end
     where merchant_id = $1 and state in ('draining', 'closing', 'fenced') returning 1`,
    [merchantId, state, at],
  );
  if (rows.length === 0) throw new AppError('move_abandoned');
}

/** The old cell learns that the switch was made. Its audit log of the merchant is closed: the line is the cell's own. */
export async function markMoved(
  source: CellConnection,
  { merchantId, moveId, at }: Pick<NewMove, 'merchantId' | 'moveId' | 'at'>,
): Promise<void> {
  await inTransaction(source, async () => {
    const [row] = await rowsOf<{ to_cell: string }>(
      source,
      `update merchant_moves set state = 'moved', moved_at = $2
       where merchant_id = $1 and state = 'fenced' returning to_cell`,
      [merchantId, at],
    );
    if (row === undefined) throw new AppError('move_abandoned');
    await rowsOf(
      source,
      `insert into moved_credentials (hash, merchant_id)
       select hash, merchant_id from credentials where merchant_id = $1 on conflict do nothing`,
      [merchantId],
    );
    const detail = { merchant_id: merchantId, to_cell: row.to_cell, move_id: moveId };
    await appendAudit(source, '*', { action: 'merchant.moved', detail, at });
  });
}

/** What decides whether a move can be taken back: false where it was switched. */
export async function abandonArrival(
  target: CellConnection,
  { merchantId, moveId, at }: Pick<NewMove, 'merchantId' | 'moveId' | 'at'>,
): Promise<boolean> {
  return inTransaction(target, async () => {
    await rowsOf(
      target,
      `update merchant_arrivals set state = 'abandoned', ended_at = $3
       where merchant_id = $1 and move_id = $2 and state = 'copying'`,
      [merchantId, moveId, at],
    );
    const arrival = await findArrival(target, merchantId);
    if (arrival?.move_id === moveId && arrival.state === 'active') return false;
    await rowsOf(target, 'delete from moving_rows where merchant_id = $1', [merchantId]);
    return true;
  });
}

export async function deleteMove(
  source: CellConnection,
  { merchantId, moveId, at }: Pick<NewMove, 'merchantId' | 'moveId' | 'at'>,
): Promise<void> {
  await inTransaction(source, async () => {
    await rowsOf(source, 'delete from merchant_moves where merchant_id = $1', [merchantId]);
    const detail = { move_id: moveId };
    await appendAudit(source, merchantId, { action: 'merchant.move_taken_back', detail, at });
  });
}
