import { describe, expect, it } from 'vitest';
import { addMs, dayMs, secondMs } from '../../../../src/domain/clock.ts';
import { resolveNamedCharge } from '../../../../src/recovery/intake/psp-events/resolve-named-charge.ts';
import type { ChargeResult } from '../../../../src/recovery/psp-ports.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { expectSound } from '../../../kits/engine-faults.ts';
import { changedGateways } from '../../../kits/gateways.ts';
import { webhookWorld } from '../../../kits/psp-webhooks.ts';
import { leaseMs, pspTimeoutMs } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

type Told = Extract<ChargeResult, { kind: 'succeeded' | 'declined' }>;

const declined: Told = {
  kind: 'declined',
  pspTransactionId: 'psp_1',
  decline: { category: 'later', code: '51', networkCode: '51' },
};
const succeeded: Told = { kind: 'succeeded', pspTransactionId: 'psp_1' };

/** A world whose first charge was sent, with what came of it. */
async function charged(methods: readonly string[]): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods }));
  await world.runUntil(firstTry);
  return world;
}

/** A world in which a worker holds a charge whose answer never comes. */
async function held(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent());
  await world.settle();
  world.clock.set(firstTry);
  const worker = world.worker((deps) =>
    changedGateways(deps, () => ({ charge: () => Promise.reject(new Error('killed')) })),
  );
  await worker.runOnce();
  expect(worker.failures).toHaveLength(1);
  return world;
}

async function tell(
  world: EngineWorld,
  result: Told,
  change: { key?: string; psp?: 'stripe'; pause?: () => Promise<void> } = {},
) {
  const { deps } = webhookWorld(world);
  const { pause = deps.pause } = change;
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions order by ordinal',
  );
  return resolveNamedCharge(
    { ...deps, pause },
    {
      merchantId: world.merchantId,
      psp: change.psp ?? 'sandbox',
      connectionVersion: 1,
      event: { eventId: 'evt_1', type: 'test', occurredAt: world.clock.now() },
      parsed: { kind: 'charge_settled', idempotencyKey: change.key ?? row?.key ?? '', result },
    },
  );
}

/** The PSP's own word on its only charge. */
async function word(world: EngineWorld): Promise<Told> {
  const [charge] = await world.ledger();
  if (charge === undefined) throw new Error('the PSP has no charge');
  const told = charge.status === 'succeeded' ? succeeded : declined;
  return { ...told, pspTransactionId: charge.id };
}

describe('a charge whose answer was lost', () => {
  it('is resolved by the webhook at once, before it is looked up', async () => {
    const world = await charged(['pm_sandbox_lost_success']);
    expect(await tell(world, await word(world))).toBe('charge_settled');
    expect(await world.payment()).toMatchObject({
      status: 'recovered',
      attempts: [{ status: 'succeeded' }],
    });
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.ledger()).toHaveLength(1);
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('that was declined goes on as planned', async () => {
    const world = await charged(['pm_sandbox_lost_decline']);
    expect(await tell(world, await word(world))).toBe('charge_settled');
    const { status, nextAttemptAt } = await world.payment();
    expect([status, nextAttemptAt]).toEqual(['scheduled', addMs(worldStart, 3 * dayMs)]);
    await expectSound(world);
  });

  it('is resolved once by twenty webhooks and a look-up', async () => {
    const world = await charged(['pm_sandbox_lost_success']);
    const result = await word(world);
    world.clock.passMs(2 * secondMs);
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, () => tell(world, result)),
      world.settle(),
    ]);
    const settled = outcomes.filter((outcome) => outcome === 'charge_settled');
    expect(settled.length).toBeLessThanOrEqual(1);
    expect(outcomes).not.toContain('contradiction');
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });
});

describe('a charge that is being made', () => {
  it('is the worker’s that holds it: the event has to come again', async () => {
    const world = await held();
    expect(await tell(world, succeeded)).toBe('held');
    const { attempts } = await world.payment();
    expect(attempts[0]?.transactions[0]?.status).toBe('sending');
  });

  it('is resolved by its worker first where that has the answer in a moment', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    const told: Promise<string>[] = [];
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request) {
          const result = await gateway.charge(request);
          if (result.kind !== 'succeeded') throw new Error('it is to succeed');
          // The webhook overtakes the answer, and waits until the worker has recorded it.
          const overtaking = tell(world, result, { pause: () => running });
          told.push(overtaking);
          return result;
        },
      })),
    );
    const running = worker.runOnce().then(() => undefined);
    await running;
    expect(await Promise.all(told)).toEqual(['already_settled']);
    expect((await world.payment()).status).toBe('recovered');
    await expectSound(world);
  });

  it('is resolved where that worker’s lease has ended', async () => {
    const world = await held();
    world.clock.passMs(leaseMs);
    expect(await tell(world, declined)).toBe('charge_settled');
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attempts: [{ status: 'declined', transactions: [{ pspTransactionId: 'psp_1' }] }],
    });
    expect(await world.events()).toHaveLength(1);
  });
});

describe('a charge that has ended', () => {
  it('in the same way stays as it is, silently', async () => {
    const world = await charged(['pm_sandbox_success']);
    const before = await world.payment();
    expect(await tell(world, await word(world))).toBe('already_settled');
    expect(await world.payment()).toEqual(before);
    expect(world.log.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('as a decline contradicts a success: an incident, and nothing more is charged', async () => {
    const world = await charged(['pm_sandbox_decline_51']);
    expect(await tell(world, succeeded)).toBe('contradiction');
    const warned = world.log.filter((line) => line.includes('contradicts the record'));
    expect(warned).toHaveLength(1);
    expect(warned[0]).toContain('"recorded":"declined","result":"succeeded"');
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attempts: [{ status: 'declined' }],
    });
    expect(await world.ledger()).toHaveLength(1);
    expect(await world.rows('select kind, state from incidents')).toEqual([
      { kind: 'contradiction', state: 'open' },
    ]);
  });

  it('as never made is resolved by what the PSP says, and contradicted by the opposite', async () => {
    const world = await engineWorld();
    const worker = world.worker((deps) =>
      changedGateways(deps, () => ({
        charge: async () => ({ kind: 'unknown', reason: 'the answer was lost' }),
      })),
    );
    await world.submit(failedEvent());
    await world.settle();
    world.clock.set(firstTry);
    await worker.settle();
    world.clock.passMs(2 * secondMs + 2 * pspTimeoutMs);
    for (const charge of await world.claimUnknown()) await world.look(charge);
    expect((await world.payment()).attempts[0]?.transactions[0]?.status).toBe('not_made');
    expect(await tell(world, declined)).toBe('charge_settled');
    expect(await world.payment()).toMatchObject({ status: 'scheduled', attemptCount: 1 });
    expect(await tell(world, succeeded)).toBe('contradiction');
  });

  it('as a success contradicts a decline, and stays recovered', async () => {
    const world = await charged(['pm_sandbox_success']);
    expect(await tell(world, declined)).toBe('contradiction');
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.faults()).toEqual(['no_unresolved_contradiction: 1 breaches']);
  });
});

describe('a charge that is not ours', () => {
  it.each([{ key: 'somebody-elses' }, { psp: 'stripe' as const }])(
    'is none: %o',
    async (change) => {
      const world = await charged(['pm_sandbox_lost_success']);
      expect(await tell(world, succeeded, change)).toBe('charge_unknown');
      expect((await world.payment()).status).toBe('attempting');
    },
  );
});
