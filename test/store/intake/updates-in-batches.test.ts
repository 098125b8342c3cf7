import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMs, secondMs } from '../../../src/domain/clock.ts';
import { reportChannels } from '../../../src/domain/debts/debt-names.ts';
import { updateReasons } from '../../../src/domain/payment-event.ts';
import { present } from '../../../src/domain/present.ts';
import type { MethodUpdate, SeenMethod } from '../../../src/recovery/intake-ports.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openTransaction } from '../../kits/open-transaction.ts';
import { addChanges, seenMethod } from './add-changes.ts';

const engineWorld = useEngineWorld();

/** Updates that are accepted at about one time, and what becomes of the batch that applies them. */
interface Group {
  readonly afterMs: number;
  readonly updates: readonly Omit<MethodUpdate, 'merchantId' | 'sequence'>[];
  /** Whoever applies it dies right after that, and it is applied again, by itself or with the next ones. */
  readonly again: 'no' | 'alone' | 'with_next';
}

const update = fc.record({
  paymentMethodId: fc.constantFrom('pm_1', 'pm_2'),
  names: fc.constantFrom(
    { customerId: 'cus_1' },
    { customerId: 'cus_2' },
    { pspCustomerId: 'psp_1' },
    { customerId: 'cus_1', pspCustomerId: 'psp_1' },
  ),
  reason: fc.constantFrom(...updateReasons),
  channel: fc.constantFrom(...reportChannels),
});

const groups: fc.Arbitrary<readonly Group[]> = fc.array(
  fc.record({
    afterMs: fc.constantFrom(secondMs, 20 * secondMs, 61 * secondMs),
    updates: fc.array(
      update.map(({ names, ...rest }) => ({ ...rest, ...present(names) })),
      { minLength: 1, maxLength: 4 },
    ),
    again: fc.constantFrom('no' as const, 'alone' as const, 'with_next' as const),
  }),
  { minLength: 1, maxLength: 5 },
);

/** A merchant with a payment of each customer; two of them are one customer at the PSP. */
async function merchantOf(base: EngineWorld): Promise<EngineWorld> {
  const world = { ...base, merchantId: (await base.addMerchant()).merchantId };
  const customers = [{ customerId: 'cus_1' }, { customerId: 'cus_2', pspCustomerId: 'psp_1' }];
  for (const [index, customer] of [
    ...customers,
    { customerId: 'cus_3', pspCustomerId: 'psp_1' },
  ].entries()) {
    const { merchantId, deps } = world;
    await deps.requestLog.append({
      ...{ merchantId, kind: 'payment', channel: 'merchant', receivedAt: worldStart },
      uuid: crypto.randomUUID(),
      body: failedEvent({ invoiceId: `in_${index}`, methods: ['pm_own'], ...customer }),
    });
  }
  await world.apply(await world.claimRequests());
  return world;
}

/** What is known of the methods in the end, and which payments each group had planned anew. */
async function applied(world: EngineWorld, all: readonly Group[], isBatched: boolean) {
  const { merchantId } = world;
  let sequence = 1n;
  let at = worldStart;
  let left: readonly MethodUpdate[] = [];
  const replanned: string[][] = [];
  for (const group of all) {
    at = addMs(at, group.afterMs);
    const own = group.updates.map((told) => ({ ...told, merchantId, sequence: sequence++ }));
    const together = [...left, ...own];
    left = isBatched && group.again === 'with_next' ? own : [];
    const batches = isBatched ? [together] : own.map((one) => [one]);
    const planned = new Set<string>();
    for (const updates of batches) {
      const added = await addChanges(world, { updates, at });
      for (const key of added.replanned) planned.add(`${key.invoiceId} ${key.paymentMethodId}`);
    }
    replanned.push([...planned].toSorted());
    if (isBatched && group.again === 'alone') {
      await addChanges(world, { updates: own, at: addMs(at, secondMs / 2) });
    }
  }
  const methods = await world.rows(
    `select payment_method_id, customer_id, psp_customer_id, state, last_reason, signalled_at
     from payment_methods where merchant_id = $1 and payment_method_id <> 'pm_own' order by 1`,
    [merchantId],
  );
  return { methods, replanned };
}

it('updates that are applied together, or again after a crash, are what they are one by one', async () => {
  const base = await engineWorld();
  await fc.assert(
    fc.asyncProperty(groups, async (all) => {
      const alone = await merchantOf(base);
      const batched = await merchantOf(base);
      const expected = await applied(alone, all, false);
      const found = await applied(batched, all, true);
      expect(found.methods).toEqual(expected.methods);
      // What comes again with the next ones is planned again with them, which changes nothing.
      const isWhole = all.every(({ again }) => again !== 'with_next');
      if (isWhole) expect(found.replanned).toEqual(expected.replanned);
    }),
    { numRuns: 60 },
  );
});

it('an update gives way to a later one that is applied at the same moment', async () => {
  const world = await engineWorld();
  const { merchantId } = world;
  const told = {
    merchantId,
    paymentMethodId: 'pm_1',
    customerId: 'cus_1',
    channel: 'merchant',
  } as const;
  await addChanges(world, { updates: [{ ...told, reason: 'user_added', sequence: 1n }] });
  await using later = await openTransaction(world.db);
  const text = `update payment_methods set state = 'removed', last_sequence = 3`;
  await later.query({ name: 'remove', text }, []);
  const applying = addChanges(world, {
    updates: [{ ...told, reason: 'user_updated', sequence: 2n }],
  });
  await untilLockWaits((sql) => world.rows(sql));
  await later.commit();
  await applying;
  expect(await world.rows('select state from payment_methods')).toEqual([{ state: 'removed' }]);
});

it('what events of one method tell together is what they tell one by one', async () => {
  const base = await engineWorld();
  const tell = async (isBatched: boolean) => {
    const world = { ...base, merchantId: (await base.addMerchant()).merchantId };
    const method = seenMethod(world, 'pm_1');
    const methods: readonly SeenMethod[] = [
      { ...method, pspCustomerId: 'psp_1', bin: '411111', issuerCountry: 'IN' },
      { ...method, customerId: 'cus_2', fundingSource: 'debit' },
    ];
    if (isBatched) await addChanges(world, { methods });
    else for (const one of methods) await addChanges(world, { methods: [one] });
    return await world.rows(
      `select customer_id, psp_customer_id, bin, issuer_country, funding_source
       from payment_methods where merchant_id = $1`,
      [world.merchantId],
    );
  };
  expect(await tell(true)).toEqual(await tell(false));
});
