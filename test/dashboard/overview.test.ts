import { beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../src/domain/clock.ts';
import { priorModel } from '../../src/policy/learned/prior-model.ts';
import { createModelStore } from '../../src/store/learned/model-store.ts';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, useDashboard } from '../kits/dashboard.ts';
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
  await page.getByText('All clear.').waitFor();
  await expectSound(page, 'overview-empty');
});

test.each([1280, 390])('a long amount stands whole in its panel at %i', async (width) => {
  const page = await dashboard.open('/design');
  await page.setViewportSize({ width, height: 844 });
  const value = page.getByText('+$1,133,818,090.12', { exact: true });
  const [own, panel] = await value.evaluate((it) => [
    it.getBoundingClientRect().right,
    it.closest('.figure')?.getBoundingClientRect().right ?? 0,
  ]);
  expect(own).toBeLessThan(panel ?? 0);
  const height = (text: string) =>
    page.getByText(text, { exact: true }).evaluate((it) => it.getBoundingClientRect().height);
  expect(await height('5.2')).toBe(await height('37.0%'));
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
  await expect.poll(shown, { timeout: 60_000 }).toMatch(/Recovery rate\s+25\.0%/);
  const figures = await shown();
  expect(figures).toMatch(/Recovered\s+\$52\.50\s+2 payments/);
  expect(figures).toMatch(/At risk now\s+\$292\.48\s+6 payments/);
  expect(figures).not.toContain('holdout');
  await page.getByRole('img', { name: /^Recovered over time: \$52\.50 in all/ }).waitFor();
  await page.getByRole('img', { name: /attempts are planned for the next 24 hours/ }).waitFor();
  const funnel = page.getByRole('table', { name: 'Outcome by decline type' });
  expect(await funnel.innerText()).toContain('Soft decline');
  await expectSound(page, 'overview');
});

test('shows one currency at a time, which stands in the address', async () => {
  const page = await dashboard.open('/');
  await choose(page, 'Currency', /^JPY/);
  await page.getByText('¥4,200').first().waitFor();
  expect(new URL(page.url()).searchParams.get('currency')).toBe('JPY');
});

