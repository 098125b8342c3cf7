import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { ReportChannel } from '../../../src/domain/debts/debt-names.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { findRequest } from '../../../src/store/views/request-views.ts';
import { cardsOf, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';

const engineWorld = useEngineWorld();
const end = addMs(worldStart, 30 * dayMs);

const paid = async (world: EngineWorld) =>
  (await world.ledger()).filter((charge) => charge.status === 'succeeded');

const recoveries = (world: EngineWorld) =>
  world.rows<{ id: string }>(
    'select invoice_id as id from payments where joined_to is null order by 1',
  );

const outcomeOf = async (world: EngineWorld, requestId: Awaited<ReturnType<typeof submitBy>>) =>
  (await findRequest(world.db, { merchantId: world.merchantId, requestId }))?.outcome;

describe('a debt that two channels report', () => {
  it('has one recovery, and the second request says which', async () => {
    const world = await engineWorld();
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
    const second = await submitBy(
      world,
      'psp',
      failedCharge({ invoiceId: 'in_1', charge: 'ch_1' }),
    );
    await world.settle();
    expect(await outcomeOf(world, second)).toEqual({
      invoice_id: 'in_1',
      joined_invoice_id: 'm1',
      result: 'joined',
    });
    await world.runUntil(end);
    expect(await recoveries(world)).toEqual([{ id: 'm1' }]);
    expect(await paid(world)).toHaveLength(1);
    const history = 'select invoice_id, psp_transaction_id from transactions';
    expect(await world.rows(history)).toEqual([{ invoice_id: 'm1', psp_transaction_id: 'ch_1' }]);
    await expectSound(world);
  });

  it('takes over what the second one knows: names, methods and the invoice at the PSP', async () => {
    const world = await engineWorld();
    await submitBy(
      world,
      'psp',
      failedCharge({ invoiceId: 'in_1', charge: 'ch_1', customerId: 'c' }),
    );
    const own = failedCharge({
      invoiceId: 'm1',
      charge: 'ch_1',
      customerId: 'cus_of_merchant',
      pspCustomerId: 'c',
      methods: ['pm_sandbox_success', 'pm_2'],
      custom: { plan: 'gold' },
    });
    await submitBy(world, 'merchant', own);
    await world.runUntil(end);
    expect(await world.payment('in_1')).toMatchObject({
      status: 'recovered',
      customerId: 'cus_of_merchant',
      merchantInvoiceId: 'm1',
      pspInvoiceId: 'in_1',
      joinedInvoiceIds: ['m1'],
      custom: { plan: 'gold' },
    });
    expect(
      await world.rows('select payment_method_ids as ids, psp_customer_id from payments'),
    ).toEqual([{ ids: ['pm_sandbox_success', 'pm_2'], psp_customer_id: 'c' }]);
    expect(world.server.lookups.map((call) => call.invoiceId)).toEqual(['m1']);
    const [event] = await world.events();
    expect(event?.body).toMatchObject({ invoice_id: 'm1', custom: { plan: 'gold' } });
    await expectSound(world);
  });

  it('keeps its names while an attempt is open, and takes the new ones before the next', async () => {
    const world = await engineWorld();
    const methods = ['pm_sandbox_decline_51'];
    await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_1', methods }));
    await world.settle();
    world.clock.set(addMs(worldStart, dayMs));
    const due = await world.claimPayments();
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1', methods }));
    for (const request of [await world.claimRequests()]) await world.apply(request);
    expect((await world.payment('in_1')).merchantInvoiceId).toBeUndefined();
    for (const payment of due) await world.run(payment);
    expect(world.server.lookups.map((call) => call.invoiceId)).toEqual(['in_1']);
    await world.runUntil(end);
    const asked = world.server.lookups.map((call) => call.invoiceId);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked.slice(1))).toEqual(new Set(['m1']));
    await expectSound(world);
  });

  it('ends with a success under either of its ids', async () => {
    const world = await engineWorld();
    await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_1' }));
    await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
    await world.settle();
    const success = await submitBy(world, 'merchant', paidEvent({ invoiceId: 'm1' }));
    await world.runUntil(end);
    expect(await world.payment('in_1')).toMatchObject({
      status: 'stopped',
      stopReason: 'recovered_elsewhere',
    });
    expect(await outcomeOf(world, success)).toEqual({
      invoice_id: 'm1',
      joined_invoice_id: 'in_1',
      result: 'recovery_ended',
    });
    expect(await world.ledger()).toEqual([]);
  });

  it('is not begun where the merchant told before that another method paid it', async () => {
    const world = await engineWorld();
    const success = paidEvent({ invoiceId: 'm1', methods: ['pm_1', 'pm_2'] });
    const [first, second] = success.transactions;
    if (first === undefined || second === undefined) throw new Error('two methods were tried');
    const transactions = [{ ...first, psp_transaction_id: 'ch_1' }, second];
    await submitBy(world, 'merchant', { ...success, transactions });
    await world.settle();
    await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_1' }));
    await world.runUntil(end);
    expect(await world.payment('in_1')).toMatchObject({ stopReason: 'recovered_elsewhere' });
    expect(await world.ledger()).toEqual([]);
  });
});

