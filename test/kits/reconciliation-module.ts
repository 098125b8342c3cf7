import {
  createReconciliationApi,
  reconciliationJobs,
} from '../../src/app/reconciliation-module.ts';
import type { Psp } from '../../src/domain/psps.ts';
import type { PspGateway } from '../../src/recovery/psp-ports.ts';
import type { BeginReconciliations } from '../../src/recovery/reconciliation/reconciliation-api.ts';
import { createActionLog } from '../../src/store/admin/audit-log.ts';
import { createIncidentStore } from '../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../src/store/incidents/read-incidents.ts';
import { listReconciliations } from '../../src/store/reconciliation/list-reconciliations.ts';
import { type EngineWorld, random } from './engine.ts';

/** A world whose merchant has this account, with what operators ask of comparisons and what does them. */
export async function reconciliationModule(world: EngineWorld, psp: Psp, gateway: PspGateway) {
  const { clock, db, merchantId } = world;
  await world.rows(
    `insert into psp_connections (merchant_id, psp, version, account, mode, created_at)
     values ($1, $2, 1, 'acct_1', 'test', $3)`,
    [merchantId, psp, clock.now()],
  );
  const engine = { ...world.deps, findGateway: async () => gateway };
  const context = { clock, db, random };
  const jobs = { requestReconciliation: async () => undefined };
  const actions = createActionLog(db);
  const api = createReconciliationApi(context, { engine, jobs, actions });
  const [, compareNow] = reconciliationJobs(context, engine);
  const incidents = createIncidentStore({ db, random });
  return {
    worker: world.worker(() => ({ findGateway: engine.findGateway })),
    /** What is asked for is compared to its end; how the runs ended. */
    async reconcile(input: Omit<BeginReconciliations, 'merchantId' | 'psp'> = {}) {
      const begun = await api.beginReconciliations({ ...input, merchantId, psp });
      if (compareNow === undefined || !('onDemand' in compareNow)) throw new Error('no job');
      const signal = new AbortController().signal;
      await compareNow.run({}, { at: clock.now(), signal, progress: () => undefined });
      const { items } = await listReconciliations(db, { merchantIds: [merchantId], limit: 10 });
      return items.filter(({ runId }) => begun.some((run) => run.runId === runId));
    },
    /** Every finding, by kind and debt. */
    async findings() {
      const { items } = await listIncidents(db, { merchantIds: [merchantId], limit: 200 });
      return items
        .map(({ kind, invoiceId, ours, theirs }) => ({
          kind,
          invoiceId,
          ours: ours?.state,
          theirs: theirs?.state,
        }))
        .toSorted((a, b) => `${a.kind} ${a.invoiceId}`.localeCompare(`${b.kind} ${b.invoiceId}`));
    },
    incidents,
  };
}
