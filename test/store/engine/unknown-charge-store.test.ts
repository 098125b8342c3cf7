import { describe, expect, it } from 'vitest';
import { addMs, dayMs, secondMs } from '../../../src/domain/clock.ts';
import type { UnknownCharge } from '../../../src/recovery/engine-ports.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { leaseMs } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A payment whose charge was lost a moment ago. */
async function lost(): Promise<EngineWorld> {
  const world = await engineWorld();
  const methods = ['pm_sandbox_decline_51', 'pm_sandbox_lost_success'];
  await world.submit(failedEvent({ methods }));
  await world.runUntil(firstTry);
  return world;
}

async function taken(world: EngineWorld): Promise<UnknownCharge> {
  const [charge, ...others] = await world.claimUnknown();
  if (charge === undefined || others.length > 0) throw new Error('one charge should be due');
  return charge;
}

describe('an unknown charge', () => {
  it('is due after its first wait, with its attempt and the charges before it', async () => {
    const world = await lost();
    expect(await world.claimUnknown()).toEqual([]);
    world.clock.passMs(2 * secondMs);
    expect(await taken(world)).toMatchObject({
      invoiceId: 'in_1',
      psp: 'sandbox',
      lookUps: 0,
      dueAt: addMs(firstTry, 2 * secondMs),
      transaction: { ordinal: 2, state: 'unknown', paymentMethodId: 'pm_sandbox_lost_success' },
      attempt: {
        state: 'unknown',
        check: { retry: true },
        transactions: [{ state: 'declined', decline: { category: 'later' } }, { state: 'unknown' }],
      },
    });
  });

  it('belongs to one worker until the lease ends', async () => {
    const world = await lost();
    world.clock.passMs(2 * secondMs);
    const first = await taken(world);
    world.clock.passMs(leaseMs - 1);
    expect(await world.claimUnknown()).toEqual([]);
    world.clock.passMs(1);
    expect((await taken(world)).fence).toBe(first.fence + 1);
  });

  const postpone = (world: EngineWorld, charge: UnknownCharge, nextAt?: Date) =>
    world.deps.unknownCharges.postpone({
      merchantId: charge.merchantId,
      attemptId: charge.attempt.attemptId,
      ordinal: charge.transaction.ordinal,
      fence: charge.fence,
      reason: 'the PSP is away',
      ...(nextAt === undefined ? {} : { nextAt }),
    });

  it('is asked for again at the next time, and counts its look-ups', async () => {
    const world = await lost();
    world.clock.passMs(2 * secondMs);
    await postpone(world, await taken(world), addMs(firstTry, 10 * secondMs));
    expect(await world.claimUnknown()).toEqual([]);
    world.clock.set(addMs(firstTry, 10 * secondMs));
    expect((await taken(world)).lookUps).toBe(1);
  });

  it('is left to a person when there is no next time', async () => {
    const world = await lost();
    world.clock.passMs(2 * secondMs);
    await postpone(world, await taken(world));
    world.clock.passMs(30 * dayMs);
    expect(await world.claimUnknown()).toEqual([]);
    expect(await world.faults()).toEqual([]);
  });

  it('is not put off by a worker that lost its lease, nor once it is settled', async () => {
    const world = await lost();
    world.clock.passMs(2 * secondMs);
    const late = await taken(world);
    world.clock.passMs(leaseMs);
    const holder = await taken(world);
    await postpone(world, late);
    const [row] = await world.rows(
      'select look_ups, next_attempt_at from psp_transactions where ordinal = 2',
    );
    expect(row).toEqual({ look_ups: 0, next_attempt_at: addMs(firstTry, 2 * secondMs) });
    await world.look(holder);
    await postpone(world, holder, addMs(firstTry, dayMs));
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.faults()).toEqual([]);
  });
});
