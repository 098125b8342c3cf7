import { isOwnKey } from '../../src/psp/own-key.ts';
import {
  type ReconcileDeps,
  reconcileStep,
} from '../../src/recovery/reconciliation/reconcile-step.ts';
import type {
  NewRun,
  Reconciliation,
} from '../../src/recovery/reconciliation/reconciliation-ports.ts';
import { createIncidentStore } from '../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../src/store/incidents/read-incidents.ts';
import { createReconciliationStore } from '../../src/store/reconciliation/reconciliation-store.ts';
import { type EngineWorld, random } from './engine.ts';

/** Comparisons of a world's charges with its sandbox PSP's list. */
export function reconciliationKit(world: EngineWorld) {
  const runs = createReconciliationStore(world.db);
  const incidents = createIncidentStore({ db: world.db, random });
  const deps: ReconcileDeps = { ...world.deps, runs, incidents, isOwnKey };
  const begin = (input: Partial<NewRun> = {}): Promise<Reconciliation> =>
    runs.begin({
      merchantId: world.merchantId,
      runId: `rec_${Math.random().toString(36).slice(2)}`,
      psp: 'sandbox',
      connectionVersion: 1,
      purpose: 'reconcile',
      at: world.clock.now(),
      ...input,
    });
  return {
    runs,
    deps,
    incidents,
    begin,
    /** Takes the run to its end, each step as another process would. */
    async finish(run: Reconciliation, maxSteps = 1_000): Promise<Reconciliation> {
      for (let steps = 0; ; steps += 1) {
        const now = await runs.find(run);
        if (now === undefined) throw new Error('the run is gone');
        if (now.state !== 'running' || steps === maxSteps) return now;
        await reconcileStep(deps, now);
      }
    },
    async findings() {
      const { items } = await listIncidents(world.db, { limit: 200 });
      return items.map(({ kind, invoiceId, ours, theirs }) => ({
        kind,
        invoiceId,
        ours: ours?.state,
        theirs: theirs?.state,
      }));
    },
  };
}
