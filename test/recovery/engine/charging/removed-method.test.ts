import { expect, it } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import type { PaymentMethodUpdateBody } from '../../../../src/domain/payment-event.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { expectSound } from '../../../kits/engine-faults.ts';
import { changedGateways } from '../../../kits/gateways.ts';
import type { WorkerDeps } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();
const declined = 'pm_sandbox_decline_51';
const good = 'pm_sandbox_success';

/** The first try of a payment with these methods, by a worker that is changed so. */
async function tried(
  methods: readonly string[],
  change: (world: EngineWorld, deps: WorkerDeps) => Partial<WorkerDeps>,
): Promise<EngineWorld> {
  const world = await engineWorld();
  const worker = world.worker((deps) => change(world, deps));
  await world.submit(failedEvent({ methods, pspCustomerId: 'psp_cus_1' }));
  await world.settle();
  world.clock.set(addMs(worldStart, dayMs));
  for (const due of await worker.claimPayments()) await worker.run(due);
  return world;
}

type Customer = Pick<PaymentMethodUpdateBody, 'customer_id' | 'psp_customer_id'>;
const own: Customer = { customer_id: 'cus_1' };

async function remove(world: EngineWorld, customer: Customer, id: string): Promise<void> {
  await world.submitUpdate({ ...customer, payment_method_id: id, reason: 'user_removed' });
  await world.apply(await world.claimRequests());
}

/** While the merchant's server is asked whether to retry, the customer removes this method. */
const whileAsked =
  (id: string, customer = own) =>
  (world: EngineWorld, { merchantClient }: WorkerDeps): Partial<WorkerDeps> => ({
    merchantClient: {
      ...merchantClient,
      async askRetryStatus(request) {
        await remove(world, customer, id);
        return merchantClient.askRetryStatus(request);
      },
    },
  });

const chargedMethods = async (world: EngineWorld) =>
  (await world.ledger()).map((charge) => charge.payment_method);

it('a method that is removed while the merchant is asked is passed over for the next one', async () => {
  const world = await tried([declined, good], whileAsked(declined));
  expect(await chargedMethods(world)).toEqual([good]);
  const skipped = [{ payment_method: declined, why: 'removed' }];
  expect(await world.payment()).toMatchObject({
    status: 'recovered',
    attempts: [{ check: { retry: true, skipped } }],
  });
  await expectSound(world);
});

it.each([{ customer_id: 'cus_1' }, { psp_customer_id: 'psp_cus_1' }])(
  'so is one that the yes alone names, and that is removed under %j',
  async (customer) => {
    const named = 'pm_sandbox_success--named';
    const world = await tried([declined], (its, deps) => {
      const payment_methods = [{ id: named }, { id: good }];
      its.server.answerLookups({ body: { retry: true, reason: 'open', payment_methods } });
      return whileAsked(named, customer)(its, deps);
    });
    expect(await chargedMethods(world)).toEqual([good]);
    await expectSound(world);
  },
);

it('the only method, removed meanwhile, leaves nothing charged and the payment waiting', async () => {
  const world = await tried([good], whileAsked(good));
  expect(await world.ledger()).toEqual([]);
  expect(await world.payment()).toMatchObject({
    status: 'scheduled',
    attemptCount: 0,
    decision: { kind: 'wait_for_update' },
    attempts: [
      { status: 'not_attempted', check: { refused: 'no usable payment method was answered' } },
    ],
  });
  expect(await world.events()).toEqual([]);
  await expectSound(world);
});

it('a method that is removed while the one before it is charged ends the attempt as declined', async () => {
  const world = await tried([declined, good], (its, deps) =>
    changedGateways(deps, (gateway) => ({
      async charge(request) {
        await remove(its, own, good);
        return gateway.charge(request);
      },
    })),
  );
  expect(await chargedMethods(world)).toEqual([declined]);
  const [attempt] = (await world.payment()).attempts;
  expect(attempt).toMatchObject({ status: 'declined', transactions: [{ status: 'declined' }] });
  expect(attempt?.check).not.toHaveProperty('refused');
  expect(await world.events()).toHaveLength(1);
  await expectSound(world);
});

it('what another customer removes meanwhile keeps no method of this one from being charged', async () => {
  const world = await tried([good], whileAsked(declined, { customer_id: 'cus_other' }));
  expect(await chargedMethods(world)).toEqual([good]);
});

it('what another merchant’s customer of the same ids removes keeps no method from being charged', async () => {
  const world = await tried([good], (its, { merchantClient }) => ({
    merchantClient: {
      ...merchantClient,
      async askRetryStatus(request) {
        const other = await its.addMerchant();
        await its.rows(
          `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, created_at, updated_at)
           values ($1, $2, 'cus_1', 'removed', $3, $3)`,
          [other.merchantId, good, worldStart],
        );
        return merchantClient.askRetryStatus(request);
      },
    },
  }));
  expect(await chargedMethods(world)).toEqual([good]);
});
