import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { DebtReport, KnownName } from '../../../src/domain/debts/debt-names.ts';
import { joinReports } from '../../../src/domain/debts/join-reports.ts';

const invoiced = new Date('2026-03-01T00:00:00.000Z');

/** The merchant's report of an invoice, with a charge of its own. */
function byMerchant(invoiceId: string, change: Partial<DebtReport> = {}): DebtReport {
  return {
    merchantId: 'mer_1',
    channel: 'merchant',
    invoiceId,
    invoiceCreatedAt: invoiced,
    customerId: 'cus_1',
    subscriptionId: `sub_of_${invoiceId}`,
    isDaily: false,
    psp: 'stripe',
    amountMinor: 2000,
    currency: 'USD',
    charges: [charge(`ch_${invoiceId}`)],
    ...change,
  };
}

function byPsp(invoiceId: string, change: Partial<DebtReport> = {}): DebtReport {
  return byMerchant(invoiceId, {
    channel: 'psp',
    customerId: 'cus_at_psp',
    pspInvoiceId: invoiceId,
    ...change,
  });
}

function charge(pspTransactionId: string, change: Partial<DebtReport['charges'][number]> = {}) {
  const common = { psp: 'stripe', amountMinor: 2000, currency: 'USD' } as const;
  return { ...common, pspTransactionId, createdAt: invoiced, ...change };
}

/** Reports that come in batches of one, in this order; the debt of each. */
function debtsOf(...reports: readonly DebtReport[]): readonly string[] {
  let known: readonly KnownName[] = [];
  return reports.map((report) => {
    const plan = joinReports([report], known);
    known = withPlan(known, plan);
    return plan.reports[0]?.invoiceId ?? '';
  });
}

function withPlan(
  known: readonly KnownName[],
  { claimed, spent }: ReturnType<typeof joinReports>,
): readonly KnownName[] {
  const isSpent = (name: KnownName) =>
    spent.some((item) => item.kind === name.kind && item.value === name.value);
  return [...known.map((name) => (isSpent(name) ? { ...name, isSpent: true } : name)), ...claimed];
}

it('two channels share a period within a day of each other, whatever the hour, and no more', () => {
  for (let hour = 0; hour < 96; hour += 7) {
    const at = addMs(invoiced, hour * hourMs);
    for (let apart = -30; apart <= 30; apart += 3) {
      const other = addMs(at, apart * hourMs);
      const merchant = byMerchant('m1', { subscriptionId: 'sub_1', invoiceCreatedAt: at });
      const psp = byPsp('in_1', { subscriptionId: 'sub_1', invoiceCreatedAt: other });
      const isShared = Math.abs(apart) < 24;
      expect(debtsOf(merchant, psp)[1], `${hour} ${apart}`).toBe(isShared ? 'm1' : 'in_1');
      expect(debtsOf(psp, merchant)[1], `${hour} ${apart}`).toBe(isShared ? 'in_1' : 'm1');
    }
  }
});

it('a period that two invoices of a channel are near to says of neither whose it is', () => {
  const at = (hours: number) => ({
    subscriptionId: 'sub_1',
    invoiceCreatedAt: addMs(invoiced, hours * hourMs),
  });
  const near = [byPsp('in_1', at(-20)), byPsp('in_2', at(-19)), byMerchant('m1', at(0))];
  expect(debtsOf(...near)).toEqual(['in_1', 'in_2', 'm1']);
  // The second one of the PSP's lies between both: one of its two names is shared.
  const between = [byMerchant('m1', at(6)), byPsp('in_1', at(46)), byPsp('in_2', at(26))];
  expect(debtsOf(...between)).toEqual(['m1', 'in_1', 'in_2']);
});

