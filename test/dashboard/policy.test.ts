import { beforeAll, expect, test } from 'vitest';
import { defaultShares } from '../../src/domain/merchant.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, useDashboard } from '../kits/dashboard.ts';
import { expectStatus, operatorApi, recoveryApi, serviceNow } from '../kits/service-calls.ts';
import { whatIfResult } from '../kits/what-ifs.ts';

const dashboard = useDashboard();

/** A hundred payments of each arm as the engine leaves them, so many of which are recovered. */
async function seedArms(
  currency: string,
  arms: readonly { readonly arm: string; readonly won: number }[],
): Promise<void> {
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
        select $1, $3 || arm || n, 'cus_' || arm || n, 't', 'ch', 'sandbox', 400, $3, '{pm}',
          json_build_object('category', case when n % 2 = 0 then 'later' else 'technical' end),
          $2::timestamptz - interval '5 days', $2, 8, $2, $2,
          case when n <= won then 'recovered' else 'exhausted' end, 2,
          json_build_object('arm', arm, 'decided_at', $2::timestamptz)
        from json_to_recordset($4) as arms (arm text, won int), generate_series(1, 100) n`,
    },
    [service.merchantId, now, currency, JSON.stringify(arms)],
  );
  const won = "where merchant_id = $1 and state = 'recovered' and currency = $3";
  await db.query(
    {
      name: 'seed_wins',
      text: `
        with begun as (
          insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer,
            amount_minor, currency, started_at, ended_at, decision)
          select merchant_id, 'att_' || invoice_id, invoice_id, 1, 'succeeded', '{"retry":true}',
            amount_minor, currency, $2::timestamptz, $2::timestamptz, decision
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
    [service.merchantId, now, currency],
  );
}

/** So many, since payers fall into groups by the merchant's random id too, and 40 show a difference by luck alone. */
beforeAll(async () => {
  const { service, db } = dashboard;
  const now = await serviceNow(service);
  await seedArms('EUR', [
    { arm: 'learned', won: 75 },
    { arm: 'holdout', won: 50 },
  ]);
  await db.query(
    {
      name: 'seed_yen',
      text: `
        insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
          original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids,
          first_decline, failed_at, window_ends_at, max_attempts, created_at, updated_at, state,
          attempt_count)
        values ($1, 'yen', 'cus_yen', 't', 'ch', 'sandbox', 1000, 'JPY', '{pm}', '{}',
          $2::timestamptz - interval '5 days', $2, 8, $2, $2, 'exhausted', 2)`,
    },
    [service.merchantId, now],
  );
});

/** The merchant is on the learned policy for a month; three models, the active one of which has drifted. */
beforeAll(async () => {
  const { service, db } = dashboard;
  const now = await serviceNow(service);
  await db.query(
    {
      name: 'seed_policy',
      text: `
        update merchants
        set policy_kind = 'learned', policy_since = $2::timestamptz - interval '30 days'
        where merchant_id = $1`,
    },
    [service.merchantId, now],
  );
  const quality = (loss: number) => ({
    tries: 1_040,
    log_loss: loss,
    auc: 0.781,
    calibration_error: 0.021,
    decision_value: 0.314,
  });
  const metrics = (verdict: string, loss: number, present: number) =>
    JSON.stringify({
      tries: 5_200,
      promoted: loss < present,
      verdict,
      held_out: quality(loss),
      present: { model_id: 'prior-3', ...quality(present) },
    });
  await db.query(
    {
      name: 'seed_models',
      text: `
        insert into models (merchant_id, model_id, status, origin, metrics, parameters, drift,
          distrust, distrusted_at, created_at, activated_at, retired_at)
        select '*', id, status, origin, metrics::jsonb, '{}', drift::jsonb, distrust,
          case when distrust is null then null else $1::timestamptz - interval '6 hours' end,
          $1::timestamptz - age::interval,
          case when status = 'candidate' then null else $1::timestamptz - age::interval end,
          case when status = 'retired' then $1::timestamptz end
        from (values
          ('prior-3', 'retired', 'shipped', '{}', null, null, '60 days'),
          ('mod_4t8w', 'active', 'trained', $2, $3, $4, '9 days'),
          ('mod_9k2m', 'candidate', 'trained', $5, null, null, '1 day'))
          as m (id, status, origin, metrics, drift, distrust, age)`,
    },
    [
      now,
      metrics(
        'Promoted: log loss 0.41 against 0.44 of prior-3 on 1040 held-out tries.',
        0.41,
        0.44,
      ),
      JSON.stringify({ tries: 310, successes: 20, foretold: 92.4, variance: 60 }),
      'of the last 310 tries 20 succeeded, where 92.4 were predicted',
      metrics(
        'Kept as a candidate, since it predicts no better: log loss 0.43 against 0.41 of mod_4t8w on 1040 held-out tries.',
        0.43,
        0.41,
      ),
    ],
  );
  await db.query(
    {
      name: 'seed_what_if',
      text: `
        insert into what_ifs (what_if_id, merchant_id, policy, window_days, max_attempts, fixed_days,
          state, charges, result, requested_at, updated_at, completed_at)
        values ('wif_1', $1, 'learned', 14, 4, '{}', 'done', 900, $2::jsonb, $3, $3, $3)`,
    },
    [
      service.merchantId,
      JSON.stringify({ ...whatIfResult, payment: whatIfResult.nextTry, isTrained: true }),
      now,
    ],
  );
});

