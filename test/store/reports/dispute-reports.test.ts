import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { countDisputeOutcomes } from '../../../src/store/reports/disputes/dispute-outcomes.ts';
import { countMonth } from '../../../src/store/reports/disputes/dispute-ratios.ts';
import { sumNetRecovery } from '../../../src/store/reports/net-recovery.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from './seed.ts';

let db: Database;
const march = {
  monthBefore: new Date('2026-02-01T00:00:00Z'),
  from: new Date('2026-03-01T00:00:00Z'),
  until: new Date('2026-04-01T00:00:00Z'),
};

async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const columns = Object.keys(row);
  await db.pool.query(
    `insert into ${table} (${columns.join(', ')})
     values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}

async function seedMethod(merchantId: string, id: string, scheme?: string): Promise<void> {
  await insert('payment_methods', {
    ...{ merchant_id: merchantId, payment_method_id: id, customer_id: 'c_1', scheme },
    ...{ state: 'active', created_at: minute(0), updated_at: minute(0) },
  });
}

async function seedPaid(merchantId: string, charge: string, method: string, at: string) {
  await insert('transactions', {
    ...{ merchant_id: merchantId, invoice_id: `in_${charge}`, transaction_id: charge },
    ...{ psp_transaction_id: charge, psp: 'sandbox', customer_id: 'c_1', subscription_id: 's_1' },
    ...{ payment_method_id: method, amount_minor: 1_000, currency: 'EUR', success: true },
    ...{ occurred_at: at, detail: {}, received_at: at },
  });
}

let disputes = 0;
async function seedDispute(
  merchantId: string,
  dispute: {
    network?: string;
    stages?: readonly (readonly [stage: string, at: string])[];
    at?: string;
    status?: string;
    charge?: string;
    amount?: readonly [number, string];
    reason?: readonly [code: string, family: string];
  },
): Promise<void> {
  disputes += 1;
  const { network, stages, status = 'needs_response', at = '2026-03-10T00:00:00Z' } = dispute;
  const isWarning = stages === undefined;
  const stage = stages?.at(-1)?.[0];
  const id = { merchant_id: merchantId, dispute_id: `dis_${disputes}` };
  const [amount, currency] = dispute.amount ?? [];
  const [code, family] = dispute.reason ?? [];
  await insert('disputes', {
    ...{ ...id, psp: 'sandbox', psp_dispute_id: `dp_${disputes}`, origin: 'psp', network },
    ...{ reason_code: code, reason_family: family },
    kind: isWarning ? 'fraud_warning' : 'dispute',
    ...(isWarning ? {} : { stage, status }),
    ...{ state_at: at, stage_begun_at: at, opened_at: stages?.[0]?.[1] ?? at },
    ...{ payment_ids: [dispute.charge ?? 'ch'], amount_minor: amount, currency },
    ...{ created_at: at, updated_at: at },
  });
  for (const [name, occurredAt] of stages ?? []) {
    const change = { stage: name, status, occurred_at: occurredAt, recorded_at: at };
    await insert('dispute_changes', { ...id, state: name, ...change });
  }
}

beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  await seedMethod('mer_a', 'pm_visa', 'Visa');
  await seedMethod('mer_a', 'pm_mc', 'MasterCard');
  await seedMethod('mer_a', 'pm_plain');
  await seedPaid('mer_a', 'v1', 'pm_visa', '2026-03-01T00:00:00Z');
  await seedPaid('mer_a', 'v2', 'pm_visa', '2026-03-31T23:59:59Z');
  await seedPaid('mer_a', 'v3', 'pm_visa', '2026-04-01T00:00:00Z');
  await seedPaid('mer_a', 'm1', 'pm_mc', '2026-02-28T23:59:59Z');
  await seedPaid('mer_a', 'm2', 'pm_mc', '2026-03-15T00:00:00Z');
  await seedPaid('mer_a', 'p1', 'pm_plain', '2026-03-15T00:00:00Z');
  await seedDispute('mer_a', { network: 'visa' });
  await seedDispute('mer_a', { network: 'visa', at: '2026-02-10T00:00:00Z' });
  await seedDispute('mer_a', { network: 'visa', stages: [['chargeback', '2026-03-31T23:00:00Z']] });
  // An inquiry of February that became a chargeback in March; one that never did; one prevented.
  await seedDispute('mer_a', {
    network: 'visa',
    stages: [
      ['inquiry', '2026-02-01T00:00:00Z'],
      ['chargeback', '2026-03-02T00:00:00Z'],
    ],
  });
  await seedDispute('mer_a', { network: 'visa', stages: [['inquiry', '2026-03-02T00:00:00Z']] });
  await seedDispute('mer_a', {
    ...{ network: 'visa', status: 'prevented', stages: [['pre_dispute', '2026-03-02T00:00:00Z']] },
  });
  await seedDispute('mer_a', { network: 'amex', stages: [['chargeback', '2026-03-02T00:00:00Z']] });
  await seedDispute('mer_a', { stages: [['chargeback', '2026-03-02T00:00:00Z']] });
  await seedDispute('mer_b', {
    network: 'mastercard',
    stages: [['chargeback', '2026-03-02T00:00:00Z']],
  });
});
afterAll(() => db.close());

it('counts what the programmes count, by month and network', async () => {
  const none = { settled: 0, settledBefore: 0, fraudReports: 0, disputes: 0 };
  const { months, asOf } = await countMonth(db, march);
  expect(asOf).toBeUndefined();
  expect(months).toEqual([
    {
      merchantId: 'mer_a',
      visa: { settled: 2, settledBefore: 0, fraudReports: 1, disputes: 2 },
      mastercard: { settled: 1, settledBefore: 1, fraudReports: 0, disputes: 0 },
      unknownDisputes: 1,
      unknownSettled: 1,
    },
    {
      merchantId: 'mer_b',
      visa: none,
      mastercard: { ...none, disputes: 1 },
      unknownDisputes: 0,
      unknownSettled: 0,
    },
  ]);
  const ofOne = await countMonth(db, { ...march, merchantIds: ['mer_b'] });
  const [only, ...others] = ofOne.months;
  expect([only?.merchantId, others]).toEqual(['mer_b', []]);
});

it('sums what was recovered, and what disputes took of it, to the minor unit', async () => {
  const invoices = ['free', 'open', 'lost', 'twice', 'won', 'inquiry'];
  for (const invoiceId of invoices) {
    const payment = { merchantId: 'mer_a', invoiceId };
    await seedPayment(db, { ...payment, state: 'recovered' });
    await seedAttempt(db, { ...payment, number: 1, state: 'succeeded' });
  }
  const own = await db.pool.query(
    'select invoice_id, psp_transaction_id from psp_transactions where merchant_id = $1',
    ['mer_a'],
  );
  const chargeOf = (invoice: string): string =>
    own.rows.find((row) => row.invoice_id === invoice).psp_transaction_id;
  const chargeback = [['chargeback', '2026-05-02T00:00:00Z']] as const;
  const tell = (invoice: string, status: string, amount?: readonly [number, string]) =>
    seedDispute('mer_a', {
      ...{ charge: chargeOf(invoice), status, stages: chargeback },
      ...(amount && { amount }),
    });
  await tell('open', 'under_review', [333, 'EUR']);
  await tell('lost', 'accepted', [1_000, 'EUR']);
  // Two disputes of one charge hold the charge at most; dollars of a charge in euros hold it whole.
  await tell('twice', 'lost', [600, 'EUR']);
  await tell('twice', 'needs_response', [700, 'USD']);
  await tell('won', 'won');
  await seedDispute('mer_a', {
    ...{ charge: chargeOf('inquiry'), stages: [['inquiry', '2026-05-02T00:00:00Z']] },
  });
  const [sum, ...others] = await sumNetRecovery(db, { merchantIds: ['mer_a'] });
  expect(others).toEqual([]);
  expect(sum).toEqual({
    ...{ merchantId: 'mer_a', currency: 'EUR', recoveredCount: 6, recoveredMinor: 6_000 },
    ...{ openCount: 2, openMinor: 333 + 400, lostCount: 2, lostMinor: 1_600 },
  });
  expect(await sumNetRecovery(db, { from: minute(1_000_000) })).toEqual([]);
  expect(await sumNetRecovery(db, { until: minute(1_000_000) })).toEqual([sum]);
});

it('counts how disputes ended, by network and reason, by where each stands now', async () => {
  await seedMerchant(db, 'mer_c');
  const tell = (network: string | undefined, status: string, stage = 'chargeback', day = '02') =>
    seedDispute('mer_c', {
      ...(network === undefined ? {} : { network, reason: ['10.4', 'fraud'] as const }),
      ...{ status, stages: [[stage, `2026-06-${day}T00:00:00Z`]] },
    });
  for (const status of ['won', 'won', 'won', 'lost', 'accepted', 'expired', 'closed'])
    await tell('visa', status);
  await tell('visa', 'prevented', 'pre_dispute');
  // Won once, and back as a pre-arbitration: it is open.
  await tell('visa', 'under_review', 'pre_arbitration');
  await tell('visa', 'won', 'inquiry');
  await seedDispute('mer_c', { network: 'visa' });
  await tell(undefined, 'needs_response', 'chargeback', '20');
  const of = { merchantIds: ['mer_c'] };
  const visa = {
    ...{ merchantId: 'mer_c', network: 'visa', reasonCode: '10.4', reasonFamily: 'fraud' },
    ...{ disputes: 9, open: 1, won: 3, lost: 1, accepted: 1, expired: 1, withdrawn: 2 },
  };
  const unknown = {
    ...{ merchantId: 'mer_c', disputes: 1, open: 1, won: 0, lost: 0 },
    ...{ accepted: 0, expired: 0, withdrawn: 0 },
  };
  expect(await countDisputeOutcomes(db, of)).toEqual([visa, unknown]);
  const june = new Date('2026-06-10T00:00:00Z');
  expect(await countDisputeOutcomes(db, { ...of, from: june })).toEqual([unknown]);
  expect(await countDisputeOutcomes(db, { ...of, until: june })).toEqual([visa]);
});