describe('a second report', () => {
  const one = { charges: [charge('ch_1')] };

  it.each([
    ['of the same invoice', byMerchant('m1'), byMerchant('m1', { charges: [charge('ch_2')] })],
    ['of the charge that failed, by the PSP', byMerchant('m1', one), byPsp('in_1', one)],
    ['of the charge that failed, by the merchant', byPsp('in_1', one), byMerchant('m1', one)],
    ['of an invoice at the PSP', byPsp('in_1'), byMerchant('m1', { pspInvoiceId: 'in_1' })],
    ['under the PSP’s id', byMerchant('m1', { pspInvoiceId: 'in_1' }), byPsp('in_1')],
    [
      'of the same charge, told alike',
      byMerchant('m1', one),
      byMerchant('m2', { ...one, subscriptionId: 'sub_of_m1' }),
    ],
    [
      'of the subscription and period, by the other channel',
      byMerchant('m1', { subscriptionId: 'sub_1' }),
      byPsp('in_1', { subscriptionId: 'sub_1', invoiceCreatedAt: addMs(invoiced, 23 * hourMs) }),
    ],
    [
      'of the period, a day before or after midnight',
      byPsp('in_1', { subscriptionId: 'sub_1' }),
      byMerchant('m1', {
        subscriptionId: 'sub_1',
        invoiceCreatedAt: addMs(invoiced, -23 * hourMs),
      }),
    ],
  ])('%s joins the first', (_name, first, second) => {
    expect(debtsOf(first, second)).toEqual([first.invoiceId, first.invoiceId]);
  });

  it.each([
    ['of another invoice', byMerchant('m1'), byMerchant('m2')],
    ['of another merchant', byMerchant('m1'), byMerchant('m1', { merchantId: 'mer_2' })],
    [
      'with the same word for each charge, of another customer',
      byMerchant('m1', one),
      byMerchant('m2', { ...one, customerId: 'cus_2' }),
    ],
    [
      'with the same word for each charge, at another time',
      byMerchant('m1', one),
      byMerchant('m2', { charges: [charge('ch_1', { createdAt: addMs(invoiced, 1) })] }),
    ],
    [
      'with the same word for each charge, of another amount',
      byMerchant('m1', one),
      byMerchant('m2', { charges: [charge('ch_1', { amountMinor: 1999 })] }),
    ],
    [
      'of a charge of that id at another PSP',
      byMerchant('m1', one),
      byPsp('in_1', { psp: 'adyen', charges: [charge('ch_1', { psp: 'adyen' })] }),
    ],
    [
      'of the period, by the same channel',
      byMerchant('m1', { subscriptionId: 'sub_1' }),
      byMerchant('m2', { subscriptionId: 'sub_1' }),
    ],
    [
      'of the next period',
      byMerchant('m1', { subscriptionId: 'sub_1' }),
      byPsp('in_1', { subscriptionId: 'sub_1', invoiceCreatedAt: addMs(invoiced, 28 * dayMs) }),
    ],
    [
      'of the next period of a subscription at Braintree, which both are paid into',
      byPsp('sub_1:2026-03-01', { psp: 'braintree', pspInvoiceId: 'sub_1', charges: [] }),
      byPsp('sub_1:2026-04-01', { psp: 'braintree', pspInvoiceId: 'sub_1', charges: [] }),
    ],
    [
      'of a subscription that bills each day',
      byMerchant('m1', { subscriptionId: 'sub_1', isDaily: true }),
      byPsp('in_1', { subscriptionId: 'sub_1', isDaily: true }),
    ],
    [
      'of the period, with another amount',
      byMerchant('m1', { subscriptionId: 'sub_1' }),
      byPsp('in_1', { subscriptionId: 'sub_1', amountMinor: 500 }),
    ],
  ])('%s begins a debt of its own', (_name, first, second) => {
    const [, debt] = debtsOf(first, second);
    expect(debt).toBe(second.invoiceId);
    expect(joinReports([first, second], []).reports.map((item) => item.isNew)).toEqual([
      true,
      true,
    ]);
  });
});

describe('a period', () => {
  const sub = { subscriptionId: 'sub_1' };

  it('that two invoices of one channel share does not say whose the other channel’s is', () => {
    const reports = [byMerchant('m1', sub), byMerchant('m2', sub), byPsp('in_1', sub)];
    expect(debtsOf(...reports)).toEqual(['m1', 'm2', 'in_1']);
  });

  it('in which two channels have met joins no third invoice', () => {
    expect(debtsOf(byPsp('in_1', sub), byMerchant('m1', sub), byMerchant('m2', sub))).toEqual([
      'in_1',
      'in_1',
      'm2',
    ]);
    expect(debtsOf(byMerchant('m1', sub), byPsp('in_1', sub), byPsp('in_2', sub))).toEqual([
      'm1',
      'm1',
      'in_2',
    ]);
  });

  it('has each of its names spent once: what is spent already is not spent again by a third report', () => {
    let known: readonly KnownName[] = [];
    const spent = [byMerchant('m1', sub), byPsp('in_1', sub), byPsp('in_2', sub)].map((report) => {
      const plan = joinReports([report], known);
      known = withPlan(known, plan);
      return plan.spent.map(({ channel, isSpent }) => ({ channel, isSpent }));
    });
    expect(spent).toEqual([[], [{ channel: 'merchant', isSpent: false }], []]);
  });

  it('in which two channels have met joins no third invoice, wherever its names are divided', () => {
    for (let hour = 0; hour < 48; hour += 1) {
      const at = (hours: number) => ({ ...sub, invoiceCreatedAt: addMs(invoiced, hours * hourMs) });
      const [m1, in1] = [byMerchant('m1', at(hour)), byPsp('in_1', at(hour))];
      const m2 = byMerchant('m2', at(hour + 6));
      expect(debtsOf(m1, in1, m2), `${hour}`).toEqual(['m1', 'm1', 'm2']);
      expect(debtsOf(in1, m1, m2), `${hour}`).toEqual(['in_1', 'in_1', 'm2']);
      expect(debtsOf(m1, m2, in1), `${hour}`).toEqual(['m1', 'm2', 'in_1']);
    }
  });

  it('has been met in by two reports that a charge joins, whichever names they had before', () => {
    const own = (id: string, amountMinor = 2000) =>
      ({ ...sub, amountMinor, charges: [charge(id)] }) as const;
    expect(
      debtsOf(
        byMerchant('m1', own('ch_1', 500)),
        byPsp('in_1', own('ch_2')),
        byMerchant('m1', own('ch_2')),
        byMerchant('m2', own('ch_3')),
      ),
    ).toEqual(['m1', 'in_1', 'm1', 'm2']);
  });

  it('gives way to a charge', () => {
    const own = { ...sub, charges: [charge('ch_2')] };
    const reports = [
      byMerchant('m1', { ...sub, charges: [charge('ch_1')] }),
      byMerchant('m2', { ...own, subscriptionId: 'sub_2' }),
      byPsp('in_2', own),
    ];
    expect(debtsOf(...reports)).toEqual(['m1', 'm2', 'm2']);
  });
});

