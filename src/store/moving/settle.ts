import { AppError, invariant } from '../../domain/errors.ts';
import { appendAudit } from '../admin/audit-log.ts';
import { goOnAboveSql, latestSql } from '../intake/request-order.ts';
import { inTransaction, rowsOf } from './cell-connection.ts';
import { requireSamePeppers } from './keys/check-keys.ts';
import { movePeppers } from './keys/move-keys.ts';
import type { MoveEnds } from './move-ends.ts';
import type { TableShape } from './table-shape.ts';
import { type Tally, verifyRows } from './verify-rows.ts';
import { writeRows } from './write-rows.ts';

export interface Settling {
  readonly merchantId: string;
  readonly moveId: string;
  readonly tables: readonly TableShape[];
  readonly at: Date;
}

/**
 * The switch. In one transaction of the target all rows are written, compared with the source's, which a
 * fence keeps as they are, and the arrival becomes `active`: after its commit the merchant is in the target,
 * before it in the source. Somebody who takes the move back waits for this transaction, or has it refused.
 *
 * @throws AppError move_rows_differ, move_abandoned, encryption_key_wrong, move_cell_name_taken
 */
export async function settle(ends: MoveEnds, settling: Settling): Promise<readonly Tally[]> {
  const { merchantId, moveId, tables, at } = settling;
  const { target } = ends;
  return inTransaction(target, async () => {
    const [arrival] = await rowsOf<{ state: string }>(
      target,
      `select state from merchant_arrivals where merchant_id = $1 and move_id = $2 for update`,
      [merchantId, moveId],
    );
    if (arrival?.state !== 'copying') throw new AppError('move_abandoned');
    await takeDownSignpost(ends, merchantId);
    await holdSums(ends);
    await writeRows(ends, { merchantId, tables });
    await movePeppers(ends);
    // A merchant of another Recoup of that name may have come in between.
    await requireSamePeppers(ends, merchantId);
    await keepOrder(ends, merchantId);
    const tallies = await verifyRows(ends, { merchantId, tables });
    await requireSameChain(ends, merchantId);
    await rowsOf(
      target,
      `update merchant_arrivals set state = 'active', ended_at = $2 where merchant_id = $1`,
      [merchantId, at],
    );
    await rowsOf(target, 'delete from moving_rows where merchant_id = $1', [merchantId]);
    await appendAudit(target, merchantId, {
      action: 'merchant.moved_here',
      detail: { from_cell: ends.source.cell, move_id: moveId },
      at,
    });
    return tallies;
  });
}

/** Of an earlier stay that ended. */
async function takeDownSignpost({ target }: MoveEnds, merchantId: string): Promise<void> {
  await rowsOf(target, `delete from merchant_moves where merchant_id = $1 and state = 'cleared'`, [
    merchantId,
  ]);
}

interface Progress {
  readonly name: string;
  readonly through_at: string;
}

/**
 * What the source had not summed up yet is before the place where the target's sums are: they go back to
 * where the source was. What was counted already is counted by its difference, which is none.
 */
async function holdSums({ source, target }: MoveEnds): Promise<void> {
  await rowsOf(target, 'select name from rollup_progress order by name for update');
  for (const table of ['rollup_progress', 'history_trims']) {
    const isRollUp = table === 'rollup_progress';
    const places = await rowsOf<Progress>(
      source,
      `select name, through_at::text from ${table}
       ${isRollUp ? `where name in ('payments', 'uplift', 'uplift_disputes')` : ''}`,
    );
    for (const { name, through_at: throughAt } of places) {
      await rowsOf(
        target,
        `update ${table} set through_at = least(through_at, $2::timestamptz)
           ${isRollUp ? ', begun_at = null, cursor_at = null, cursor_keys = null' : ''}
         where name = $1`,
        [name, throughAt],
      );
    }
  }
}

/** A request that comes later is later in the log, too. */
async function keepOrder({ target }: MoveEnds, merchantId: string): Promise<void> {
  const only = 'where merchant_id = $1';
  const [row] = await rowsOf<{ latest: string | null }>(
    target,
    `select ${latestSql({ only })}::text as latest`,
    [merchantId],
  );
  // By itself: on Citus what reads tables may run elsewhere.
  await rowsOf(target, `select ${goOnAboveSql('$1::bigint')}`, [row?.latest]);
}

/** The audit log's lines were chained anew, as they came: to the same end. */
async function requireSameChain({ source, target }: MoveEnds, merchantId: string): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [source, target].map(async (cell) => {
      const [head] = await rowsOf<{ head: string }>(
        cell,
        `select line || ' ' || encode(hash, 'hex') as head from audit_heads where merchant_id = $1`,
        [merchantId],
      );
      return head?.head;
    }),
  );
  invariant(ours !== undefined, 'a merchant that exists has an audit log');
  if (ours !== theirs) {
    throw new AppError('move_rows_differ', 'The chain of the audit log ends otherwise there.');
  }
}
