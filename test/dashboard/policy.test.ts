import { beforeAll, expect, test } from 'vitest';
import { expectSound, useDashboard } from '../kits/dashboard.ts';
import { serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

/** Payments of both arms as the engine leaves them: of the learned arm 30 of 40 are recovered. */
beforeAll(async () => {
  const { service, db } = dashboard;
  const now = await serviceNow(service);
  await db.query(
    {
      name: 'seed_arms',
      text: `
        insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
          original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids,
          first_decline, failed_at, window_ends_at, max_attempts, created_at, updated_at, state,
          attempt_count, decision)
        select $1, arm || n, 'cus_' || arm || n, 't', 'ch', 'sandbox', 1000, 'EUR', '{pm}',
          json_build_object('category', case when n % 2 = 0 then 'later' else 'technical' end),
          $2::timestamptz - interval '5 days', $2, 8, $2, $2,
          case when n <= won then 'recovered' else 'exhausted' end, 2,
          json_build_object('arm', arm)
        from (values ('learned', 30), ('holdout', 20)) as arms (arm, won), generate_series(1, 40) n`,
    },
    [service.merchantId, now],
  );
  const won = "where merchant_id = $1 and state = 'recovered'";
  await db.query(
    {
      name: 'seed_wins',
      text: `
        with begun as (
          insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer,
            amount_minor, currency, started_at, ended_at)
          select merchant_id, 'att_' || invoice_id, invoice_id, 1, 'succeeded', '{"retry":true}',
            amount_minor, currency, $2::timestamptz, $2::timestamptz
          from payments ${won}
          returning *
        )
        insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
          idempotency_key, payment_method_id, amount_minor, currency, psp_transaction_id, sent_at,
          settled_at)
        select merchant_id, attempt_id, 1, invoice_id, 'sandbox', 'succeeded', attempt_id, 'pm',
          amount_minor, currency, 'ch_' || attempt_id, $2::timestamptz, $2::timestamptz
        from begun`,
    },
    [service.merchantId, now],
  );
});

test('both arms stand beside each other, with intervals and their n', async () => {
  const page = await dashboard.open('/policy');
  const table = page.getByRole('table', { name: 'Learned and holdout, EUR' });
  await table.waitFor();
  expect(await table.innerText()).toMatch(/Recovered by a retry\s+75\.0 % \[[\d.]+, [\d.]+\]/);
  expect(await table.innerText()).toMatch(/\+25\.0 pp \[/);
  const learned = page.getByText('Learned policy', { exact: true }).locator('..');
  expect(await learned.innerText()).toContain('€300.00');
  expect(await learned.innerText()).toContain('n = 40');
  const parts = page.getByRole('table', { name: 'Recovery rate by part' });
  expect(await parts.innerText()).toContain('technical');
  await page.getByLabel('Split by').selectOption('cohort');
  await parts.getByText(/^\d{4}-\d{2}-\d{2}$/).waitFor();
  await expectSound(page, 'policy');
});

test('a merchant without payments is told why there is nothing to compare', async () => {
  const page = await dashboard.open(`/policy?merchant=${dashboard.service.merchantId}&range=24h`);
  await page.getByRole('heading', { name: 'No payment failed in this time.' }).waitFor();
  await expectSound(page, 'policy-empty');
});
