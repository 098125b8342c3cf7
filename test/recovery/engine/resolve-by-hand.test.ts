import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { resolveByHand, type SeenResult } from '../../../src/recovery/engine/resolve-by-hand.ts';
import { findCharge } from '../../../src/store/psp-events/find-charge.ts';
import { readUnknownCharges } from '../../../src/store/reports/read-unknown-charges.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);

/** A charge that the ladder of look-ups could not resolve: it waits for a person. */
async function leftToAPerson(method: string): Promise<EngineWorld> {
  const world = await engineWorld();
  const worker = world.worker((deps) =>
    changedGateways(deps, () => ({ lookUp: async () => ({ kind: 'unknown', reason: 'away' }) })),
  );
  await world.submit(failedEvent({ methods: [method] }));
  await world.settle();
  world.clock.set(firstTry);
  await world.runUntil(addMs(firstTry, 20 * hourMs), worker);
  return world;
}

async function only(world: EngineWorld) {
  const { items } = await readUnknownCharges(world.db, { limit: 10 });
  const [charge] = items;
  if (charge === undefined) throw new Error('no charge is unknown');
  return charge;
}

async function resolve(world: EngineWorld, seen: SeenResult, idempotencyKey?: string) {
  const key = idempotencyKey ?? (await only(world)).idempotencyKey;
  return resolveByHand(
    { ...world.deps, findCharge: (input) => findCharge(world.db, input) },
    { merchantId: world.merchantId, idempotencyKey: key, seen, reason: 'seen by a person' },
  );
}

describe('a charge that waits for a person', () => {
  it('is listed with all that is known of it', async () => {
    const world = await leftToAPerson('pm_sandbox_lost_success');
    const charge = await only(world);
    const [made] = await world.ledger();
    expect(charge).toMatchObject({
      merchantId: world.merchantId,
      invoiceId: 'in_1',
      psp: 'sandbox',
      idempotencyKey: made?.idempotency_key,
      amountMinor: 1_223,
      lookUps: 7,
      reason: 'away',
    });
    // Its PSP is asked once a day still.
    const next = charge.nextLookUpAt?.getTime() ?? 0;
    expect(next).toBeGreaterThan(world.clock.now().getTime());
    expect(next).toBeLessThanOrEqual(addMs(world.clock.now(), dayMs).getTime());
  });

  it('that succeeded ends the payment, with its event', async () => {
    const world = await leftToAPerson('pm_sandbox_lost_success');
    const [made] = await world.ledger();
    const seen = { kind: 'succeeded', pspTransactionId: made?.id ?? '' } as const;
    expect(await resolve(world, seen)).toEqual({ kind: 'resolved', status: 'recovered' });
    await world.runUntil(addMs(worldStart, 30 * dayMs));
    expect(await world.ledger()).toHaveLength(1);
    expect((await world.events()).map((event) => event.body.success)).toEqual([true]);
    expect((await readUnknownCharges(world.db, { limit: 10 })).items).toEqual([]);
    await expectSound(world);
  });

  it('that was declined goes on by the schedule', async () => {
    const world = await leftToAPerson('pm_sandbox_lost_decline');
    const [made] = await world.ledger();
    const seen = { kind: 'declined', pspTransactionId: made?.id ?? '' } as const;
    expect(await resolve(world, seen)).toEqual({ kind: 'resolved', status: 'scheduled' });
    const [attempt] = (await world.payment()).attempts;
    expect(attempt?.transactions[0]?.decline).toMatchObject({
      category: 'later',
      code: 'settled_by_operator',
      message: 'seen by a person',
    });
    await expectSound(world);
  });

  it('that was never made is made again under the same key', async () => {
    const world = await leftToAPerson('pm_sandbox_lost_before');
    const key = (await only(world)).idempotencyKey;
    expect(await resolve(world, { kind: 'not_made' })).toMatchObject({ status: 'scheduled' });
    world.clock.passMs(hourMs);
    await world.settle();
    expect((await only(world)).idempotencyKey).toBe(key);
  });

  it('is resolved once, and no other charge is resolved so', async () => {
    const world = await leftToAPerson('pm_sandbox_lost_success');
    const key = (await only(world)).idempotencyKey;
    const [made] = await world.ledger();
    const seen = { kind: 'succeeded', pspTransactionId: made?.id ?? '' } as const;
    const results = await Promise.all([resolve(world, seen, key), resolve(world, seen, key)]);
    expect(results.map((result) => result.kind).sort()).toEqual(['refused', 'resolved']);
    expect(await resolve(world, { kind: 'not_made' }, key)).toEqual({
      kind: 'refused',
      because: 'The charge is already resolved: succeeded.',
    });
    expect(await resolve(world, { kind: 'not_made' }, 'att_none-1')).toEqual({ kind: 'not_found' });
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });
});
