import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReportChannel } from '../../../src/domain/debts/debt-names.ts';
import { present } from '../../../src/domain/present.ts';
import { debtReport } from '../../../src/recovery/intake/debt-report.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

/** A report of one of few invoices that names one of few charges: by these alone reports are of one debt. */
interface Told {
  readonly invoice: number;
  readonly charge: number;
  /** What was reported until then is applied at once. */
  readonly applies: boolean;
}

/** First each invoice with a charge of its own: as many debts. */
const first: readonly Told[] = Array.from({ length: 5 }, (_, index) => ({
  invoice: index,
  charge: index,
  applies: index === 4,
}));

/** What shows some of them to be one. */
const links: fc.Arbitrary<readonly Told[]> = fc.array(
  fc.record({
    invoice: fc.nat({ max: 4 }),
    charge: fc.nat({ max: 4 }),
    applies: fc.nat({ max: 3 }).map((one) => one === 0),
  }),
  { minLength: 1, maxLength: 5 },
);

/** The merchant's have even numbers. */
const channelOf = ({ invoice }: Told): ReportChannel => (invoice % 2 === 0 ? 'merchant' : 'psp');
const invoiceOf = (report: Told) => `${channelOf(report) === 'psp' ? 'in' : 'm'}_${report.invoice}`;
const bodyOf = (report: Told) =>
  failedCharge({ invoiceId: invoiceOf(report), charge: `ch_${report.charge}` });

/** The invoices and charges of each debt, by what the reports say alone. */
function trueDebts(reports: readonly Told[]): readonly ReadonlySet<string>[] {
  let debts: readonly ReadonlySet<string>[] = [];
  for (const report of reports) {
    const names = [invoiceOf(report), `ch_${report.charge}`];
    const isIts = (debt: ReadonlySet<string>) => names.some((name) => debt.has(name));
    const one = new Set([...debts.filter(isIts).flatMap((debt) => [...debt]), ...names]);
    debts = [...debts.filter((debt) => !isIts(debt)), one];
  }
  return debts;
}

async function tell(world: EngineWorld, reports: readonly Told[]): Promise<void> {
  for (const report of reports) {
    await submitBy(world, channelOf(report), bodyOf(report));
    if (report.applies) await world.apply(await world.claimRequests());
  }
  await world.settle();
}

/** Each debt's names, as its payment and its history have them. */
async function debtsOf(world: EngineWorld, reports: readonly Told[]) {
  const found = await world.deps.requestLog.findDebts(
    reports.map((report) => {
      const pspInvoiceId = channelOf(report) === 'psp' ? invoiceOf(report) : undefined;
      const by = { merchantId: world.merchantId, channel: channelOf(report) };
      return debtReport({ ...by, ...present({ pspInvoiceId }) }, bodyOf(report));
    }),
  );
  expect(found.flatMap((debt) => debt.others)).toEqual([]);
  const history = await world.rows<{ debt: string; name: string }>(
    'select invoice_id as debt, psp_transaction_id as name from transactions where merchant_id = $1',
    [world.merchantId],
  );
  const invoices = found.map(({ invoiceId: debt }, index) => ({
    debt,
    name: reports[index] && invoiceOf(reports[index]),
  }));
  const names = Map.groupBy([...invoices, ...history], ({ debt }) => debt);
  return [...names].map(([debt, of]) => ({ debt, names: new Set(of.map(({ name }) => name)) }));
}

const recoveries = (world: EngineWorld) =>
  world.rows<{ id: string; state: string; joined_to: string | null }>(
    `select invoice_id as id, state, joined_to, stop_reason, revision, merchant_invoice_id,
       psp_invoice_id, original_psp_transaction_id
     from payments where merchant_id = $1 order by 1`,
    [world.merchantId],
  );

it('reports that charges chain together are of one debt with one open recovery, however they are applied', async () => {
  const base = await engineWorld();
  await fc.assert(
    fc.asyncProperty(links, async (linked) => {
      const reports = [...first, ...linked];
      const { merchantId } = await base.addMerchant();
      const world = { ...base, merchantId };
      await tell(world, reports);
      const debts = await debtsOf(world, reports);
      expect(new Set(debts.map(({ names }) => names))).toEqual(new Set(trueDebts(reports)));
      const before = await recoveries(world);
      const going = before.filter((payment) => payment.joined_to === null);
      expect(new Set(going.map(({ id }) => id))).toEqual(new Set(debts.map(({ debt }) => debt)));
      expect(new Set(going.map(({ state }) => state))).toEqual(new Set(['scheduled']));
      const joined = before.filter((payment) => payment.joined_to !== null);
      expect(joined.filter(({ state }) => state !== 'stopped')).toEqual([]);

      await tell(world, linked);
      expect(await recoveries(world)).toEqual(before);
      expect(world.failures).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
