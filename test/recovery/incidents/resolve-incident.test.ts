import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { takeAnswer } from '../../../src/recovery/engine/answers/take-answer.ts';
import { refundKey } from '../../../src/recovery/engine/charge-key.ts';
import {
  dismissIncident,
  type ResolveDeps,
  refundIncident,
} from '../../../src/recovery/incidents/resolve-incident.ts';
import type { RefundRequest, RefundResult } from '../../../src/recovery/psp-ports.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const end = addMs(worldStart, 40 * dayMs);

/** A world whose declined charge the PSP tells to have succeeded. */
async function contradicted(told: { amountMinor?: number } = {}) {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.runUntil(firstTry);
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions',
  );
  const { merchantId } = world;
  await takeAnswer(world.deps, {
    merchantId,
    idempotencyKey: row?.key ?? '',
    result: { kind: 'succeeded', pspTransactionId: 'psp_1', told },
  });
  return world;
}

async function decide(world: EngineWorld, refunds: readonly RefundResult[] = []) {
  const incidents = createIncidentStore({ db: world.db, random });
  const [incident] = (await listIncidents(world.db, { limit: 10 })).items;
  if (incident === undefined) throw new Error('no incident');
  const asked: RefundRequest[] = [];
  const left = [...refunds];
  const deps: ResolveDeps = {
    ...world.deps,
    ...changedGateways(world.deps, () => ({
      async refund(request) {
        asked.push(request);
        const next = left.shift();
        if (next === undefined) throw new Error('killed');
        return next;
      },
    })),
    incidents,
  };
  const { merchantId } = world;
  const input = { merchantId, incidentId: incident.incidentId, reason: 'seen by K. Ito' };
  return {
    asked,
    incident: async () => (await incidents.find(input)) ?? incident,
    refund: () => refundIncident(deps, input),
    dismiss: () => dismissIncident(deps, input),
  };
}

const frozen = async (world: EngineWorld) =>
  (await world.rows('select 1 from payments where frozen_at is not null')).length > 0;

describe('a refund of an incident', () => {
  it('is made once at the PSP, and the debt is recovered on', async () => {
    const world = await contradicted();
    const { refund, asked, incident } = await decide(world, [
      { kind: 'refunded', refundId: 're_1' },
    ]);
    expect(await refund()).toEqual({ kind: 'refunded', status: 'scheduled' });
    expect(asked).toEqual([
      {
        merchantId: world.merchantId,
        invoiceId: 'in_1',
        pspTransactionId: 'psp_1',
        amountMinor: 1_223,
        currency: 'USD',
        idempotencyKey: refundKey({
          merchantId: world.merchantId,
          psp: 'sandbox',
          pspTransactionId: 'psp_1',
          number: 1,
        }),
      },
    ]);
    expect(await incident()).toMatchObject({
      state: 'refunded',
      refundId: 're_1',
      resolution: 'seen by K. Ito',
    });
    expect(await frozen(world)).toBe(false);
    expect(await world.faults()).toEqual([]);
    await world.runUntil(end);
    expect((await world.ledger()).length).toBeGreaterThan(1);
    expect(await refund()).toMatchObject({ kind: 'refused' });
    const audit = await world.rows<{ action: string; detail: object }>(
      `select action, detail from audit_log where detail ->> 'incident_id' = $1
       order by detail ->> 'to' desc`,
      [(await incident()).incidentId],
    );
    expect(audit.map((line) => line.action)).toEqual(['incident.moved', 'incident.moved']);
    expect(audit.map((line) => line.detail)).toMatchObject([
      { to: 'refunding', reason: 'seen by K. Ito' },
      { to: 'refunded', refund_id: 're_1' },
    ]);
  });

  it('that was lost or cut off is made with the same key when it is asked for again', async () => {
    const world = await contradicted();
    const first = await decide(world);
    await expect(first.refund()).rejects.toThrow('killed');
    expect((await first.incident()).state).toBe('refunding');
    expect(await first.dismiss()).toMatchObject({ kind: 'refused' });
    const again = await decide(world, [
      { kind: 'unknown', reason: 'no answer' },
      { kind: 'pending', refundId: 're_1' },
      { kind: 'refunded', refundId: 're_1' },
    ]);
    expect(await again.refund()).toEqual({ kind: 'refunding', because: 'no answer' });
    expect(await again.refund()).toMatchObject({ kind: 'refunding' });
    expect(await frozen(world)).toBe(true);
    expect(await again.refund()).toMatchObject({ kind: 'refunded' });
    const asked = [...first.asked, ...again.asked];
    expect(new Set(asked.map((request) => request.idempotencyKey)).size).toBe(1);
    // Each knows when the first one was sent.
    expect(asked.map((request) => request.askedAt)).toEqual([
      undefined,
      ...again.asked.map(() => firstTry),
    ]);
    expect(await frozen(world)).toBe(false);
  });

  it('that the PSP refuses leaves it open', async () => {
    const world = await contradicted();
    const { refund, incident } = await decide(world, [{ kind: 'refused', reason: 'too old' }]);
    expect(await refund()).toEqual({ kind: 'refused', because: 'too old' });
    expect((await incident()).state).toBe('open');
    expect(await frozen(world)).toBe(true);
  });

  it('is asked for under another key once one was refused, and only then', async () => {
    const world = await contradicted();
    const { refund, asked } = await decide(world, [
      { kind: 'unknown', reason: 'no answer' },
      { kind: 'refused', reason: 'not settled yet' },
      { kind: 'refunded', refundId: 're_2' },
    ]);
    for (let time = 0; time < 3; time += 1) await refund();
    const [first, second, third] = asked.map((request) => request.idempotencyKey);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('an incident that is dismissed', () => {
  it('leaves money with the merchant that the PSP took: nothing more is charged', async () => {
    const world = await contradicted();
    const { dismiss, refund, asked } = await decide(world);
    expect(await dismiss()).toEqual({ kind: 'dismissed', status: 'stopped' });
    expect(await frozen(world)).toBe(false);
    await world.runUntil(end);
    expect(await world.ledger()).toHaveLength(1);
    expect(await world.faults()).toEqual([]);
    expect(await refund()).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
  });
});

describe('a charge of another amount', () => {
  async function unsettled() {
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

  it('settles the payment as recovered where it is left as it is', async () => {
    const world = await unsettled();
    const { dismiss } = await decide(world);
    expect(await dismiss()).toEqual({ kind: 'dismissed', status: 'recovered' });
    expect(await world.events()).toHaveLength(1);
    expect(await world.faults()).toEqual([]);
  });

  it('is given back whole, and the debt is charged anew under another key', async () => {
    const world = await unsettled();
    const { refund, asked } = await decide(world, [{ kind: 'refunded', refundId: 're_1' }]);
    expect(await refund()).toEqual({ kind: 'refunded', status: 'scheduled' });
    expect(asked).toMatchObject([{ amountMinor: 1 }]);
    await world.runUntil(end);
    expect((await world.payment()).status).toBe('recovered');
    expect(new Set((await world.ledger()).map((charge) => charge.idempotency_key)).size).toBe(2);
  });
});
