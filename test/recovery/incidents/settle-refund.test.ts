import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import { refundKey } from '../../../src/recovery/engine/charge-key.ts';
import { refundIncident } from '../../../src/recovery/incidents/resolve-incident.ts';
import { settleRefund } from '../../../src/recovery/incidents/settle-refund.ts';
import type { ParsedEvent, RefundResult } from '../../../src/recovery/psp-ports.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { random, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
type RefundSettled = Extract<ParsedEvent, { kind: 'refund_settled' }>;

/** An incident whose charge a person asked to give back, which the PSP answered so. */
async function refunding(...answers: readonly RefundResult[]) {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.runUntil(addMs(worldStart, dayMs));
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions',
  );
  const { merchantId } = world;
  await takeAnswer(world.deps, {
    merchantId,
    idempotencyKey: row?.key ?? '',
    result: { kind: 'succeeded', pspTransactionId: 'psp_1', told: {} },
  });
  const incidents = createIncidentStore({ db: world.db, random });
  const [opened] = (await listIncidents(world.db, { limit: 10 })).items;
  if (opened === undefined) throw new Error('no incident');
  const key = { merchantId, incidentId: opened.incidentId };
  const left = [...answers];
  const keys: string[] = [];
  const gateways = changedGateways(world.deps, () => ({
    async refund({ idempotencyKey }) {
      keys.push(idempotencyKey);
      return left.shift() ?? { kind: 'pending', refundId: 're_1' };
    },
  }));
  const woken: string[] = [];
  const deps = {
    ...world.deps,
    ...gateways,
    incidents,
    wake: { ...world.deps.wake, payments: () => void woken.push('payments') },
  };
  const refund = () => refundIncident(deps, { ...key, reason: 'seen by K. Ito' });
  for (const _ of answers) await refund();
  woken.length = 0;
  const told: RefundSettled = {
    kind: 'refund_settled',
    pspTransactionId: 'psp_1',
    refundId: 're_1',
    outcome: 'refunded',
  };
  return {
    keys,
    woken,
    refund,
    settle: (change: Partial<RefundSettled>) =>
      settleRefund(deps, { merchantId, psp: 'sandbox', parsed: { ...told, ...change } }),
    incident: async () => (await incidents.find(key)) ?? opened,
    isFrozen: async () =>
      (await world.rows('select 1 from payments where frozen_at is not null')).length > 0,
    keyOf: (number: number) =>
      refundKey({ merchantId, psp: 'sandbox', pspTransactionId: 'psp_1', number }),
  };
}

const pending: RefundResult = { kind: 'pending', refundId: 're_1' };

it('a refund that was made, told by its id, resolves the incident once', async () => {
  const { settle, incident, isFrozen, woken } = await refunding(pending);
  expect(await isFrozen()).toBe(true);
  expect(await settle({})).toBe('settled');
  expect(await incident()).toMatchObject({
    state: 'refunded',
    refundId: 're_1',
    resolution: 'seen by K. Ito',
  });
  expect([await isFrozen(), woken]).toEqual([false, ['payments']]);
  expect(await settle({})).toBe('already');
  expect(woken).toHaveLength(1);
});

it('a refund whose answer was lost is known by its key, that of the first number', async () => {
  const { settle, incident, keys, keyOf } = await refunding({ kind: 'unknown', reason: 'lost' });
  expect(keys).toEqual([keyOf(1)]);
  for (const number of [0, 2]) {
    expect(await settle({ refundId: 're_9', idempotencyKey: keyOf(number) })).toBe('not_ours');
  }
  expect((await incident()).state).toBe('refunding');
  expect(await settle({ refundId: 're_9', idempotencyKey: keyOf(1) })).toBe('settled');
  expect(await incident()).toMatchObject({ state: 'refunded', refundId: 're_9' });
});

it('after a refund that failed, that of the second number is the one under way', async () => {
  const { settle, incident, keys, keyOf } = await refunding(
    { kind: 'refused', reason: 'not settled yet' },
    { kind: 'unknown', reason: 'lost' },
  );
  expect(keys).toEqual([keyOf(1), keyOf(2)]);
  expect(await settle({ refundId: 're_9', idempotencyKey: keyOf(1) })).toBe('not_ours');
  expect(await settle({ refundId: 're_9', idempotencyKey: keyOf(2) })).toBe('settled');
  expect((await incident()).state).toBe('refunded');
});

it.each(['refunding', 'refunded'])(
  'a refund that failed while %s opens the incident again, and its invoice is frozen',
  async (state) => {
    const { settle, incident, isFrozen, refund, keys, keyOf } = await refunding(pending);
    if (state === 'refunded') await settle({});
    expect(await settle({ outcome: 'failed', reason: 'account closed' })).toBe('settled');
    expect(await incident()).toMatchObject({
      state: 'open',
      resolution: 'The refund re_1 failed at the PSP: account closed',
    });
    expect(await isFrozen()).toBe(true);
    expect(await settle({ outcome: 'failed' })).not.toBe('settled');
    await refund();
    expect(keys.at(-1)).toBe(keyOf(2));
  },
);

it('a refund that the merchant made by itself, or of another charge, resolves nothing', async () => {
  const { settle, incident, woken } = await refunding(pending);
  expect(await settle({ refundId: 're_2' })).toBe('not_ours');
  expect(await settle({ refundId: 're_2', idempotencyKey: 'of the merchant' })).toBe('not_ours');
  expect(await settle({ pspTransactionId: 'psp_2' })).toBe('not_ours');
  expect([(await incident()).state, woken]).toEqual(['refunding', []]);
});
