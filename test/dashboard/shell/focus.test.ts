import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { pressIn, useDashboard } from '../../kits/dashboard.ts';
import { expectStatus, recoveryApi, serviceNow } from '../../kits/service-calls.ts';

const dashboard = useDashboard();

async function report(invoiceId: string): Promise<void> {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  const of = { invoiceId, customerId: 'cus_of_all', methods: cardsOf(invoiceId), at };
  await expectStatus(recoveryApi(service).post('/recover/payments', failedEvent(of)), 200);
}

beforeAll(async () => {
  for (const invoiceId of ['in_first', 'in_second']) await report(invoiceId);
});

/** What has the focus, by its id or else by its words. */
const focused = (page: Page) =>
  page.evaluate(
    `(({ activeElement: it }) => it.id || it.getAttribute('aria-label') || it.textContent)(document)`,
  );

/** What is said to those who hear the page. */
const said = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' });

test('a row that is opened by keys leads to the beginning of its page, whose name is said', async () => {
  const page = await dashboard.open('/payments');
  await page.getByRole('link', { name: 'in_first', exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /in_/ }).waitFor();
  expect(await focused(page)).toBe('main');
  await said(page, /^in_\w+ · Payments · Recoup$/);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await expect.poll(() => focused(page)).toBe('main');
  await said(page, 'Payments · Recoup');
});

test('a page that is chosen in the drawer of a phone has the focus, and not the button of the drawer', async () => {
  const page = await dashboard.open('/payments');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await drawer.getByRole('link', { name: 'Disputes' }).press('Enter');
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor();
  await expect.poll(() => focused(page)).toBe('main');
});

test('a search leads to what it found, and its words stay in the field', async () => {
  const page = await dashboard.open('/payments');
  for (const text of ['cus_of_all', 'in_none']) {
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `Search for “${text}”` }).waitFor();
    await expect.poll(() => focused(page)).toBe('main');
    expect(await page.getByRole('searchbox').inputValue()).toBe(text);
  }
  await page.getByRole('button', { name: 'Clear the search' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  // The button is gone, and what it stood in is left.
  await expect.poll(() => focused(page)).toBe('main');
});

test('of two searches the later one is shown, and who went elsewhere meanwhile stays there', async () => {
  const page = await dashboard.open('/payments');
  const held = Promise.withResolvers<void>();
  await page.route(/search=in_slow/, async (route) => {
    await held.promise;
    await route.fulfill({ json: { items: [] } });
  });
  const search = async (text: string) => {
    await page.getByRole('searchbox').fill(text);
    await page.getByRole('searchbox').press('Enter');
  };
  await search('in_slow');
  await search('cus_of_all');
  const heading = page.getByRole('heading', { level: 1 });
  await heading.getByText('Search for “cus_of_all”').waitFor();
  const answered = page.waitForResponse(/search=in_slow/);
  held.resolve();
  await answered;
  await page.evaluate('new Promise(requestAnimationFrame)');
  expect(await heading.innerText()).toBe('Search for “cus_of_all”');
});

test('what a dialog asks is read out with its title, and its button keeps the focus while it works and when it failed', async () => {
  const { merchantId } = dashboard.service;
  const page = await dashboard.open(`/payments/${merchantId}/in_first`);
  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Stop the recovery?' });
  const described = await page.evaluate(
    `document.getElementById(document.querySelector('[role=dialog]').getAttribute('aria-describedby'))?.textContent`,
  );
  expect(described).toMatch(/^Stops 1 payment of .* This cannot be undone\.$/);
  const held = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/stop', async (route) => {
    asked += 1;
    await held.promise;
    await route.fulfill({ status: 500, json: { error: { code: 'broken', message: 'It broke.' } } });
  });
  const why = dialog.getByLabel(/^Reason/);
  await why.fill('asked to');
  await dialog.getByRole('button', { name: 'Stop the recovery' }).press('Enter');
  await dialog.getByText('Working…').waitFor();
  expect(await focused(page)).toBe('Working…');
  // Once more, and by the key that sends a form: it is sent once.
  await page.keyboard.press('Enter');
  await why.press('Enter');
  await dialog.getByText('Working…').focus();
  held.resolve();
  await dialog.getByText('It broke.').waitFor();
  expect(await focused(page)).toBe('Stop the recovery');
  expect(asked).toBe(1);
});

test('where the row that had the focus is dealt with, the focus stays at its list', async () => {
  await dashboard.db.pool.query(
    `insert into alert_states
       (alert_key, kind, merchant_id, merchant_name, count, title, detail, at, first_seen_at)
     values ('endpoint_paused/' || $1, 'endpoint_paused', $1, 'Demo', 1, 'Demo: 1 endpoint is paused', 'by an operator', now(), now())
     on conflict do nothing`,
    [dashboard.service.merchantId],
  );
  const page = await dashboard.open('/alerts');
  await page.getByRole('button', { name: /^Silence: / }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Silence it?' });
  await dialog.getByLabel('Why, for whoever finds it').fill('known');
  await pressIn(dialog, 'Silence', { toast: 'It is silenced.' });
  await page.getByRole('button', { name: /^End the silence/ }).press('Enter');
  await page.getByRole('table', { name: 'Silences' }).waitFor({ state: 'detached' });
  const isInMain = () => page.evaluate('document.activeElement.closest("main") !== null');
  await expect.poll(isInMain).toBe(true);
});
