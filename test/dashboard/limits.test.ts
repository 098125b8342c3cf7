import { beforeAll, expect, test } from 'vitest';
import { paidEvent } from '../kits/billing-events.ts';
import { expectSound, useDashboard } from '../kits/dashboard.ts';
import { advance, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

/** Charges of a card and their fees, as the engine writes them, and a charge that was paid. */
beforeAll(async () => {
  const { service, db } = dashboard;
  const now = await serviceNow(service);
  await db.query(
    {
      name: 'seed_charges',
      text: `
        insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
          initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
        select $1, 'c' || n, 'sandbox:pm_tired', 'sandbox', 'reported', 'visa', 'mit', 'pan',
          'pm_tired', 'in_tired', 4200, 'USD', 'declined',
          $2::timestamptz - make_interval(days => n)
        from generate_series(1, 18) n`,
    },
    [service.merchantId, now],
  );
  await db.query(
    {
      name: 'seed_fees',
      text: `
        insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros,
          currency, at)
        values ($1, 'c1', 'visa.category_1', 'avoided', 'visa', 400000, 'USD', $2),
               ($1, 'c2', 'mastercard.optimizer', 'expected', 'mastercard', 2500, 'USD', $2)`,
    },
    [service.merchantId, now],
  );
  // At this moment, which is of the same month as the page.
  await expectStatus(recoveryApi(service).post('/recover/payments', paidEvent({ at: now })), 200);
  await advance(service, 'PT1S');
});

test('fees, programmes and cards near a limit stand on one page', async () => {
  const page = await dashboard.open('/limits');
  const fees = page.getByRole('table', { name: 'Fees by rule' });
  await fees.getByText(/^Visa forbids another attempt .*category 1\./).waitFor();
  await fees.getByText('visa.category_1').waitFor();
  expect(await fees.innerText()).toContain('$0.0025');
  expect(
    await page.getByText('of charges that a rule refused').locator('..').innerText(),
  ).toContain('$0.40');
  // Both of its conditions, each by itself.
  for (const condition of ['ratio', 'cases']) {
    const gauge = page.getByRole('meter', { name: `Visa VAMP, ${condition}` });
    expect(await gauge.getAttribute('aria-valuetext')).toMatch(/^\d+% of the limit$/);
  }
  const cards = page.getByRole('table', { name: 'Cards, the least left first' });
  expect(await cards.innerText()).toContain('17 of 20');
  expect(await cards.innerText()).toContain('by the merchant, card number');
  await expectSound(page, 'limits');
});

test('a month and cards without anything say so', async () => {
  const page = await dashboard.open('/limits?merchant=mer_nobody&range=24h');
  await page.getByText('Nothing was settled or disputed this month.').waitFor();
  await page.getByText('No card has used half of what its network allows.').waitFor();
  await page.getByText('Could not load the fees').waitFor();
  await expectSound(page, 'limits-empty');
});