test('names what needs a person, with the way there', async () => {
  const { service, db } = dashboard;
  const now = await serviceNow(service);
  await db.pool.query(
    `update deliveries set state = 'pending', tries = 2, last_status = 500, delivered_at = null,
       window_started_at = created_at, next_attempt_at = $2
     where merchant_id = $1`,
    [service.merchantId, new Date(now.getTime() + 30 * dayMs)],
  );
  await db.pool.query(
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
       initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
     select $1, 'near_' || card || n, 'k:' || card, 'sandbox', 'reported', 'visa', 'mit', 'pan', 'pm_1',
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
    name: 'Demo merchant: fixed schedules are used, the model is off',
  });
  expect(await drift.getAttribute('href')).toContain(`/policy?merchant=${service.merchantId}`);
  await page.getByText('of the last 400 tries 20 passed').waitFor();
  // The first look has them counted; the next one shows them.
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.getByRole('region', { name: 'Needs attention' }).innerText();
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

/** A month of payments and their charges, of which the learned arm brought a little more. */
async function seedArms(merchantId: string, prefix: string, now: Date): Promise<void> {
  const { db } = dashboard;
  await db.pool.query(
    `insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
       original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids, first_decline,
       state, failed_at, window_ends_at, max_attempts, attempt_count, created_at, updated_at, decision)
     select $1, $3 || n, 'cus_' || n, 't_' || n, 'ch_' || n, 'sandbox', 1000 + n, 'EUR',
       array['pm_' || n], '{"category":"later","code":"51"}',
       case when n % 10 < 4 or n % 20 = 15 then 'recovered' else 'exhausted' end,
       at, at + interval '28 days', 8, 1 + n % 4, at, least(at + interval '1 day' * (n % 7), $2),
       jsonb_build_object('arm', case when n % 8 = 0 then 'holdout' else 'learned' end)
     from (select n, $2::timestamptz - interval '29 days' + n * interval '40 minutes' as at
           from generate_series(1, 1000) n) x`,
    [merchantId, now, prefix],
  );
  await seedCharges(merchantId, prefix);
}

/**
 * What recovered them, and that all are to be counted from the beginning: they are older than what was, and may lie
 * behind the cursor of a count that is under way.
 */
async function seedCharges(merchantId: string, prefix: string): Promise<void> {
  const { db } = dashboard;
  await db.pool.query(
    `with begun as (
       insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer,
         amount_minor, currency, started_at, ended_at, decision)
       select merchant_id, 'att_' || invoice_id, invoice_id, 1, 'succeeded', '{"retry":true}',
         amount_minor, currency, updated_at, updated_at, decision
       from payments
       where merchant_id = $1 and invoice_id like $2 || '%' and state = 'recovered'
       returning *
     )
     insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
       idempotency_key, payment_method_id, amount_minor, currency, psp_transaction_id, sent_at,
       settled_at)
     select merchant_id, attempt_id, 1, invoice_id, 'sandbox', 'succeeded', attempt_id, 'pm',
       amount_minor, currency, 'ch_' || attempt_id, ended_at, ended_at
     from begun`,
    [merchantId, prefix],
  );
  await db.pool.query(
    `update rollup_progress set through_at = '-infinity', begun_at = null, cursor_at = null,
       cursor_keys = null
     where name in ('payments', 'uplift')`,
  );
}

test('says what the learned policy brought with its interval, the same as the Policy page', async () => {
  const { service } = dashboard;
  await seedArms(service.merchantId, 'in_arm_', await serviceNow(service));
  const page = await dashboard.open('/?currency=EUR');
  const figure = page.getByText('Learned policy against the holdout').locator('..');
  const text = (await figure.innerText()).replaceAll(/\s+/g, ' ');
  const said =
    /([+−]€[\d,.]+) (95%: [+−]€[\d,.]+ to [+−]€[\d,.]+)\. (Not significant yet \(needs about [\d,]+ more payments\))\./.exec(
      text,
    );
  const [amount = 'none', interval = 'none', verdict = 'none'] = said?.slice(1) ?? [];
  expect(text).toContain(verdict);
  await expectSound(page, 'overview-verdict');
  await figure.getByRole('link', { name: 'What is compared' }).click();
  const answer = page.getByRole('region', { name: 'Verdict, EUR' });
  await answer.getByText(amount, { exact: true }).waitFor();
  const words = await answer.innerText();
  expect(words).toContain(interval);
  expect(words).toContain(verdict);
});

test('puts each figure beside that of the time before, of the year before, or of nothing', async () => {
  const { service, db } = dashboard;
  await db.pool.query(
    `insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
       original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids, first_decline,
       state, failed_at, window_ends_at, max_attempts, attempt_count, created_at, updated_at)
     select $1, 'in_chf_' || days || '_' || n, 'cus', 't', 'ch', 'sandbox', 1000, 'CHF', '{pm}',
       '{"category":"later","code":"51"}', case when n <= won then 'recovered' else 'exhausted' end,
       at, at + interval '28 days', 8, 3, at, at
     from (values (3, 4, 4), (10, 4, 2), (368, 1, 1)) as times (days, count, won),
       generate_series(1, count) n, lateral (select $2::timestamptz - days * interval '1 day') a (at)`,
    [service.merchantId, await serviceNow(service)],
  );
  await seedCharges(service.merchantId, 'in_chf_');
  const page = await dashboard.open('/?currency=CHF&range=7d');
  const figures = async () => (await page.locator('.figures').innerText()).replaceAll(/\s+/g, ' ');
  // Each is counted on its way: a period's money may be there before its payments are.
  for (const figure of [
    'Recovered CHF 40.00 4 payments Before: CHF 20.00, +100.0%',
    'Recovery rate 100.0% of 4 payments; 0.0% still open Before: 50.0%, +50.0 pp; 0.0% still open',
    'Attempts per recovery 3.0 12 attempts Before: 6.0',
  ]) {
    await expect.poll(figures, { timeout: 60_000 }).toContain(figure);
  }
  const chart = page.getByRole('region', { name: 'Recovered each day' });
  await chart.getByText('Show as a table').click();
  const numbers = page.getByRole('table', { name: 'Recovered over time' });
  await numbers.getByRole('row', { name: /CHF 40\.00 CHF 20\.00$/ }).waitFor();
  await expectSound(page, 'overview-compared');
  await choose(page, 'Compare with', 'the year before');
  await expect.poll(figures, { timeout: 60_000 }).toContain('Before: CHF 10.00, +300.0%');
  expect(new URL(page.url()).searchParams.get('compare')).toBe('year');
  await choose(page, 'Compare with', 'nothing');
  await expect.poll(figures, { timeout: 60_000 }).not.toContain('Before');
});

beforeAll(() => advance(dashboard.service, 'PT1S'));
