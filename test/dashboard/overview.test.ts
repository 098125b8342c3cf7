import { beforeAll, expect, test } from 'vitest';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import { createModelStore } from '../../src/store/learned/model-store.ts';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { expectSound, useDashboard } from '../kits/dashboard.ts';
import { advance, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

const reports = [
  ['pm_sandbox_success', 42.5, 'USD'],
  ['pm_sandbox_success', 10, 'USD'],
  ['pm_sandbox_success_after_2', 99.99, 'USD'],
  ['pm_sandbox_decline_51', 20, 'USD'],
  ['pm_sandbox_success', 4_200, 'JPY'],
] as const;

async function reportAll(prefix: string): Promise<void> {
  const at = new Date((await serviceNow(dashboard.service)).getTime() - 60_000);
  await Promise.all(
    reports.map(([method, amount, currency], index) => {
      const invoiceId = `${prefix}_${index}`;
      const methods = cardsOf(invoiceId, [method]);
      const event = failedEvent({
        invoiceId,
        customerId: invoiceId,
        methods,
        amount,
        currency,
        at,
      });
      return expectStatus(recoveryApi(dashboard.service).post('/recover/payments', event), 200);
    }),
  );
}

test('teaches the first step while there is nothing to show', async () => {
  const page = await dashboard.open('/');
  await page.getByRole('heading', { name: 'No failed payment came in' }).waitFor();
  await page.getByText('Nothing does.').waitFor();
  await expectSound(page, 'overview-empty');
});

test('shows money first, and counts what happened meanwhile', async () => {
  await reportAll('in_first');
  await advance(dashboard.service, 'P4D');
  await reportAll('in_second');
  await advance(dashboard.service, 'P2DT23H');
  const page = await dashboard.open('/');
  await page.getByText('$52.50').first().waitFor();
  // The figures are counted beside the work: the page asks again until they hold all of it.
  const shown = () => page.locator('.figures').innerText();
  await expect.poll(shown, { timeout: 60_000 }).toMatch(/Recovery rate\s+25\.0 %/);
  const figures = await shown();
  expect(figures).toMatch(/Recovered\s+\$52\.50\s+2 payments/);
  expect(figures).toMatch(/At risk now\s+\$292\.48\s+6 payments/);
  expect(figures).not.toContain('holdout');
  await page.getByRole('img', { name: /^Recovered over time: \$52\.50 in all/ }).waitFor();
  await page.getByRole('img', { name: /attempts are planned for the next 24 hours/ }).waitFor();
  const funnel = page.getByRole('table', { name: 'Where failed money goes' });
  expect(await funnel.innerText()).toContain('May succeed later');
  await expectSound(page, 'overview');
});

test('shows one currency at a time, which stands in the address', async () => {
  const page = await dashboard.open('/');
  await page.getByLabel('Currency').selectOption('JPY');
  await page.getByText('¥4,200').first().waitFor();
  expect(new URL(page.url()).searchParams.get('currency')).toBe('JPY');
});

test('names what needs a person, with the way there', async () => {
  const { service, db } = dashboard;
  await db.pool.query(
    `update deliveries set state = 'pending', tries = 2, last_status = 500, delivered_at = null,
       window_started_at = created_at, next_attempt_at = created_at + interval '30 days'
     where merchant_id = $1`,
    [service.merchantId],
  );
  const now = await serviceNow(service);
  await db.pool.query(
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
       initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
     select $1, 'near_' || card || n, 'k:' || card, 'sandbox', 'own', 'visa', 'mit', 'pan', 'pm_1',
       'in_first_0', 1, 'USD', 'declined', $2::timestamptz - n * interval '1 day'
     from generate_series(1, 2) card, generate_series(1, 6 + 8 * card) n`,
    [service.merchantId, now],
  );
  await db.pool.query(
    "update rollup_progress set through_at = '-infinity' where name = 'card_limits'",
  );
  await db.pool.query("update merchants set policy_kind = 'learned' where merchant_id = $1", [
    service.merchantId,
  ]);
  await createModelStore(db).ensureShipped(priorModel, now);
  await db.pool.query("update models set distrust = 'of the last 400 tries 20 passed'");
  const page = await dashboard.open('/');
  await page.getByText('Demo merchant: the endpoint does not accept webhooks').waitFor();
  const drift = page.getByRole('link', {
    name: 'Demo merchant: fixed schedules plan, the model is off',
  });
  expect(await drift.getAttribute('href')).toContain(`/policy?merchant=${service.merchantId}`);
  await page.getByText('of the last 400 tries 20 passed').waitFor();
  // The first look has them counted; the next one shows them.
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.getByRole('region', { name: 'Needs you' }).innerText();
      },
      { timeout: 20_000 },
    )
    .toContain('Visa: 2 cards are near its limit');
  await page.getByText('2 cards, ✕ 1 with nothing left').waitFor();
  await expectSound(page, 'overview-alerts');
  await db.pool.query("update merchants set policy_kind = 'fixed' where merchant_id = $1", [
    service.merchantId,
  ]);
});

/** Payments as the learned policy would have left them, half of a year of them. */
test('sets the treated payments against the holdout, once there is one', async () => {
  const { service, db } = dashboard;
  const now = await serviceNow(service);
  await db.pool.query(
    `insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
       original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids, first_decline,
       state, failed_at, window_ends_at, max_attempts, attempt_count, created_at, updated_at, decision)
     select $1, 'in_arm_' || n, 'cus_' || n, 't_' || n, 'ch_' || n, 'sandbox', 1000 + n, 'EUR',
       array['pm_' || n], '{"category":"later","code":"51"}',
       case when n % 10 < case when n % 8 = 0 then 4 else 6 end then 'recovered' else 'exhausted' end,
       at, at + interval '28 days', 8, 1 + n % 4, at, least(at + interval '1 day' * (n % 7), $2),
       jsonb_build_object('arm', case when n % 8 = 0 then 'holdout' else 'learned' end)
     from (select n, $2::timestamptz - interval '29 days' + n * interval '40 minutes' as at
           from generate_series(1, 1000) n) x`,
    [service.merchantId, now],
  );
  // They are older than what was counted.
  await db.pool.query(
    "update rollup_progress set through_at = '-infinity' where name = 'payments'",
  );
  const page = await dashboard.open('/?currency=EUR');
  await page.getByText(/against the holdout \[/).waitFor();
  await page.getByText(/holdout, scaled to as much money/).waitFor();
  await expectSound(page, 'overview-holdout');
});

beforeAll(() => advance(dashboard.service, 'PT1S'));
