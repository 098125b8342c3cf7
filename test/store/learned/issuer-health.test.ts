import { expect, it, onTestFinished } from 'vitest';
import { issuerState } from '../../../src/policy/learned/outage.ts';
import { readIssuerHealth } from '../../../src/store/learned/issuer-health.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedMerchant } from '../reports/seed.ts';

it('counts late charges of each BIN, and those that no issuer answered', async () => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  await seedMerchant(db, 'mer_a');
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, bin,
       created_at, updated_at)
     select 'mer_a', 'pm_' || bin, 'c', 'active', bin, $1, $1 from unnest($2::text[]) as b (bin)`,
    [minute(0), ['400001', '400002']],
  );
  const charge = (bin: string, n: number, code: string | null) =>
    db.pool.query(
      `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
         initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome,
         network_code, at)
       values ('mer_a', $1, 'card', 'sandbox', 'reported', 'visa', 'mit', 'pan', $2, 'in_1', 100, 'USD',
         case when $3::text is null then 'approved' else 'declined' end, $3, $4)`,
      [`${bin}-${n}`, `pm_${bin}`, code, minute(n)],
    );
  for (let n = 1; n <= 8; n += 1) await charge('400001', n, '91');
  for (let n = 1; n <= 8; n += 1) await charge('400002', n, n === 8 ? '51' : null);
  const health = await readIssuerHealth(db, ['mer_a', 'mer_b'], minute(2), minute(60));
  expect(Object.fromEntries(health.get('mer_a') ?? [])).toEqual({
    '400001': { charges: 6, technical: 6, lastAtMs: minute(8).getTime() },
    '400002': { charges: 6, technical: 0, lastAtMs: minute(8).getTime() },
  });
  expect(health.has('mer_b')).toBe(false);
  const now = minute(10).getTime();
  expect(issuerState(health.get('mer_a')?.get('400001'), now).kind).toBe('down');
  expect(issuerState(health.get('mer_a')?.get('400002'), now).kind).toBe('up');
});
