import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, secondMs } from '../../../src/domain/clock.ts';
import type { ReportChannel } from '../../../src/domain/debts/debt-names.ts';
import { paidEvent, worldStart } from '../../kits/billing-events.ts';
import { type DebtEventOptions, failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

type Told = DebtEventOptions & { readonly by: ReportChannel; readonly charge: string };

async function tellFailed(world: EngineWorld, { by, ...told }: Told): Promise<void> {
  await submitBy(world, by, failedCharge(told));
  await world.settle();
}

async function tellPaid(world: EngineWorld, { by, charge, ...told }: Told): Promise<void> {
  const event = paidEvent(told);
  const transactions = event.transactions.map((item) => ({ ...item, psp_transaction_id: charge }));
  await submitBy(world, by, { ...event, transactions });
  await world.settle();
}

/** What came of it, once each day on which a charge may be made has passed. */
async function endOf(world: EngineWorld, invoiceId: string) {
  await world.runUntil(addMs(worldStart, 30 * dayMs));
  const { status, stopReason } = await world.payment(invoiceId);
  return { status, stopReason, charges: (await world.ledger()).length };
}

const notBegun = { status: 'stopped', stopReason: 'recovered_elsewhere', charges: 0 };
const recovered = { status: 'recovered', stopReason: undefined, charges: 1 };

describe('a charge that succeeded under one invoice and is told late to have failed under another', () => {
  it('is charged no more, if the merchant told both', async () => {
    const world = await engineWorld();
    await tellPaid(world, { by: 'merchant', invoiceId: 'm0', charge: 'pi_1' });
    await tellFailed(world, { by: 'merchant', invoiceId: 'm1', charge: 'pi_1' });
    expect(await endOf(world, 'm1')).toEqual(notBegun);
  });

  it.each<readonly [ReportChannel, ReportChannel]>([
    ['merchant', 'psp'],
    ['psp', 'merchant'],
    ['psp', 'psp'],
  ])(
    'is charged no more, if the success is by the %s and the failure by the %s',
    async (paidBy, failedBy) => {
      const world = await engineWorld();
      const other = { customerId: 'c', at: addMs(worldStart, -secondMs) };
      await tellPaid(world, { by: paidBy, invoiceId: 'a', charge: 'pi_1' });
      await tellFailed(world, { by: failedBy, invoiceId: 'b', charge: 'pi_1', ...other });
      expect(await endOf(world, 'b')).toEqual(notBegun);
    },
  );

  it('is charged no more, where its PSP told of another charge that paid the invoice then', async () => {
    const world = await engineWorld();
    const paid = paidEvent({ invoiceId: 'in_1', customerId: 'c', methods: ['pm_1', 'pm_2'] });
    const transactions = paid.transactions.map((item) => ({
      ...item,
      ...(!item.success && { psp_transaction_id: 'ch_1' }),
    }));
    await submitBy(world, 'psp', { ...paid, transactions });
    await tellFailed(world, { by: 'merchant', invoiceId: 'm1', charge: 'ch_1' });
    expect(await endOf(world, 'm1')).toEqual(notBegun);
  });

  it('is charged no more, where the failure is a further one of a debt that is known', async () => {
    const world = await engineWorld();
    await tellPaid(world, { by: 'psp', invoiceId: 'in_1', charge: 'pi_1' });
    await tellFailed(world, { by: 'merchant', invoiceId: 'm1', charge: 'ch_1' });
    await tellFailed(world, { by: 'merchant', invoiceId: 'm1', charge: 'pi_1' });
    expect(await endOf(world, 'm1')).toEqual(notBegun);
  });
});

describe('a debt whose merchant writes one word for every charge', () => {
  it('is recovered, whoever else has paid', async () => {
    const world = await engineWorld();
    await tellPaid(world, { by: 'merchant', invoiceId: 'm0', charge: 'word', customerId: 'a' });
    await tellFailed(world, { by: 'merchant', invoiceId: 'm1', charge: 'word', customerId: 'b' });
    expect(await endOf(world, 'm1')).toEqual(recovered);
  });

  it('is recovered, where its PSP reported it first under an id of the charge', async () => {
    const world = await engineWorld();
    const paid = paidEvent({ invoiceId: 'm0', customerId: 'a', methods: ['pm_1', 'pm_2'] });
    const transactions = paid.transactions.map((item, index) => ({
      ...item,
      psp_transaction_id: index === 0 ? 'word' : 'ch_paid',
    }));
    await submitBy(world, 'merchant', { ...paid, transactions });
    await tellFailed(world, { by: 'psp', charge: 'ch_1' });
    await tellFailed(world, { by: 'merchant', charge: 'word', customerId: 'b' });
    expect(await endOf(world, 'in_1')).toEqual(recovered);
  });
});

describe('an invoice of one subscription that one channel told to be paid, and the other one late to have failed', () => {
  /** The same period, as neither names the other's invoice or charge. */
  async function tellPaidOf(world: EngineWorld, by: ReportChannel, told: DebtEventOptions = {}) {
    const event = paidEvent({ invoiceId: 'a', ...told });
    const subscription = { ...event.subscription, id: 'sub_1' };
    await submitBy(world, by, { ...event, subscription });
    await world.settle();
  }
  const failed = { invoiceId: 'b', charge: 'ch_1', subscriptionId: 'sub_1' } as const;

  it.each<readonly [ReportChannel, ReportChannel]>([
    ['merchant', 'psp'],
    ['psp', 'merchant'],
  ])('is not charged, if the success is by the %s', async (paidBy, failedBy) => {
    const world = await engineWorld();
    await tellPaidOf(world, paidBy, { at: addMs(worldStart, hourMs) });
    await tellFailed(world, { by: failedBy, ...failed });
    expect(await endOf(world, 'b')).toEqual(notBegun);
  });

  it.each<readonly [string, readonly (readonly [ReportChannel, DebtEventOptions])[]]>([
    ['by the same channel', [['merchant', {}]]],
    ['of another day', [['psp', { at: addMs(worldStart, dayMs) }]]],
    ['of another amount', [['psp', { amount: 5 }]]],
    [
      'of two invoices',
      [
        ['psp', {}],
        ['psp', { invoiceId: 'c' }],
      ],
    ],
    [
      'of both channels',
      [
        ['psp', {}],
        ['merchant', { invoiceId: 'c' }],
      ],
    ],
  ])('is recovered, if the success is %s', async (_, successes) => {
    const world = await engineWorld();
    for (const [by, told] of successes) await tellPaidOf(world, by, told);
    await tellFailed(world, { by: 'merchant', ...failed });
    expect(await endOf(world, 'b')).toEqual(recovered);
  });

  it('is recovered, if the success is of an invoice that had failed as well', async () => {
    const world = await engineWorld();
    const told = { subscriptionId: 'sub_1', charge: 'ch_0' } as const;
    await tellFailed(world, { by: 'psp', invoiceId: 'a', ...told });
    await tellFailed(world, { by: 'merchant', invoiceId: 'm0', ...told });
    await tellPaidOf(world, 'psp');
    await tellFailed(world, { by: 'merchant', ...failed });
    expect(await endOf(world, 'b')).toEqual(recovered);
  });
});
