import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import type { Database } from '../../../src/store/database.ts';
import { countMonth } from '../../../src/store/reports/disputes/dispute-ratios.ts';
import { countSettled } from '../../../src/store/rollups/count-settled.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
const merchantIds = ['mer_a', 'mer_b'] as const;
const methods = ['pm_1', 'pm_2', 'pm_3'] as const;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of merchantIds) await seedMerchant(db, merchantId);
});
afterAll(() => db.close());

const emptied = ['settled_charges', 'psp_transactions', 'attempts', 'transactions', 'payments'];
beforeEach(empty);
async function empty(): Promise<void> {
  await db.pool.query(
    [...emptied, 'payment_methods'].map((table) => `delete from ${table}`).join('; '),
  );
  await db.pool.query(
    "update rollup_progress set through_at = '-infinity' where name = 'settled_charges'",
  );
}

const at = new Date('2026-03-20T12:00:00Z');
const march = {
  monthBefore: new Date('2026-02-01T00:00:00Z'),
  from: new Date('2026-03-01T00:00:00Z'),
  until: new Date('2026-04-01T00:00:00Z'),
};
const later = { from: march.until, until: new Date('2026-05-01T00:00:00Z') };

type MerchantId = (typeof merchantIds)[number];
interface Charge {
  readonly merchantId: MerchantId;
  readonly method: (typeof methods)[number];
  readonly at: Date;
  /** Told by a report, charged by us, or both. */
  readonly by: 'report' | 'us' | 'both';
  readonly isPaid: boolean;
}

async function report({ merchantId, method, at: occurredAt, isPaid }: Charge, id: string) {
  await db.pool.query(
    `insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
       customer_id, subscription_id, payment_method_id, amount_minor, currency, success, occurred_at,
       detail, received_at)
     values ($1, $2, $2, $2, 'sandbox', 'cus', 'sub', $3, 1000, 'EUR', $4, $5, '{}', $5)`,
    [merchantId, id, method, isPaid, occurredAt],
  );
}

async function charge({ merchantId, method, at: settledAt, isPaid }: Charge, id: string) {
  await seedPayment(db, { merchantId, invoiceId: id, state: 'exhausted' });
  await db.pool.query(
    `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer,
       amount_minor, currency, started_at, ended_at)
     values ($1, $2, $2, 1, $3, '{"retry":true}', 1000, 'EUR', $4, $4)`,
    [merchantId, id, isPaid ? 'succeeded' : 'declined', settledAt],
  );
  await db.pool.query(
    `insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
       idempotency_key, payment_method_id, amount_minor, currency, psp_transaction_id, sent_at,
       settled_at)
     values ($1, $2, 1, $2, 'sandbox', $3, $2, $4, 1000, 'EUR', $2, $5, $5)`,
    [merchantId, id, isPaid ? 'succeeded' : 'declined', method, settledAt],
  );
}

async function know(merchantId: string, method: string, scheme: string) {
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, scheme,
       created_at, updated_at)
     values ($1, $2, 'cus', 'active', $3, $4, $4)
     on conflict (merchant_id, payment_method_id) do update set scheme = excluded.scheme`,
    [merchantId, method, scheme, at],
  );
}

const charges: fc.Arbitrary<Charge> = fc
  .record({
    merchantId: fc.constantFrom(...merchantIds),
    method: fc.constantFrom(...methods),
    // Of the edges of both months, and of days beside them.
    at: fc.constantFrom(
      ...['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00Z', '2026-02-28T23:59:59.999Z'],
      ...['2026-03-01T00:00:00Z', '2026-03-19T08:00:00Z', '2026-03-31T23:59:59.999Z'],
      '2026-04-01T00:00:00Z',
    ),
    by: fc.constantFrom('report', 'us', 'both'),
    isPaid: fc.constantFrom(true, true, false),
  })
  .map(({ at: time, ...rest }) => ({ ...rest, at: new Date(time) }));
const schemes = fc.array(
  fc.tuple(
    fc.constantFrom(...merchantIds),
    fc.constantFrom(...methods),
    fc.constantFrom('Visa', 'visa', 'MasterCard', 'amex'),
  ),
);

/** Counted one by one: of each merchant and network, those of the month and of the month before. */
function direct(all: readonly Charge[], schemeOf: ReadonlyMap<string, string>) {
  const counts = new Map<string, number>();
  for (const { merchantId, method, at: time, isPaid } of all) {
    if (!isPaid || time < march.monthBefore || time >= march.until) continue;
    const scheme = schemeOf.get(`${merchantId} ${method}`)?.toLowerCase();
    const network = scheme === 'visa' || scheme === 'mastercard' ? scheme : (scheme ?? 'unknown');
    if (network === 'amex') continue;
    const isBefore = time < march.from;
    if (network === 'unknown' && isBefore) continue;
    const key = `${merchantId} ${network} ${isBefore ? 'before' : 'now'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map([...counts].sort());
}

