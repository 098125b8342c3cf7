import { present } from '../../domain/present.ts';
import type { RestoreCheck } from '../../recovery/reconciliation/reconciliation-api.ts';
import type { RestoreStore } from '../../recovery/reconciliation/run-reconciliations.ts';
import type { Database, Queryable, Statement } from '../database.ts';

const columns =
  'restored_from, state, payments::float8 as payments, started_at, ended_at, phase, place';

const begin: Statement = {
  name: 'begin_restore_check',
  text: `
    insert into restore_checks (restored_from, state, started_at) values ($1, 'running', $2)
    on conflict (restored_from) do nothing`,
};

const list: Statement = {
  name: 'list_restore_checks',
  text: `select ${columns} from restore_checks order by started_at desc limit 50`,
};

const running: Statement = {
  name: 'is_restore_check_running',
  text: `select exists (select from restore_checks where state = 'running') as runs`,
};

const marked: Statement = {
  name: 'find_marked_restore_check',
  text: `
    select ${columns} from restore_checks where state = 'running' and phase = 'accounts'
    order by started_at limit 1`,
};

/**
 * The next open payments of the check under way; which of a page are open is looked at under lock, in the order in which
 * payments are held everywhere. Those of merchants that have moved away are copies that nobody works on, and may not be
 * written; those on their way may come back.
 */
const mark: Statement = {
  name: 'mark_restored_payments',
  text: `
    with held as (
      select * from (
        select restored_from, place from restore_checks
        where state = 'running' and phase = 'payments' order by started_at limit 1 for update
      ) locked offset 0
    ),
    page as materialized (
      select p.merchant_id, p.invoice_id from held h
      join lateral (
        select merchant_id, invoice_id from payments
        where (merchant_id, invoice_id) > (h.place[1], h.place[2])
        order by merchant_id, invoice_id limit $1
      ) p on true
    ),
    open as (
      select * from (
        select p.merchant_id, p.invoice_id from payments p
        where (p.merchant_id, p.invoice_id) in (select merchant_id, invoice_id from page)
          and p.state in ('scheduled', 'attempting')
          and not exists (
            select from merchant_moves v where v.merchant_id = p.merchant_id and v.state = 'moved')
        order by p.merchant_id, p.invoice_id
        for update of p
      ) locked offset 0
    ),
    marked as (
      update payments p set charge_may_exist = true, revision = p.revision + 1
      from open o
      where p.merchant_id = o.merchant_id and p.invoice_id = o.invoice_id
      returning 1
    ),
    last as (
      select merchant_id, invoice_id from page order by merchant_id desc, invoice_id desc limit 1
    )
    update restore_checks r
    set payments = r.payments + (select count(*) from marked),
        place = coalesce((select array[merchant_id, invoice_id] from last), r.place),
        phase = case when (select count(*) from page) < $1 then 'accounts' else r.phase end
    from held h where r.restored_from = h.restored_from
    returning 1`,
};

const end: Statement = {
  name: 'end_restore_check',
  text: `
    update restore_checks set state = 'done', ended_at = $2
    where restored_from = $1 and state = 'running' and not exists (
      select from reconciliations where purpose = 'restore' and state = 'running')`,
};

/** Payments that are marked in one transaction. */
const batch = 2_000;

interface RestoreRow {
  readonly restored_from: Date;
  readonly state: RestoreCheck['state'];
  readonly payments: number;
  readonly started_at: Date;
  readonly ended_at: Date | null;
}

export function createRestoreStore(db: Database): RestoreStore {
  return {
    async begin({ restoredFrom, at }) {
      await db.query(begin, [restoredFrom, at]);
      const found = (await listRestoreChecks(db)).find(
        (check) => check.restoredFrom.getTime() === restoredFrom.getTime(),
      );
      return found ?? { restoredFrom, state: 'running', payments: 0, startedAt: at };
    },
    async isRunning() {
      const [row] = await db.query<{ runs: boolean }>(running, []);
      return row?.runs ?? false;
    },
    markPayments: async () => (await db.query(mark, [batch])).length > 0,
    async findMarked() {
      const [row] = await db.query<RestoreRow>(marked, []);
      return row && toCheck(row);
    },
    async end({ restoredFrom, at }) {
      await db.query(end, [restoredFrom, at]);
    },
  };
}

/** The newest first, 50 at most. */
export async function listRestoreChecks(db: Queryable): Promise<readonly RestoreCheck[]> {
  return (await db.query<RestoreRow>(list, [])).map(toCheck);
}

function toCheck(row: RestoreRow): RestoreCheck {
  return {
    restoredFrom: row.restored_from,
    state: row.state,
    payments: row.payments,
    startedAt: row.started_at,
    ...present({ endedAt: row.ended_at ?? undefined }),
  };
}
