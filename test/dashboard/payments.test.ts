import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { advance, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

async function report(invoiceId: string, method: string, amount: number, currency: string) {
  const at = new Date((await serviceNow(dashboard.service)).getTime() - 60_000);
  const methods = cardsOf(invoiceId, [method]);
  const customerId = `cus_of_${invoiceId}`;
  const event = failedEvent({ invoiceId, customerId, methods, amount, currency, at });
  await expectStatus(recoveryApi(dashboard.service).post('/recover/payments', event), 200);
}

beforeAll(async () => {
  await report('in_declines', 'pm_sandbox_decline_51', 42, 'EUR');
  await report('in_yen', 'pm_sandbox_success', 4_200, 'JPY');
  await report('in_dinar', 'pm_sandbox_decline_54', 1.234, 'KWD');
  await advance(dashboard.service, 'P3DT13H');
  await report('in_fresh', 'pm_sandbox_success', 99.5, 'USD');
  await advance(dashboard.service, 'PT1S');
});

describe('the list of payments', () => {
  test('shows every payment with its amount, state and next attempt', async () => {
    const page = await dashboard.open('/payments');
    const table = page.getByRole('table', { name: 'Payments' });
    await table.getByRole('link', { name: 'in_declines', exact: true }).waitFor();
    const text = await table.innerText();
    expect(text).toContain('€42.00');
    expect(text).toContain('¥4,200');
    expect(text).toMatch(/KWD\s1\.234/);
    expect(text).toContain('✓ Recovered');
    expect(text).toContain('◷ Scheduled');
    await expectSound(page, 'payments');
  });

  test('is taken away as a file, by its filters', async () => {
    const page = await dashboard.open('/payments?status=recovered');
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await expectSound(page, 'payments-export');
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('payments.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',')[1])).toEqual(['invoice_id', 'in_yen']);
    await dialog.getByText('1 row saved.').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  });

  test('is whole on a phone, under a header of two lines', async () => {
    const page = await dashboard.open('/payments');
    await page.setViewportSize({ width: 390, height: 844 });
    const header = await page.getByRole('banner').boundingBox();
    expect(header?.height).toBeLessThanOrEqual(120);
    const row = page.getByRole('row', { name: /in_declines/ });
    await row.waitFor();
    for (const cell of await row.getByRole('cell').all()) {
      const box = await cell.boundingBox();
      expect((box?.x ?? 0) >= 0 && (box?.x ?? 0) + (box?.width ?? 391) <= 390).toBe(true);
    }
    expect(await row.getByRole('cell').count()).toBe(8);
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
    expect(await pages.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    await pages.getByRole('link', { name: 'Limits' }).click();
    await page.getByRole('heading', { name: 'Limits' }).waitFor();
    expect(await pages.isVisible()).toBe(false);
  });

  test('is narrowed by a state, which stands in the address and stays after a reload', async () => {
    const page = await dashboard.open('/payments');
    await choose(page, 'State', 'Recovered');
    await page
      .getByRole('link', { name: 'in_declines', exact: true })
      .waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('status')).toBe('recovered');
    await page.reload();
    await page.getByRole('link', { name: 'in_yen', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'in_fresh', exact: true }).count()).toBe(0);
  });

  test('tells the payments that wait for their customer from those that are tried', async () => {
    const page = await dashboard.open('/payments');
    await choose(page, 'State', 'Waiting for the customer');
    // It stands in the list of all as well: the others have to be gone.
    await page.getByRole('link', { name: 'in_yen', exact: true }).waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /in_dinar/ });
    await row.getByText('Waiting for the customer').waitFor();
    await row.getByText('needs a new payment method').waitFor();
    expect(await page.locator('[data-row]').count()).toBe(1);
    await expectSound(page, 'payments-waiting');
    await choose(page, 'State', 'Scheduled');
    await page.getByRole('link', { name: 'in_fresh', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'in_dinar', exact: true }).count()).toBe(0);
  });

  test('opens a payment by any of its ids or the beginning of one, in two actions', async () => {
    const page = await dashboard.open('/payments?range=24h');
    await page.getByRole('link', { name: 'in_fresh', exact: true }).waitFor();
    for (const id of ['in_declines', 'cus_of_in_dec', 'ch_failed_in_declines_1', '42 EUR']) {
      await page.keyboard.press('/');
      await page.keyboard.insertText(id);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/payments\/mer_[^/]+\/in_declines/);
      await page.getByRole('heading', { name: 'in_declines' }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'in_fresh', exact: true }).waitFor();
      await page.getByRole('heading', { name: 'Payments', exact: true }).click();
    }
  });

  test('lists what a search names, where that is several', async () => {
    const page = await dashboard.open('/payments');
    await page.keyboard.press('/');
    await page.keyboard.insertText('cus_of_in_');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search for “cus_of_in_”' }).waitFor();
    await page.getByRole('link', { name: 'in_yen', exact: true }).waitFor();
    expect(await page.locator('[data-row]').count()).toBe(4);
  });

  test('says what to do where nothing is found', async () => {
    const page = await dashboard.open('/payments?q=nobody-has-this');
    await page.getByRole('heading', { name: 'No payment is found' }).waitFor();
    await expectSound(page, 'payments-empty');
  });

  test('says of what there is none where it is narrowed, and shows all on a press', async () => {
    const past = 'range=2026-01-05..2026-01-06';
    const page = await dashboard.open(`/payments?${past}`);
    await page.getByText('No recovery began in this time: Jan 5 – 6, 2026.').waitFor();
    await choose(page, 'State', 'Recovered');
    await page
      .getByText('No payment in this state whose recovery began in this time: Jan 5 – 6, 2026.')
      .waitFor();
    await page.getByRole('button', { name: 'Show all payments of all time' }).click();
    await page.getByRole('link', { name: 'in_fresh', exact: true }).waitFor();
    await page.goto(new URL('/payments?range=all&status=exhausted', page.url()).href);
    await page.getByText('No payment is in this state.').waitFor();
  });

  test('is walked through with j, k and Enter', async () => {
    const page = await dashboard.open('/payments');
    await page.getByRole('link', { name: 'in_fresh', exact: true }).waitFor();
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(/\/payments\/mer_[^/]+\/in_fresh/);
  });

  test('says what failed, and offers the retry', async () => {
    const page = await dashboard.open('/payments?cursor=nonsense');
    await page.getByRole('heading', { name: 'Could not load the payments' }).waitFor();
    expect(await page.getByText('cursor is not one that this list has given').count()).toBe(1);
    await expectSound(page, 'payments-failed');
  });
});