test('both arms stand beside each other, with intervals and their n', async () => {
  const page = await dashboard.open('/policy');
  const table = page.getByRole('table', { name: 'Learned and holdout, EUR' });
  await table.waitFor();
  expect(await table.innerText()).toMatch(/Recovered by a retry\s+75\.0% \[[\d.]+, [\d.]+\]/);
  expect(await table.innerText()).toMatch(/\+25\.0\spp \[/);
  // The answer stands before every table.
  const answer = page.getByRole('region', { name: 'Verdict, EUR' });
  const answered = (await answer.innerText()).replaceAll(/\s+/g, ' ');
  expect(answered).toMatch(
    /^The learned policy recovers more than the holdout \+€100\.00 95%: \+€[\d.]+ to \+€[\d.]+ /,
  );
  expect(answered).toContain('+25.0 pp, 95%: ');
  expect(answered).toContain('100 learned payments beside 100 held out');
  const [answerTop = 0, tableTop = 0] = await Promise.all(
    [answer, table].map(async (each) => (await each.boundingBox())?.y),
  );
  expect(answerTop).toBeLessThan(tableTop);
  // No fee was taken, and the payment in yen has nothing beside it.
  expect(await table.innerText()).not.toContain('Fees per payment');
  expect(await page.getByText('Payments in JPY').count()).toBe(0);
  const learned = page.getByText('Learned policy', { exact: true }).locator('..');
  expect(await learned.innerText()).toContain('€300.00');
  expect(await learned.innerText()).toContain('n = 100');
  const parts = page.getByRole('table', { name: 'Recovery rate by part' });
  expect(await parts.innerText()).toContain('Processing error');
  await choose(page, 'Split by', 'week of the failure');
  await parts.getByText(/^\d{4}-\d{2}-\d{2}$/).waitFor();

  const experiment = page.getByRole('region', { name: /^Experiment of / });
  const words = await experiment.innerText();
  expect(words).toMatch(/Learned\s+times that the model chose/);
  expect(words).toMatch(/93\.0% of the others’ decisions/);
  expect(words).toMatch(/100\.0% of payments\s+50\.0% \[[\d.]+, [\d.]+\], n = 100/);
  expect(words).toContain('By a hash of the invoice id');
  const alert = page.getByRole('region', { name: /^The model is not used: / });
  expect(await alert.innerText()).toMatch(/fixed schedule since .*20 succeeded, where 92\.4/s);
  await expectSound(page, 'policy');
});

test('models show why they plan or do not; one is used after a question, and it is on record', async () => {
  const page = await dashboard.open('/policy/models');
  const table = page.getByRole('table', { name: 'Models: All merchants' });
  await table.waitFor();
  const alert = page.getByRole('region', { name: /^The model is not used: / });
  expect(await alert.innerText()).toMatch(/since .*of the last 310 tries 20 succeeded/s);
  const candidate = table.getByRole('row', { name: /mod_9k2m/ });
  expect(await candidate.innerText()).toMatch(/candidate.*predicts no better/s);
  expect(await candidate.innerText()).toMatch(/0\.430\s+\(0\.410\)/);
  expect(await candidate.innerText()).toMatch(/31\.4%\s+\(31\.4%\)/);
  await expectSound(page, 'policy-models');

  await candidate.getByRole('button', { name: /^Use this model/ }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.innerText()).toMatch(/mod_4t8w is retired, .*; its alert ends/s);
  await dialog.getByRole('button', { name: 'Use it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await alert.waitFor({ state: 'hidden' });
  await candidate.getByRole('cell', { name: 'now', exact: true }).waitFor();
  await candidate.getByText(/^Made active by hand\. At its training: Kept/).waitFor();
  const action = { name: 'read_actions', text: 'select detail from audit_log where action = $1' };
  expect(await dashboard.db.query(action, ['model.activated'])).toEqual([
    { detail: { model_id: 'mod_9k2m' } },
  ]);

  await page.getByRole('button', { name: 'Train now: All merchants' }).click();
  await dialog.getByRole('button', { name: 'Train', exact: true }).waitFor();
  await expectSound(page, 'policy-train');
  await dialog.getByRole('button', { name: 'Train', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText(/tries are too few to learn from; at least 200/).waitFor();
  expect(await dashboard.db.query(action, ['model.training_requested'])).toHaveLength(1);
  await expectSound(page, 'policy-models-trained');
});

test('a what-if is tested in the background, and refused in plain words where nothing carries it', async () => {
  const { merchantId } = dashboard.service;
  const page = await dashboard.open(`/policy/what-if?merchant=${merchantId}`);
  const claimed = page.getByRole('region', { name: 'Learned policy; 14 days, 4 tries' });
  await claimed.waitFor();
  expect(await claimed.innerText()).toMatch(
    /21\.0% \[18\.0, 24\.0\]\s+about 63 \[54, 72\] of 300 failed payments/,
  );
  expect(await claimed.innerText()).toMatch(/n = 600 decisions; effective sample 240/);
  const money = claimed.getByRole('table', { name: 'Recovered money by currency' });
  expect((await money.getByRole('row', { name: 'EUR' }).innerText()).split(/\s*[\t\n]\s*/)).toEqual(
    [
      'EUR',
      '€5,200.00',
      '260 payments',
      '€2,340.00',
      '[€1,976.00, €2,704.00]',
      '€2,080.00',
      '[€1,820.00, €2,340.00]',
      '+€260.00',
      '[−€104.00, €624.00]',
    ],
  );
  await claimed
    .getByText('JPY: There are 40 payments whose window has ended; at least 100 are asked for.')
    .waitFor();
  await choose(page, 'Policy', /^even/i);
  const days = page.getByLabel('Window, days');
  await days.evaluate((it) => it.setAttribute('min', '0'));
  await days.fill('0');
  await page.getByRole('button', { name: 'Test it' }).click();
  await page.getByText('Window, days: Enter 1 or more').waitFor();
  await days.fill('7');
  await page.getByLabel('Maximum attempts').fill('2');
  await page.getByRole('button', { name: 'Test it' }).click();
  const refused = page.getByRole('region', { name: 'Evenly over the window; 7 days, 2 tries' });
  await refused.getByText('✓ done').waitFor();
  expect(await refused.innerText()).toMatch(
    /Not claimed\s+There are 0 payments whose window has ended; at least 100 are asked for\. The history is too short/,
  );
  await expectSound(page, 'policy-what-if');
  await page.getByRole('table', { name: 'What-ifs' }).getByText('Learned policy').click();
  await claimed.waitFor();
  expect(new URL(page.url()).searchParams.get('shown')).toBe('wif_1');
  await expectSound(page, 'policy-what-if-claimed');
});

test('whoever switches a merchant to the learned policy sees what that means, and what it would have brought', async () => {
  const { merchantId } = dashboard.service;
  const page = await dashboard.open(`/merchants/${merchantId}`);
  await page.getByRole('button', { name: 'Change the retries' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the retries?' });
  await choose(dialog, /^When/, 'on fixed days');
  const means = dialog.getByRole('region', { name: 'What the learned policy means' });
  expect(await means.count()).toBe(0);
  await choose(dialog, /^When/, /^learned/);
  await means.getByText(/^4 tries in 14 days, on 300 failed payments/).waitFor();
  const text = await means.innerText();
  expect(text).toContain('A model takes over 10%, 50%, 90% of them');
  const { holdout, explore } = defaultShares;
  expect(text).toContain(`${100 * holdout}% of payments always stay on these days`);
  expect(text).toContain(`${Math.round(100 * explore)}% of decisions take a time by chance`);
  expect(text).toContain('To go back, choose another way here');
  expect(text).toMatch(
    /it would have recovered 21\.0% \[18\.0, 24\.0\], and what was done 20\.0% \[/,
  );
  expect(text).toContain('In EUR: +€260.00 [−€104.00, €624.00] compared with what was done.');
  expect(await means.getByRole('link').getAttribute('href')).toBe(
    `/policy/what-if?merchant=${merchantId}&shown=wif_1`,
  );
  await expectSound(page, 'merchant-switch-to-learned');
  await dialog.getByLabel(/^Window/).fill('90');
  await means.getByRole('button', { name: /^Test it/ }).click();
  await dialog.getByLabel(/^Window/).fill('21');
  await means.getByRole('button', { name: /^Test it/ }).click();
  await means
    .getByText(/tries in 21 days, on 0 failed payments: no claim\. There are 0 payments/)
    .waitFor();
  const tested = {
    name: 'what_ifs_tested',
    text: 'select window_days from what_ifs where policy = $1 and window_days <> 14',
  };
  expect(await dashboard.db.query(tested, ['learned'])).toEqual([{ window_days: 21 }]);
});

test('numbers are written as the viewer’s language writes them', async () => {
  const page = await dashboard.open('/policy?range=all', { locale: 'de-DE' });
  const euros = page.getByRole('region', { name: 'Payments in EUR' });
  const text = (await euros.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('+100,00 €');
  expect(text).toMatch(/75,0 % \[\d\d,\d, \d\d,\d\]/);
  expect(text).not.toMatch(/\d\.\d/);
});

test('learned payments stand beside those on the schedule of before, which prove nothing', async () => {
  await seedArms('SEK', [
    { arm: 'learned', won: 60 },
    { arm: 'holdout', won: 50 },
    { arm: 'none', won: 40 },
  ]);
  // The sums are brought up to date behind an answer: a later one has these payments.
  const { service } = dashboard;
  const seededAt = (await serviceNow(service)).toISOString();
  await expect
    .poll(async () => (await operatorApi(service).get('/api/uplift')).json.as_of > seededAt)
    .toBe(true);
  const page = await dashboard.open('/policy?range=all');
  const before = page.getByRole('region', { name: 'Beside the schedule of before, SEK' });
  await before.waitFor();
  const text = await before.innerText();
  expect(text).toMatch(/^Beside 100 payments of the same merchants from before the first model/);
  expect(text).toMatch(/recovered \+20\.0\spp \[.*\], of the amount \+20\.0\spp \[/);
  expect(text).toContain('This compares before and after, without a random split');
  await expectSound(page, 'policy-before');
});

test('what cannot be had is said with a retry, and a merchant has to be chosen', async () => {
  const page = await dashboard.open('/policy');
  await page.route('**/api/models', (route) => route.abort());
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('heading', { name: 'Could not load the models' }).waitFor();
  await page.unroute('**/api/models');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Models: All merchants' }).waitFor();
});

test('a merchant without payments is told why there is nothing to compare', async () => {
  const page = await dashboard.open(`/policy?merchant=${dashboard.service.merchantId}&range=24h`);
  await page.getByRole('heading', { name: 'No payment failed in this time.' }).waitFor();
  await expectSound(page, 'policy-empty');
});

// The last one: the merchant has payments since.
test('terms that never try again are said to do so', async () => {
  const { merchantId } = dashboard.service;
  const event = failedEvent({ at: await serviceNow(dashboard.service) });
  await expectStatus(recoveryApi(dashboard.service).post('/recover/payments', event), 200);
  const page = await dashboard.open(`/policy/what-if?merchant=${merchantId}`);
  await choose(page, 'Policy', /^fixed/i);
  await page.getByLabel('Window, days').fill('1');
  await page.getByRole('button', { name: 'Test it' }).click();
  await page.getByText('These terms never try again, so there is no next try.').waitFor();
});
