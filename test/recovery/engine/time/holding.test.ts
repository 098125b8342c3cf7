import { describe, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs, secondMs } from '../../../../src/domain/clock.ts';
import type { ChargeRequest } from '../../../../src/recovery/psp-ports.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { expectSound } from '../../../kits/engine-faults.ts';
import { changedGateways } from '../../../kits/gateways.ts';
import { leaseMs, pspTimeoutMs, type Worker } from '../../../kits/worker.ts';
import { type Operation, workerStruckAt } from '../faulty-worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A payment that is due now, of these methods. */
async function due(methods = ['pm_sandbox_success']): Promise<EngineWorld> {
  const world = await engineWorld();
  world.server.answerLookups({ body: { retry: true, reason: 'open' } });
  await world.submit(failedEvent({ methods, pspCustomerId: 'psp_cus_1' }));
  await world.runUntil(addMs(firstTry, -1));
  world.clock.set(firstTry);
  return world;
}

/** A worker to which this happens once, at a moment of its first attempt. */
function struck(
  world: EngineWorld,
  at: readonly [Operation, 'before' | 'after'],
  what: { readonly passMs?: number; readonly jump?: boolean; action?(): Promise<unknown> },
): Worker & { readonly wasStruck: () => boolean } {
  let epoch = 0;
  const [operation, when] = at;
  const strikes = async () => {
    if (what.passMs !== undefined) world.clock.passMs(what.passMs);
    if (what.jump === true) epoch += 1;
    await what.action?.();
  };
  const time = { epoch: () => epoch };
  return workerStruckAt(world, { operation, when, nth: 1 }, strikes, { time });
}

describe('a jump of the machine’s time', () => {
  it('after the claim: nobody is asked, nothing is charged, and the row is read again', async () => {
    const world = await due();
    const worker = struck(world, ['claim_payments', 'after'], { jump: true });
    await worker.settle();
    expect(worker.wasStruck()).toBe(true);
    expect(world.server.lookups).toHaveLength(0);
    expect(await world.ledger()).toHaveLength(0);
    await world.runUntil(addMs(firstTry, leaseMs));
    expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 1 });
    await expectSound(world);
  });

  it.each<readonly ['check' | 'claim_payments', 'before' | 'after', string]>([
    ['check', 'after', 'a yes is charged'],
    ['claim_payments', 'after', 'a plan is recorded'],
  ])('%s %s: not even %s', async (operation, when) => {
    const world = await due();
    const [before] = await world.rows('select * from payments');
    const worker = struck(world, [operation, when], { jump: true });
    await worker.settle();
    expect(await world.ledger()).toHaveLength(0);
    const [after] = await world.rows<Record<string, unknown>>('select * from payments');
    expect(after).toMatchObject({
      next_attempt_at: (before as Record<string, unknown>).next_attempt_at,
      decision: (before as Record<string, unknown>).decision,
      state: 'attempting',
    });
  });

  it('between the commit and the call: the charge is not sent, and was never made', async () => {
    const world = await due();
    const worker = struck(world, ['begin', 'after'], { jump: true });
    await worker.settle();
    expect(await world.ledger()).toHaveLength(0);
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attemptCount: 0,
      attempts: [{ transactions: [{ status: 'not_made' }] }],
    });
    await world.runUntil(addMs(firstTry, dayMs));
    expect((await world.ledger()).filter((charge) => charge.status === 'succeeded')).toHaveLength(
      1,
    );
    await expectSound(world);
  });

  it('of a look-up leaves the charge to the next one', async () => {
    const world = await due(['pm_sandbox_lost_success']);
    await world.settle();
    world.clock.passMs(2 * secondMs);
    const worker = struck(world, ['claim_unknown', 'after'], { jump: true });
    await worker.settle();
    expect(worker.wasStruck()).toBe(true);
    expect(await world.payment()).toMatchObject({ status: 'attempting' });
    await world.runUntil(addMs(firstTry, leaseMs + minuteMs));
    expect(await world.payment()).toMatchObject({ status: 'recovered' });
  });
});

describe('a lease', () => {
  it('that is nearly over is renewed before the charge, and nobody else takes the payment', async () => {
    const world = await due();
    const others: number[] = [];
    const worker = struck(world, ['check', 'after'], { passMs: leaseMs - 2 * pspTimeoutMs + 1 });
    const sending = workerStruckAt(
      world,
      { operation: 'charge', when: 'after', nth: 1 },
      async () => {
        world.clock.passMs(2 * pspTimeoutMs);
        others.push((await world.claimPayments()).length);
      },
    );
    const [payment] = await worker.claimPayments();
    if (payment === undefined) throw new Error('a payment is due');
    const slow = world.worker((deps) => ({
      ...deps,
      merchantClient: worker.deps.merchantClient,
      findGateway: sending.deps.findGateway,
    }));
    await slow.run(payment);
    expect(others).toEqual([0]);
    expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 1 });
  });

  it('that another took meanwhile lets nothing begin', async () => {
    const world = await due();
    let taken = 0;
    const worker = struck(world, ['check', 'after'], {
      passMs: leaseMs,
      action: async () => {
        taken = (await world.claimPayments()).length;
      },
    });
    await worker.settle();
    expect(taken).toBe(1);
    expect(await world.ledger()).toHaveLength(0);
    expect(await world.rows('select 1 from psp_transactions')).toHaveLength(0);
  });

  it('gives each charge the last moment at which it may be written', async () => {
    const world = await due(['pm_sandbox_decline_51', 'pm_sandbox_success--b']);
    const sent: ChargeRequest[] = [];
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        ...gateway,
        charge(request) {
          sent.push(request);
          world.clock.passMs(pspTimeoutMs);
          return gateway.charge(request);
        },
      })),
    );
    await worker.settle();
    expect(sent.map((request) => request.sendBy)).toEqual([
      addMs(firstTry, pspTimeoutMs),
      addMs(firstTry, 2 * pspTimeoutMs),
    ]);
  });
});

describe('a look-up that answers “no”', () => {
  it('is believed by the time of its question, not of its answer', async () => {
    const world = await due();
    let lookUps = 0;
    // The charge is on its way for long: the PSP gets it after the look-up has read its record.
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        ...gateway,
        charge: async () => ({ kind: 'unknown', reason: 'no answer' }),
        async lookUp(request) {
          const answer = await gateway.lookUp(request);
          lookUps += 1;
          world.clock.passMs(3 * pspTimeoutMs);
          return answer;
        },
      })),
    );
    await worker.settle();
    world.clock.passMs(2 * secondMs);
    await worker.settle();
    expect(lookUps).toBe(1);
    expect(await world.payment()).toMatchObject({ status: 'attempting' });
  });
});
