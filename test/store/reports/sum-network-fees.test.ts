import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { sumNetworkFees } from '../../../src/store/reports/sum-network-fees.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedMerchant } from './seed.ts';

let db: Database;

async function seedFee(
  merchantId: string,
  at: number,
  fee: { rule: string; kind: string; micros: number; currency?: string },
): Promise<void> {
  await db.pool.query(
    `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros, currency, at)
     values ($1, $2, $3, $4, split_part($3, '.', 1), $5, $6, $7)`,
    [merchantId, `c_${at}`, fee.rule, fee.kind, fee.micros, fee.currency ?? 'USD', minute(at)],
  );
}

async function seedAdvised(
  at: number,
  change: { country?: string; advice?: string; code?: string; network?: string } = {},
): Promise<void> {
  await db.pool.query(
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
       initiator, credential, payment_method_id, invoice_id, amount_minor, currency,
       acquirer_country, outcome, network_code, advice_code, at)
     values ('mer_a', $1, 'k:1', 'sandbox', 'reported', $2, 'mit', 'pan', 'pm', 'in', 1, 'USD', $3,
       'declined', $4, $5, $6)`,
    [
      `a_${at}`,
      change.network ?? 'mastercard',
      change.country ?? null,
      change.code ?? '51',
      change.advice ?? '24',
      minute(at),
    ],
  );
}

beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  const closed = { rule: 'visa.category_1', micros: 100_000 };
  await seedFee('mer_a', 1, { ...closed, kind: 'avoided' });
  await seedFee('mer_a', 2, { ...closed, kind: 'avoided' });
  await seedFee('mer_a', 3, { ...closed, kind: 'expected', micros: 250_000 });
  await seedFee('mer_a', 4, { ...closed, kind: 'avoided', currency: 'EUR', micros: 4_000 });
  await seedFee('mer_b', 1, { ...closed, kind: 'avoided' });
});
afterAll(() => db.close());

const none = { expectedMicros: 0, expectedCount: 0, avoidedMicros: 0, avoidedCount: 0 };
const visa = { network: 'visa', rule: 'visa.category_1', currency: 'USD' };

describe('the fees of a merchant', () => {
  it('are summed per network, rule and currency', async () => {
    expect(await sumNetworkFees(db, { merchantId: 'mer_a' })).toEqual([
      { ...visa, ...none, currency: 'EUR', avoidedMicros: 4_000, avoidedCount: 1 },
      {
        ...visa,
        expectedMicros: 250_000,
        expectedCount: 1,
        avoidedMicros: 200_000,
        avoidedCount: 2,
      },
    ]);
  });

  it('are those of the time that is asked for: its start with it, its end without', async () => {
    const between = (from: number, to: number) =>
      sumNetworkFees(db, { merchantId: 'mer_a', from: minute(from), to: minute(to) });
    expect(await between(2, 3)).toEqual([
      { ...visa, ...none, avoidedMicros: 100_000, avoidedCount: 1 },
    ]);
    expect(await between(5, 9)).toEqual([]);
  });

  it('have what Mastercard charges for advice, by where the acquirer is', async () => {
    await seedAdvised(100, { country: 'US' });
    await seedAdvised(101, { country: 'CA', advice: '30' });
    await seedAdvised(102, { country: 'DE' });
    await seedAdvised(103, { country: 'CH' });
    // No fee is told of elsewhere, of other codes and advice, and of other networks.
    await seedAdvised(104);
    await seedAdvised(105, { country: 'US', code: '05' });
    await seedAdvised(106, { country: 'US', advice: '02' });
    await seedAdvised(107, { country: 'US', network: 'visa' });
    const fees = await sumNetworkFees(db, { merchantId: 'mer_a', from: minute(100) });
    const optimizer = { network: 'mastercard', rule: 'mastercard.optimizer', ...none };
    expect(fees.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))).toEqual([
      { ...optimizer, currency: 'EUR', expectedMicros: 14_000, expectedCount: 2 },
      { ...optimizer, currency: 'USD', expectedMicros: 40_000, expectedCount: 2 },
    ]);
  });
});
