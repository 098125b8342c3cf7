import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import {
  dismissIncident,
  type ResolveDeps,
  refundIncident,
} from '../../../src/recovery/incidents/resolve-incident.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** An incident of a debt that is open: a declined charge was made after all. */
async function contradicted(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.runUntil(firstTry);
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions',
  );
  await takeAnswer(world.deps, {
    merchantId: world.merchantId,
    idempotencyKey: row?.key ?? '',
    result: { kind: 'succeeded', pspTransactionId: 'psp_1', told: {} },
  });
  return world;
}

/** An incident whose charge waits for it: it was made in another amount. */
async function unsettled(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_success'] }));
  await world.settle();
  world.clock.set(firstTry);
  await world
    .worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request) {
          const result = await gateway.charge(request);
          return result.kind === 'succeeded' ? { ...result, told: { amountMinor: 1 } } : result;
        },
      })),
    )
    .runOnce();
  return world;
}

async function decisions(world: EngineWorld) {
  const incidents = createIncidentStore({ db: world.db, random });
  const [incident] = (await listIncidents(world.db, { limit: 10 })).items;
  if (incident === undefined) throw new Error('no incident');
  const asked: string[] = [];
  const deps: ResolveDeps = {
    ...world.deps,
    ...changedGateways(world.deps, () => ({
      async refund({ idempotencyKey }) {
        asked.push(idempotencyKey);
        return { kind: 'refunded', refundId: 're_1' };
      },
    })),
    incidents,
  };
  const { merchantId } = world;
  const input = { merchantId, incidentId: incident.incidentId, reason: 'seen by K. Ito' };
  return {
    asked,
    state: async () => (await incidents.find(input))?.state,
    refund: () => refundIncident(deps, input),
    dismiss: () => dismissIncident(deps, input),
    /** Ends, as by a kill, where the incident would be over. */
    dismissCutOff: () => {
      const move = () => Promise.reject(new Error('killed'));
      return dismissIncident({ ...deps, incidents: { ...incidents, move } }, input);
    },
  };
}

/** Both have read the incident as it is, the first one first, before either may change the invoice. */
async function atOnce<First, Second>(
  world: EngineWorld,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<readonly [First, Second]> {
  const holder = await world.db.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from payments for update');
    const ask = (text: string) => world.rows(text);
    const begun = first();
    await untilLockWaits(ask);
    const beside = second();
    await untilLockWaits(ask, 2);
    await holder.query('rollback');
    return await Promise.all([begun, beside]);
  } finally {
    holder.release();
  }
}

describe.each([
  { what: 'an incident of an open debt', opened: contradicted, kept: 'stopped' },
  { what: 'an incident that its charge waits for', opened: unsettled, kept: 'recovered' },
])('$what', ({ opened, kept }) => {
  it('is not refunded once its dismissal has begun', async () => {
    const world = await opened();
    const { refund, dismiss, asked, state } = await decisions(world);
    const [dismissed, refunded] = await atOnce(world, dismiss, refund);
    expect(dismissed).toEqual({ kind: 'dismissed', status: kept });
    expect(refunded).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
    expect(await state()).toBe('dismissed');
    expect(await world.faults()).toEqual([]);
  });

  it('is not dismissed once its refund has begun, and the debt stays owed', async () => {
    const world = await opened();
    const { refund, dismiss, asked, state } = await decisions(world);
    const [refunded, dismissed] = await atOnce(world, refund, dismiss);
    expect(refunded).toEqual({ kind: 'refunded', status: 'scheduled' });
    expect(dismissed).toMatchObject({ kind: 'refused' });
    expect(asked).toHaveLength(1);
    expect(await state()).toBe('refunded');
    expect((await world.payment()).status).toBe('scheduled');
  });
});

it('a dismissal that was cut off is ended by the same call, and by no refund', async () => {
  const world = await unsettled();
  const { refund, dismiss, dismissCutOff, asked, state } = await decisions(world);
  await expect(dismissCutOff()).rejects.toThrow('killed');
  expect(await state()).toBe('open');
  expect(await refund()).toEqual({
    kind: 'refused',
    because: 'Its dismissal has begun: dismiss it once more, so that it ends.',
  });
  expect(await dismiss()).toEqual({ kind: 'dismissed', status: 'recovered' });
  expect(asked).toEqual([]);
  expect(await world.events()).toHaveLength(1);
  expect(await world.faults()).toEqual([]);
});
