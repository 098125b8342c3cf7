import { expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../../src/domain/clock.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { expectSound } from '../../../kits/engine-faults.ts';
import { changedGateways } from '../../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const unknownThere = 'pm_sandbox_not_found';
const declined = 'pm_sandbox_decline_51';
const good = 'pm_sandbox_success';

/** A payment of these methods, after its first try. */
async function tried(...methods: readonly string[]): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.submit(failedEvent({ methods }));
  await world.runUntil(firstTry);
  return world;
}

const charges = async (world: EngineWorld) =>
  (await world.ledger()).map((charge) => charge.payment_method);

async function statuses(world: EngineWorld): Promise<readonly (readonly string[])[]> {
  const { attempts } = await world.payment();
  return attempts.map((attempt) => [
    attempt.status,
    ...attempt.transactions.map((item) => item.status),
  ]);
}

it('a method that the PSP does not have is passed over for the next one of the attempt', async () => {
  const world = await tried(unknownThere, good);
  expect(await charges(world)).toEqual([good]);
  expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 1 });
  expect(await statuses(world)).toEqual([['succeeded', 'not_made', 'succeeded']]);
  const [{ transactions = [] } = {}] = (await world.payment()).attempts;
  expect(transactions.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('HTTP 400'),
    undefined,
  ]);
  // One question to the merchant, and one event that names what reached the PSP.
  expect(world.server.lookups).toHaveLength(1);
  expect((await world.events()).map(({ body }) => body)).toMatchObject([
    { success: true, psp_transactions: [{ merchant_payment_method_id: good, success: true }] },
  ]);
  await expectSound(world);
});

it.each([[[unknownThere, declined]], [[declined, unknownThere]]])(
  'of %j the decline is a try of the payment',
  async (methods) => {
    const world = await tried(...methods);
    expect(await charges(world)).toEqual([declined]);
    expect(await world.payment()).toMatchObject({ status: 'scheduled', attemptCount: 1 });
    expect((await world.events())[0]?.body.psp_transactions).toHaveLength(1);
    await expectSound(world);
  },
);

it('where no method is left nothing was tried, and the attempt is made again after a wait', async () => {
  const world = await tried(unknownThere, `${unknownThere}--2`);
  expect(await statuses(world)).toEqual([['not_attempted', 'not_made', 'not_made']]);
  expect(await world.payment()).toMatchObject({
    status: 'scheduled',
    attemptCount: 0,
    nextAttemptAt: addMs(firstTry, 5 * minuteMs),
  });
  expect(await world.events()).toEqual([]);
  await world.runUntil(addMs(firstTry, 5 * minuteMs));
  const keys = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions order by 1',
  );
  expect(keys).toHaveLength(4);
  expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
  await expectSound(world);
});

it('a PSP that is down is asked for no further method', async () => {
  const world = await tried('pm_sandbox_unavailable', good);
  expect(await charges(world)).toEqual([]);
  expect(await statuses(world)).toEqual([['not_attempted', 'not_made']]);
});

it('a stop that comes meanwhile leads to no further method', async () => {
  const world = await engineWorld();
  const worker = world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      async charge(request) {
        await worker.stop('in_1', { waits: false });
        return gateway.charge(request);
      },
    })),
  );
  await world.submit(failedEvent({ methods: [unknownThere, good] }));
  await world.settle();
  world.clock.set(firstTry);
  for (const due of await worker.claimPayments()) await worker.run(due);
  expect(await charges(world)).toEqual([]);
  expect((await world.payment()).status).toBe('stopped');
  await expectSound(world);
});