/** Two recoveries that nothing joins, and the report that shows them to be one debt. */
async function twoRecoveries(world: EngineWorld): Promise<PaymentEventBody> {
  await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_2' }));
  world.clock.passMs(hourMs);
  await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
  await world.settle();
  expect(await recoveries(world)).toHaveLength(2);
  return failedCharge({ invoiceId: 'in_1', charge: 'ch_1' });
}

describe('two recoveries that turn out to be of one debt', () => {
  it('are one from then on, under both ids, with the history of both', async () => {
    const world = await engineWorld({ endOfDunning: true });
    const link = await twoRecoveries(world);
    await submitBy(world, 'psp', link);
    await world.runUntil(end);
    expect(await recoveries(world)).toEqual([{ id: 'in_1' }]);
    expect(await world.payment('in_1')).toMatchObject({
      status: 'recovered',
      merchantInvoiceId: 'm1',
      joinedInvoiceIds: ['m1'],
    });
    expect(await world.payment('m1')).toMatchObject({ status: 'stopped', stopReason: 'joined' });
    expect(await paid(world)).toHaveLength(1);
    expect(await world.rows('select distinct invoice_id from transactions')).toEqual([
      { invoice_id: 'in_1' },
    ]);
    expect((await world.events()).map((event) => event.type)).toEqual([
      'retry_result',
      'end_of_dunning',
    ]);
    await expectSound(world);
  });

  it('take the money once where both are charging when it is told', async () => {
    const world = await engineWorld();
    const link = await twoRecoveries(world);
    // The one that goes on declines first; then it may not charge while the other one is under way.
    world.clock.set(addMs(worldStart, dayMs + hourMs));
    let told = false;
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request) {
          if (!told) {
            told = true;
            await submitBy(world, 'psp', link);
            await world.apply(await world.claimRequests());
            const others = await world.claimPayments();
            await Promise.all(others.map((due) => world.run(due)));
          }
          return gateway.charge(request);
        },
      })),
    );
    const [first] = await worker.claimPayments(1);
    if (first === undefined) throw new Error('one of them is due');
    await worker.run(first);
    await world.runUntil(end);
    expect(told).toBe(true);
    expect(await paid(world)).toHaveLength(1);
    const states = await world.rows<{ state: string }>('select state from payments order by state');
    expect(states).toEqual([{ state: 'recovered' }, { state: 'stopped' }]);
    await expectSound(world);
  });
});

interface Told {
  readonly debt: number;
  readonly channel: ReportChannel;
  readonly body: PaymentEventBody;
}

/** What both channels may tell of a debt, each several times; a charge, or the period, links them. */
function reportsOf(debt: number, link: 'charge' | 'period'): readonly Told[] {
  const common = {
    methods: cardsOf(`debt_${debt}`),
    amount: 10 + debt,
    subscriptionId: link === 'period' ? `sub_${debt}` : 'sub',
  };
  const byMerchant = (charge: string) => ({
    debt,
    channel: 'merchant' as const,
    body: failedCharge({ ...common, invoiceId: `m${debt}`, charge }),
  });
  const byPsp = (charge: string) => ({
    debt,
    channel: 'psp' as const,
    body: failedCharge({ ...common, invoiceId: `in_${debt}`, customerId: 'cus_at_psp', charge }),
  });
  const own = link === 'charge' ? `ch_${debt}` : `own_${debt}`;
  return [byMerchant(own), byPsp(`ch_${debt}`), byMerchant(`${own}_again`), byPsp(`re_${debt}`)];
}

const told = fc
  .array(fc.constantFrom('charge' as const, 'period' as const), { minLength: 1, maxLength: 3 })
  .chain((links) =>
    fc.record({
      order: fc.shuffledSubarray(
        links.flatMap((link, debt) => reportsOf(debt, link)),
        { minLength: 1 },
      ),
      steps: fc.array(
        fc.record({ atOnce: fc.integer({ min: 1, max: 4 }), applies: fc.boolean() }),
        { minLength: 12, maxLength: 12 },
      ),
    }),
  );

it('whatever both channels tell, in any order and at once, each debt is paid once', async () => {
  await fc.assert(
    fc.asyncProperty(told, async ({ order, steps }) => {
      const world = await engineWorld();
      try {
        for (let from = 0, step = 0; from < order.length; step += 1) {
          const { atOnce = 1, applies = true } = steps[step] ?? {};
          const some = order.slice(from, from + atOnce);
          from += some.length;
          await Promise.all(some.map(({ channel, body }) => submitBy(world, channel, body)));
          if (applies) await world.settle();
        }
        await world.runUntil(end);
        const debts = new Set(order.map((item) => item.debt));
        expect(await paid(world)).toHaveLength(debts.size);
        expect(await recoveries(world)).toHaveLength(debts.size);
        await expectSound(world);
      } finally {
        await world.close();
      }
    }),
    { numRuns: 25 },
  );
});
