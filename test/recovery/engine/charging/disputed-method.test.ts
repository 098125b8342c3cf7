import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { addDispute } from '../../../kits/dispute-row.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { expectSound } from '../../../kits/engine-faults.ts';
import { changedGateways } from '../../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const end = addMs(worldStart, 40 * dayMs);
const own = 'pm_sandbox_decline_51';
const disputed = 'pm_sandbox_success--disputed';
const good = 'pm_sandbox_success';

/** A recovery of another card, whose merchant's yes names these methods, one of them in dispute. */
async function named(...methods: readonly string[]): Promise<EngineWorld> {
  const world = await engineWorld();
  await addDispute(world, { paymentMethodId: disputed });
  await world.submit(failedEvent({ methods: [own] }));
  await world.settle();
  const payment_methods = methods.map((id) => ({ id }));
  world.server.answerLookups({ body: { retry: true, reason: 'open', payment_methods } });
  return world;
}

const chargedMethods = async (world: EngineWorld) =>
  (await world.ledger()).map((charge) => charge.payment_method);
const skipped = [{ payment_method: disputed, why: 'disputed' }];

it('a disputed card that a yes names is passed over for the next method', async () => {
  const world = await named(disputed, good);
  await world.runUntil(firstTry);
  expect(await chargedMethods(world)).toEqual([good]);
  expect(await world.payment()).toMatchObject({
    status: 'recovered',
    attempts: [{ status: 'succeeded', check: { retry: true, skipped } }],
  });
  await expectSound(world);
});

it('a yes to nothing but a disputed card ends the recovery, as the dispute itself would', async () => {
  const world = await named(disputed);
  await world.runUntil(end);
  expect(await world.payment()).toMatchObject({
    status: 'stopped',
    stopReason: 'disputed',
    stopDetail: 'The card to charge is in an open dispute or has a fraud warning',
    attempts: [
      {
        status: 'not_attempted',
        check: { retry: true, skipped, refused: 'no usable payment method was answered' },
      },
    ],
  });
  expect(world.server.lookups).toHaveLength(1);
  expect(await world.ledger()).toEqual([]);
  await expectSound(world);
});

it('a disputed card after one that was declined leaves the attempt a try like any other', async () => {
  const world = await named(own, disputed);
  await world.runUntil(firstTry);
  expect(await chargedMethods(world)).toEqual([own]);
  const payment = await world.payment();
  expect(payment).toMatchObject({ status: 'scheduled', attempts: [{ status: 'declined' }] });
  expect(payment.attempts[0]?.check).not.toHaveProperty('refused');
  expect(await world.events()).toHaveLength(1);
  await expectSound(world);
});

it('a card that is known as a disputed one by its own charge is not asked about again and again', async () => {
  const world = await engineWorld();
  await addDispute(world, { paymentMethodId: 'pm_other', cardFingerprint: 'fp_1' });
  await world.submit(failedEvent({ methods: [own] }));
  await world.settle();
  const card = { fingerprint: 'fp_1' };
  const worker = world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      charge: async (request) => ({ ...(await gateway.charge(request)), card }),
    })),
  );
  await world.runUntil(end, worker);
  expect(await world.payment()).toMatchObject({ status: 'stopped', stopReason: 'disputed' });
  expect(await chargedMethods(world)).toEqual([own]);
  expect(world.server.lookups).toHaveLength(2);
  await expectSound(world);
});