describe('one payment', () => {
  const open = (invoiceId: string) =>
    dashboard.open(`/payments/${dashboard.service.merchantId}/${invoiceId}`);

  test('is one story, with who did what and why', async () => {
    const page = await open('in_declines');
    const story = page.getByRole('region', { name: 'Timeline' });
    await story.waitFor();
    const text = await story.innerText();
    for (const part of [
      'failed at the merchant: 51',
      'recovery began',
      'next attempt planned for',
      'the merchant says yes',
      'declined: 51',
      'webhook retry_result delivered in',
    ]) {
      expect(text).toContain(part);
    }
    await expect.poll(() => page.title()).toBe('in_declines · Payments · Recoup');
    await page.getByText('Times are in your time zone, Europe/Berlin, GMT+').waitFor();
    const tries = await page.getByRole('region', { name: 'Attempts' }).innerText();
    expect(tries.replaceAll(/\s+/g, ' ')).toMatch(
      /Failed at the merchant.* Attempt 1 ✕ Declined 51.* Attempt 2, next.*The next time of the schedule.* Attempt 3, if needed.*Made only if every attempt before it is declined.*The window ends/,
    );
    expect(await page.getByRole('region', { name: 'Next attempt' }).innerText()).toContain(
      "the even schedule's next time",
    );
    await expectSound(page, 'payment');
  });

  test('is retried after a question that says what will happen', async () => {
    const page = await open('in_fresh');
    await page.getByRole('button', { name: 'Retry now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry now?' });
    expect(await dialog.innerText()).toContain('charges $99.50 once');
    await expectSound(page, 'payment-retry');
    await pressIn(dialog, 'Retry now', { toast: 'The payment is tried now.' });
    await page.getByText('an operator asked for a retry').waitFor();
  });

  test('is stopped with a reason, which the story keeps', async () => {
    const page = await open('in_declines');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop the recovery?' });
    expect(await dialog.innerText()).toContain('Stops 1 payment of €42.00');
    await dialog.getByLabel(/^Reason/).fill('the customer asked for it');
    await pressIn(dialog, 'Stop the recovery', { toast: 'The payment is stopped.' });
    await page.getByText('an operator stopped the recovery').waitFor();
    await page.getByText('■ stopped').waitFor();
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
  });

  test('that waits for a new card says so', async () => {
    const page = await open('in_dinar');
    await page.getByRole('heading', { name: 'No attempt is planned' }).waitFor();
    await page.getByText('Waiting for the customer').waitFor();
    await page.getByText('waits for a new or updated payment method').waitFor();
  });

  test('planned by the learned policy shows the times that were weighed, and what moved the chance', async () => {
    const { db, service } = dashboard;
    const key = [service.merchantId, 'in_dinar'];
    const now = await serviceNow(service);
    const days = (n: number) => new Date(now.getTime() + n * 86_400_000).toISOString();
    const decision = {
      kind: 'attempt',
      because: 'the best hour of the window',
      policy: 'learned',
      policy_version: '1',
      decided_at: now.toISOString(),
      at: days(3),
      methods: ['pm_1'],
      bounded_by: [],
      arm: 'learned',
      chance: 0.27,
      leading: [{ feature: 'friday', words: 'a Friday before ten', value: 1, effect: 0.16 }],
      candidates: [3, 5, 9].map((n) => ({ at: days(n), score: 0.3 - n / 100 })),
    };
    await db.pool.query(
      `update payments set decision = $3, due_action = 'attempt', next_attempt_at = $4
       where merchant_id = $1 and invoice_id = $2`,
      [...key, decision, decision.at],
    );
    const page = await open('in_dinar');
    await page.getByRole('img', { name: /from 21% to 27%; chosen is .* with 27%/ }).waitFor();
    await page.getByText('a Friday before ten: +16.0 points').waitFor();
    await expectSound(page, 'payment-learned');
  });

  test('planned by a model shows its chance over the window as a curve', async () => {
    const { service } = dashboard;
    const policy = { kind: 'learned', holdout_share: 0, learned_share: 1, explore_share: 0 };
    const changed = await fetch(`${service.operatorUrl}/api/merchants/${service.merchantId}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${dashboard.operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ policy }),
    });
    expect(changed.status).toBe(200);
    await report('in_model', 'pm_sandbox_decline_51', 30, 'USD');
    await advance(service, 'PT1S');
    const page = await open('in_model');
    const curve = page.getByRole('img', { name: /^The chance of success over the window goes/ });
    await curve.waitFor();
    // Four weeks of nights, and the line through every step.
    expect(await curve.locator('.night').count()).toBeGreaterThanOrEqual(28);
    expect(await page.getByText(/n = \d+ steps/).innerText()).toMatch(/n = [23]\d\d steps/);
    await page.getByText(/a chance of \d+% by the model/).waitFor();
    const tries = page.getByRole('region', { name: 'Attempts' });
    expect(
      await tries.getByText(/Attempt \d, (next|if needed) · chance \d+%/).count(),
    ).toBeGreaterThan(1);
    expect(await tries.getByText('The likeliest time of the plan').count()).toBe(1);
    await page.getByText('The times that were weighed').click();
    await expectSound(page, 'payment-curve');
  });

  test('whose charge was not made says why', async () => {
    await report('in_unknown_method', 'pm_sandbox_not_found', 20, 'USD');
    await advance(dashboard.service, 'PT1S');
    const page = await open('in_unknown_method');
    await page.getByRole('button', { name: 'Retry now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry now?' });
    await pressIn(dialog, 'Retry now', { toast: 'The payment is tried now.' });
    await advance(dashboard.service, 'PT1S');
    await page.reload();
    const reason = 'HTTP 400: The sandbox is pretending to have no such payment method';
    for (const name of ['Attempts', 'Timeline']) {
      await page.getByRole('region', { name }).getByText(reason).first().waitFor();
    }
  });

  test('that is not there says so', async () => {
    const page = await open('in_nowhere');
    await page.getByText('The merchant has no payment for this invoice.').waitFor();
  });
});