async function read(merchants?: readonly string[]) {
  const input = merchants === undefined ? march : { ...march, merchantIds: merchants };
  const { months, asOf } = await countMonth(db, input);
  const counts = months.flatMap(({ merchantId, visa, mastercard, unknownSettled }) => [
    [`${merchantId} visa now`, visa.settled] as const,
    [`${merchantId} visa before`, visa.settledBefore] as const,
    [`${merchantId} mastercard now`, mastercard.settled] as const,
    [`${merchantId} mastercard before`, mastercard.settledBefore] as const,
    [`${merchantId} unknown now`, unknownSettled] as const,
  ]);
  return { counts: new Map(counts.filter(([, count]) => count > 0).sort()), asOf };
}

it('kept counts are what counting one by one gives, whatever is told late', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(charges, schemes), { maxLength: 12 }), async (steps) => {
      await empty();
      const all: Charge[] = [];
      const schemeOf = new Map<string, string>();
      for (const [index, [each, learned]] of steps.entries()) {
        const id = `ch_${index}`;
        if (each.by !== 'us') await report(each, id);
        if (each.by !== 'report') await charge(each, id);
        all.push(each);
        for (const [merchantId, method, scheme] of learned) {
          await know(merchantId, method, scheme);
          schemeOf.set(`${merchantId} ${method}`, scheme);
        }
        await countSettled(db, { at: addMs(at, index), oldestMs: 0 });
      }
      await countSettled(db, { at: addMs(at, minuteMs), oldestMs: 0 });
      const kept = await read();
      expect(kept.asOf).toEqual(addMs(at, minuteMs));
      expect(kept.counts).toEqual(direct(all, schemeOf));
      const own = all.filter(({ merchantId }) => merchantId === 'mer_b');
      expect((await read(['mer_b'])).counts).toEqual(direct(own, schemeOf));
    }),
    { numRuns: 25 },
  );
});

const paid: Charge = {
  merchantId: 'mer_a',
  method: 'pm_1',
  at: new Date('2026-03-19T08:00:00Z'),
  by: 'report',
  isPaid: true,
};
const one = new Map([['mer_a unknown now', 1]]);
const two = new Map([['mer_a unknown now', 2]]);

it('before the first count, charges are counted when they are asked for', async () => {
  await report(paid, 'ch_1');
  expect(await read()).toEqual({ counts: one, asOf: undefined });
});

it('a count stands until it is so old, and says of when it is', async () => {
  await report(paid, 'ch_1');
  await countSettled(db, { at, oldestMs: minuteMs });
  await report(paid, 'ch_2');
  await countSettled(db, { at: addMs(at, minuteMs), oldestMs: minuteMs });
  expect(await read()).toEqual({ counts: one, asOf: at });
  const next = addMs(at, minuteMs + 1);
  await countSettled(db, { at: next, oldestMs: minuteMs });
  expect(await read()).toEqual({ counts: two, asOf: next });
});

it('a new month is counted at once, and a month that no count covers when it is asked for', async () => {
  await report(paid, 'ch_1');
  await countSettled(db, { at, oldestMs: minuteMs });
  await report(paid, 'ch_2');
  const april = { monthBefore: march.from, ...later };
  const uncounted = await countMonth(db, april);
  expect(uncounted.asOf).toBeUndefined();
  const first = later.from;
  await countSettled(db, { at: first, oldestMs: 60 * 24 * 60 * minuteMs });
  expect((await countMonth(db, april)).asOf).toEqual(first);
  // March is the month before now: what is asked of March itself also needs February.
  expect(await read()).toEqual({ counts: two, asOf: undefined });
});
