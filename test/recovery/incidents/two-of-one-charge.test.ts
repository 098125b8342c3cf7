import { beforeEach, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import {
  dismissIncident,
  type ResolveDeps,
  refundIncident,
} from '../../../src/recovery/incidents/resolve-incident.ts';
import { settleRefund } from '../../../src/recovery/incidents/settle-refund.ts';
import type { RefundResult } from '../../../src/recovery/psp-ports.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { reconciliationKit } from '../../kits/reconciliation.ts';

const engineWorld = useEngineWorld();
const pspTransactionId = 'psp_1';
let world: EngineWorld;
let deps: ResolveDeps;
let asked: string[];
let answer: RefundResult;
let told: string;
let listed: string;

/** A declined charge was made after all: the PSP's event has said so, and its list says so again. */
beforeEach(async () => {
  world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.runUntil(addMs(worldStart, dayMs));
  const [charge] = await world.rows<{ key: string; amount: number }>(
    'select idempotency_key as key, amount_minor::int as amount from psp_transactions',
  );
  const { key: idempotencyKey, amount: amountMinor } = charge ?? { key: '', amount: 0 };
  const { merchantId } = world;
  const result = { kind: 'succeeded', pspTransactionId, told: {} } as const;
  await takeAnswer(world.deps, { merchantId, idempotencyKey, result });
  const kit = reconciliationKit(world);
  const made = { state: 'succeeded', currency: 'USD', createdAt: world.clock.now() } as const;
  const charges = [{ ...made, pspTransactionId, idempotencyKey, amountMinor }];
  const from = addMs(world.clock.now(), -hourMs);
  const report = { charges, from, to: addMs(world.clock.now(), 1) };
  await kit.finish(await kit.begin({ since: from, report }));
  const { items } = await listIncidents(world.db, { limit: 10 });
  const ids = new Map(items.map(({ kind, incidentId }) => [kind as string, incidentId]));
  expect([...ids.keys()].toSorted()).toEqual(['contradiction', 'state_differs']);
  [told, listed] = [ids.get('contradiction') ?? '', ids.get('state_differs') ?? ''];
  asked = [];
  answer = { kind: 'refunded', refundId: 're_1' };
  const incidents = createIncidentStore({ db: world.db, random });
  const gateways = changedGateways(world.deps, () => ({
    async refund({ idempotencyKey: key }) {
      asked.push(key);
      return answer;
    },
  }));
  deps = { ...world.deps, ...gateways, incidents };
});

const input = (incidentId: string) => ({
  merchantId: world.merchantId,
  incidentId,
  reason: 'seen by K. Ito',
});
const refund = (incidentId: string) => refundIncident(deps, input(incidentId));
const dismiss = (incidentId: string) => dismissIncident(deps, input(incidentId));
const state = async (incidentId: string) => (await deps.incidents.find(input(incidentId)))?.state;

it('one is refunded: the other is not dismissed, and its refund gives nothing back again', async () => {
  expect(await refund(told)).toMatchObject({ kind: 'refunded' });
  expect(await dismiss(listed)).toEqual({
    kind: 'refused',
    because: `The money of its charge was given back with the incident ${told}: refund this one as well, which gives nothing back a second time.`,
  });
  expect(await world.payment()).toMatchObject({ status: 'scheduled' });
  expect(await refund(listed)).toEqual({ kind: 'refunded', status: 'scheduled' });
  expect(asked).toHaveLength(1);
  expect([await state(told), await state(listed)]).toEqual(['refunded', 'refunded']);
  expect(await world.faults()).toEqual([]);
});

it('one is dismissed: the other is not refunded', async () => {
  expect(await dismiss(told)).toEqual({ kind: 'dismissed', status: 'stopped' });
  expect(await refund(listed)).toEqual({
    kind: 'refused',
    because: `The money of its charge is kept by the dismissal of the incident ${told}: dismiss this one as well.`,
  });
  expect(asked).toEqual([]);
  expect(await dismiss(listed)).toEqual({ kind: 'dismissed', status: 'stopped' });
  expect(await world.faults()).toEqual([]);
});

it('while a refund of one is in progress the other waits for it', async () => {
  answer = { kind: 'pending', refundId: 're_1' };
  expect(await refund(told)).toMatchObject({ kind: 'refunding' });
  const because = `A refund of its charge is in progress with the incident ${told}.`;
  expect(await dismiss(listed)).toEqual({ kind: 'refused', because });
  expect(await refund(listed)).toEqual({ kind: 'refused', because });
  expect(asked).toHaveLength(1);
  expect(await state(listed)).toBe('open');
});

it('a refund that fails in the end opens both again', async () => {
  await refund(told);
  await refund(listed);
  const refundSettled = { kind: 'refund_settled', refundId: 're_1', outcome: 'failed' } as const;
  const { merchantId } = world;
  const parsed = { ...refundSettled, pspTransactionId };
  await settleRefund(deps, { merchantId, psp: 'sandbox', parsed });
  expect([await state(told), await state(listed)]).toEqual(['open', 'open']);
  expect(await dismiss(listed)).toEqual({ kind: 'dismissed', status: 'stopped' });
  expect(await refund(told)).toMatchObject({ kind: 'refused' });
});

it.each([
  { what: 'a refund', first: () => refund(told), second: () => dismiss(listed) },
  { what: 'a dismissal', first: () => dismiss(told), second: () => refund(listed) },
])('of two decisions at once $what that came first excludes the other', async (both) => {
  const holder = await world.db.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from payments for update');
    const ask = (text: string) => world.rows(text);
    const first = both.first();
    await untilLockWaits(ask);
    const second = both.second();
    await untilLockWaits(ask, 2);
    await holder.query('rollback');
    expect(await first).not.toMatchObject({ kind: 'refused' });
    expect(await second).toMatchObject({ kind: 'refused' });
  } finally {
    holder.release();
  }
});
