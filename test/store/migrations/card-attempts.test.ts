import { expect, it, onTestFinished } from 'vitest';
import { readMigrations } from '../../../src/store/migrating/migration-files.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment, seedReport } from '../reports/seed.ts';

it('charges and reports from before the networks’ rules stand in their cards’ histories', async ({
  skip,
}) => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  skip(await isOnCitus(db.pool), 'no release of that time had cells on Citus');
  const ofInvoice = { merchantId: 'mer_a', invoiceId: 'in_1' };
  await seedMerchant(db, 'mer_a');
  await seedPayment(db, { ...ofInvoice, state: 'recovered' });
  await seedAttempt(db, { ...ofInvoice, number: 1, state: 'declined', sequence: 1 });
  await seedAttempt(db, { ...ofInvoice, number: 2, state: 'succeeded', sequence: 2 });
  const ids = { customerId: 'c', pspCustomerId: 'p', subscriptionId: 's', transactionId: 't' };
  await seedReport(db, { ...ofInvoice, ...ids, pspTransactionId: 'ch_first' });
  const decline = { networkCode: '41', adviceCode: '03' };
  await db.pool.query(`update psp_transactions set decline = $1 where state = 'declined'`, [
    decline,
  ]);
  // Our own charge, which the merchant reported back: it is one charge, not two.
  const own = { ...ids, pspCustomerId: 'p2', pspTransactionId: 'ch_att_in_1_2', success: true };
  await seedReport(db, { ...ofInvoice, ...own });
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, scheme,
       created_at, updated_at)
     values ('mer_a', 'pm_1', 'c', 'active', 'mastercard', $1, $1)`,
    [minute(1)],
  );
  await db.pool.query(`
    drop view card_histories, all_attempts, recorded_attempts;
    drop table network_fees, card_attempts, cards;
    alter table attempts drop column blocked_charges;
    alter table payment_methods
      drop column fingerprint, drop column credential_form, drop column acquirer_country`);

  const migrations = await readMigrations();
  const { sql = '' } = migrations.find(({ name }) => name === '0007_card_attempts.sql') ?? {};
  await db.pool.query(sql);
  const { rows } = await db.pool.query(
    `select charge_ref, card_key, origin, network, outcome, network_code, advice_code, lasting
     from card_attempts order by charge_ref`,
  );
  const common = {
    card_key: 'sandbox:pm_1',
    network_code: null,
    advice_code: null,
    lasting: false,
  };
  const mastercard = { ...common, origin: 'own', network: 'mastercard' };
  expect(rows).toEqual([
    {
      ...mastercard,
      charge_ref: 'att_in_1_1',
      outcome: 'declined',
      network_code: '41',
      advice_code: '03',
      lasting: true,
    },
    { ...mastercard, charge_ref: 'att_in_1_2', outcome: 'approved' },
    {
      ...common,
      origin: 'reported',
      network: 'unknown',
      charge_ref: 'in_1/ch_first',
      outcome: 'declined',
    },
  ]);
});
