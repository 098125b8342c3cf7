import { AppError } from '../../domain/errors.ts';
import { appendAudit } from '../admin/audit-log.ts';
import { type CellConnection, inTransaction, rowsOf } from './cell-connection.ts';
import { raiseFence } from './fence.ts';
import { holdMove } from './hold-move.ts';
import { abandonArrival, deleteMove, findArrival, findMove, isHere } from './move-record.ts';
import { endingTables, movedTables } from './moved-tables.ts';

interface Ends {
  readonly source: CellConnection;
  readonly target: CellConnection;
}

/**
 * Takes a move back, as long as the switch was not made: the source goes on as if nothing had been. Cut
 * off, it is run again.
 *
 * @throws AppError move_unknown, move_switched
 */
export async function takeBackMove(
  { source, target }: Ends,
  { merchantId }: { readonly merchantId: string },
): Promise<void> {
  await holdMove(source, merchantId, async () => {
    const move = await findMove(source, merchantId);
    if (move === undefined) return forgetArrival({ source, target }, merchantId);
    if (move.state === 'moved' || move.state === 'cleared') throw new AppError('move_switched');
    const at = await nowOf(source);
    const of = { merchantId, moveId: move.move_id, at };
    // The target decides: from here on it will never take the merchant.
    if (!(await abandonArrival(target, of))) throw new AppError('move_switched');
    await raiseFence(source, { remove: merchantId });
    await deleteMove(source, of);
  });
}

/**
 * Of a move that the target alone knows of, since the command ended between the two, or the source was restored from a
 * backup: the merchant is here, and what waits of it there would wait forever.
 *
 * @throws AppError move_unknown
 */
async function forgetArrival({ source, target }: Ends, merchantId: string): Promise<void> {
  const arrival = await findArrival(target, merchantId);
  const isOurs = arrival?.state === 'copying' && arrival.from_cell === source.cell;
  if (!isOurs || !(await isHere(source, merchantId))) throw new AppError('move_unknown');
  const of = { merchantId, moveId: arrival.move_id, at: await nowOf(source) };
  if (!(await abandonArrival(target, of))) throw new AppError('move_switched');
}

/**
 * Removes what the source kept of a merchant that has moved: all but its audit log, and the signpost by which
 * calls are passed on. One transaction; how many rows there were.
 *
 * @throws AppError move_unknown, move_not_switched
 */
export async function clearMoved(
  { source, target }: Ends,
  { merchantId }: { readonly merchantId: string },
): Promise<number> {
  return holdMove(source, merchantId, async () => {
    const move = await findMove(source, merchantId);
    if (move === undefined) throw new AppError('move_unknown');
    if (move.state !== 'moved' && move.state !== 'cleared') throw new AppError('move_not_switched');
    let removed = 0;
    if (move.state === 'moved') {
      const arrival = await findArrival(target, merchantId);
      if (arrival?.move_id !== move.move_id || arrival.state !== 'active') {
        throw new AppError('move_target_differs');
      }
      removed = await inTransaction(source, () => clear(source, merchantId));
    }
    // Without its rows, references keep away whatever comes late.
    await raiseFence(source, { remove: merchantId });
    return removed;
  });
}

async function clear(source: CellConnection, merchantId: string): Promise<number> {
  // Nobody sums up half of it: what deletes leave of their own accord goes at the end.
  await rowsOf(source, 'select 1 from control_progress for update');
  let removed = 0;
  const tables = movedTables.filter(({ form }) => form !== 'appended').map(({ name }) => name);
  const sums = tables.filter((name) => name.startsWith('control_'));
  const rest = tables.filter((name) => !name.startsWith('control_')).reverse();
  for (const name of [...endingTables, ...rest, ...sums]) {
    const [row] = await rowsOf<{ count: number }>(
      source,
      `with gone as (delete from ${name} where merchant_id = $1 returning 1)
       select count(*)::int as count from gone`,
      [merchantId],
    );
    removed += row?.count ?? 0;
  }
  const at = await nowOf(source);
  await rowsOf(
    source,
    `update merchant_moves set state = 'cleared', cleared_at = $2 where merchant_id = $1`,
    [merchantId, at],
  );
  const detail = { merchant_id: merchantId, rows: removed };
  await appendAudit(source, '*', { action: 'merchant.cleared', detail, at });
  return removed;
}

async function nowOf(cell: CellConnection): Promise<Date> {
  const [row] = await rowsOf<{ now: Date }>(cell, 'select clock_timestamp() as now');
  return row?.now ?? new Date(0);
}
