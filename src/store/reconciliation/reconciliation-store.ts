import type { ListedCharge } from '../../recovery/psp-ports.ts';
import type { ReconciliationStore } from '../../recovery/reconciliation/reconciliation-ports.ts';
import type { Database, Statement } from '../database.ts';
import {
  adoptCharges,
  findAdoptable,
  findMissing,
  foundMissing,
  listMissing,
} from './adopt-rows.ts';
import { findOwn, findUnseen, hasListedDeclines } from './compare-rows.ts';
import { advanceRun, beginRun } from './move-runs.ts';
import { findKnownCustomers, findPaidDebts } from './paid-debts.ts';
import { type RunRow, runColumns, toRun } from './run-rows.ts';

const find: Statement = {
  name: 'find_reconciliation',
  text: `select ${runColumns} from reconciliations where merchant_id = $1 and run_id = $2`,
};

const running: Statement = {
  name: 'list_running_reconciliations',
  text: `
    select ${runColumns} from reconciliations where state = 'running'
    order by updated_at, merchant_id, run_id limit $1`,
};

const page: Statement = {
  name: 'read_reconciliation_page',
  text: `
    select charges from reconciliation_pages where merchant_id = $1 and run_id = $2 and page = $3`,
};

export function createReconciliationStore(db: Database): ReconciliationStore {
  return {
    begin: (input) => beginRun(db, input),
    async find({ merchantId, runId }) {
      const [row] = await db.query<RunRow>(find, [merchantId, runId]);
      return row && toRun(row);
    },
    listRunning: async (limit) => (await db.query<RunRow>(running, [limit])).map(toRun),
    advance: (run, done, at) => advanceRun(db, { run, done, at }),
    async readReportPage(run) {
      const values = [run.merchantId, run.runId, Number(run.place[0] ?? '0')];
      const [row] = await db.query<{ charges: readonly (ListedCharge & { createdAt: string })[] }>(
        page,
        values,
      );
      return row?.charges.map((charge) => ({ ...charge, createdAt: new Date(charge.createdAt) }));
    },
    findOwn: (run, ids) => findOwn(db, run, ids),
    findKnownCustomers: (run, ids) => findKnownCustomers(db, run, ids),
    findPaidDebts: (run, charges) => findPaidDebts(db, run, charges),
    findUnseen: (run, limit) => findUnseen(db, run, limit),
    hasListedDeclines: (run) => hasListedDeclines(db, run),
    findAdoptable: (run, limit) => findAdoptable(db, run, limit),
    findMissing: (run, keys) => findMissing(db, run, keys),
    adopt: (run, charges, at) => adoptCharges(db, run, { charges, at }),
    foundMissing: (run, keys) => foundMissing(db, run, keys),
    listMissing: (run, limit) => listMissing(db, run, limit),
  };
}
