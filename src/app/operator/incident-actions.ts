import { setTimeout as pause } from 'node:timers/promises';
import {
  dismissIncident,
  type ResolveOutcome,
  refundIncident,
} from '../../recovery/incidents/resolve-incident.ts';
import type { OperatorApi } from '../../recovery/operator-api.ts';
import { createIncidentStore } from '../../store/incidents/incident-store.ts';
import { createSetAsideStore } from '../../store/set-aside/set-aside-store.ts';
import type { AppContext } from '../context.ts';
import type { Engine } from '../engine.ts';

type IncidentActions = Pick<OperatorApi, 'refundIncident' | 'dismissIncident' | 'retrySetAside'>;

/** What the operator decides: incidents, and work that was set aside. */
export function createIncidentActions(
  context: Pick<AppContext, 'db' | 'random' | 'clock'>,
  engine: Pick<Engine, 'deps'>,
): IncidentActions {
  const { db, random, clock } = context;
  const incidents = createIncidentStore({ db, random });
  const setAside = createSetAsideStore(db);
  const { wake } = engine.deps;
  const deps = { ...engine.deps, pause: (durationMs: number) => pause(durationMs), incidents };

  async function resolve(
    work: typeof refundIncident,
    { incidentId, reason }: { readonly incidentId: string; readonly reason: string },
  ): Promise<ResolveOutcome> {
    const incident = await incidents.find({ incidentId });
    if (incident === undefined) return { kind: 'not_found' };
    return work(deps, { merchantId: incident.merchantId, incidentId, reason });
  }

  return {
    refundIncident: (input) => resolve(refundIncident, input),
    dismissIncident: (input) => resolve(dismissIncident, input),
    async retrySetAside({ kind, merchantId, id }) {
      const at = clock.now();
      const audit = { action: 'set_aside.retried', detail: { kind, id }, at };
      const isDue = await setAside.retry({ kind, merchantId, id, at, audit });
      if (isDue) for (const ring of Object.values(wake)) ring();
      return isDue;
    },
  };
}