it('a report that names two debts shows that they are one', () => {
  const known = joinReports([byMerchant('m1'), byPsp('in_1')], []).claimed;
  const both = byMerchant('m1', { charges: [charge('ch_in_1')] });
  expect(joinReports([both], known).reports).toEqual([
    { invoiceId: 'm1', isNew: false, others: ['in_1'] },
  ]);
});

/** A debt with the ways in which its reports may name it; the first is what a channel always knows. */
const link = fc.constantFrom('charge', 'psp_invoice', 'period');
const debt = fc.record({ link, customer: fc.nat({ max: 2 }), period: fc.nat({ max: 3 }) });
const world = fc.array(debt, { minLength: 1, maxLength: 6 }).chain((debts) => {
  const all = debts.flatMap((item, index) => reportsOf(item, index));
  return fc.record({
    debts: fc.constant(debts),
    told: fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 14 }),
    batchSizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 14, maxLength: 14 }),
  });
});

interface Told {
  readonly debt: number;
  readonly report: DebtReport;
}

/** What each channel may tell of a debt, several times: each names it in its own way, and one links them. */
function reportsOf(
  { link: by, customer, period }: { link: string; customer: number; period: number },
  index: number,
): readonly Told[] {
  const invoiceCreatedAt = addMs(invoiced, period * 30 * dayMs + index * hourMs);
  const common = {
    invoiceCreatedAt,
    customerId: `cus_${customer}`,
    // Only a debt that its period links shares its subscription's name over the channels.
    subscriptionId: by === 'period' ? `sub_${customer}_${index}` : `sub_${customer}`,
    amountMinor: 2000 + index,
  };
  const failed = charge(`ch_${index}`, { createdAt: addMs(invoiceCreatedAt, index) });
  const shared = by === 'charge' ? [failed] : [charge(`own_${index}`)];
  return [
    {
      debt: index,
      report: byMerchant(`m${index}`, { ...common, charges: shared, ...atPsp(by, index) }),
    },
    { debt: index, report: byPsp(`in_${index}`, { ...common, charges: [failed] }) },
    {
      debt: index,
      report: byPsp(`in_${index}`, { ...common, charges: [charge(`re_${index}`), failed] }),
    },
  ];
}

function atPsp(by: string, index: number): Partial<DebtReport> {
  return by === 'psp_invoice' ? { pspInvoiceId: `in_${index}` } : {};
}

it('as many recoveries begin as there are debts, in any order and in batches', () => {
  fc.assert(
    fc.property(world, ({ told, batchSizes }) => {
      let known: readonly KnownName[] = [];
      const begun: number[] = [];
      const debtByName = new Map<number, string>();
      for (let from = 0, batch = 0; from < told.length; batch += 1) {
        const some = told.slice(from, from + (batchSizes[batch] ?? 1));
        from += some.length;
        const plan = joinReports(
          some.map((item) => item.report),
          known,
        );
        known = withPlan(known, plan);
        for (const [index, joined] of plan.reports.entries()) {
          const of = some[index]?.debt ?? -1;
          if (joined.isNew) begun.push(of);
          expect(joined.others).toEqual([]);
          expect(debtByName.get(of) ?? joined.invoiceId).toBe(joined.invoiceId);
          debtByName.set(of, joined.invoiceId);
        }
      }
      expect(begun.toSorted()).toEqual([...new Set(told.map((item) => item.debt))].toSorted());
    }),
    { numRuns: 500 },
  );
});
