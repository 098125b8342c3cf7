import type { Page } from '../../recovery/api.ts';
import type { ListReconciliations } from '../../recovery/reconciliation/reconciliation-api.ts';
import type { Reconciliation } from '../../recovery/reconciliation/reconciliation-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';
import { type RunRow, runColumns, toRun } from './run-rows.ts';

const list: Statement = {
  name: 'list_reconciliations',
  text: `
    select ${runColumns} from reconciliations
    where ($1::text[] is null or merchant_id = any($1))
      and ($2::timestamptz is null or (started_at, merchant_id, run_id) < ($2, $3, $4))
    order by started_at desc, merchant_id desc, run_id desc limit $5`,
};

/** The newest first. @throws AppError invalid_request for a cursor of another list */
export async function listReconciliations(
  db: Queryable,
  { merchantIds, cursor, limit }: ListReconciliations,
): Promise<Page<Reconciliation>> {
  const values = [merchantIds, ...placeOf(cursor, 2), limit + 1];
  const rows = await db.query<RunRow>(list, values);
  return pageOf(rows, limit, {
    item: toRun,
    keys: (row) => [row.started_at.toISOString(), row.merchant_id, row.run_id],
  });
}
