import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { useDashboard } from '../../kits/dashboard.ts';
import { expectStatus, operatorApi, recoveryApi, serviceNow } from '../../kits/service-calls.ts';

const dashboard = useDashboard();
const path = () => `/payments/${dashboard.service.merchantId}/in_open`;

beforeAll(async () => {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  const event = failedEvent({ invoiceId: 'in_open', methods: cardsOf('in_open'), at });
  await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
});

async function signIn(page: Page, token = dashboard.operatorToken): Promise<void> {
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function opened(to: string): Promise<Page> {
  const page = await dashboard.open(to, { signedIn: false });
  await signIn(page);
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
  return page;
}

/** As after twelve hours, or by a new operator token. */
async function endSession(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  const answer = await page.request.delete(`${origin}/api/session`, { headers: { origin } });
  expect(answer.status()).toBe(204);
}

/** A personal token of a new operator. */
async function tokenOf(body: object): Promise<string> {
  const api = operatorApi(dashboard.service);
  const { id } = await expectStatus(api.post('/api/operators', body), 201);
  return (await expectStatus(api.post(`/api/operators/${id}/tokens`, { days: 1 }), 201)).text;
}

test('a session that ends takes nothing of what was typed along', async () => {
  const page = await opened(path());
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const why = page.getByRole('dialog').getByLabel(/^Reason/);
  await why.fill('typed before it ended');
  await endSession(page);
  await page.getByRole('button', { name: 'Stop the recovery' }).click();
  await page.getByText('Your session has ended.').waitFor();
  expect(await page.title()).toBe('Sign in · Recoup');
  expect(await page.getByLabel('Operator token').evaluate((it) => it.matches(':focus'))).toBe(true);
  expect(await why.isVisible()).toBe(false);
  expect(await page.getByText('in_open').first().isVisible()).toBe(false);
  await signIn(page);
  await why.waitFor();
  expect(await why.inputValue()).toBe('typed before it ended');
  expect(await page.title()).toBe('in_open · Payments · Recoup');
});

test('who signs in after another operator is shown nothing of what that one saw', async () => {
  const url = 'https://shop.example.com/hook';
  const made = operatorApi(dashboard.service).post('/api/merchants', {
    name: 'Of others',
    webhook_url: url,
    retry_status_url: url,
    psps: [{ psp: 'sandbox' }],
  });
  const other = await expectStatus(made, 201);
  const page = await opened('/merchants');
  const table = page.getByRole('table', { name: 'Merchants' });
  await table.getByText('Of others').waitFor();
  await endSession(page);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByText('Your session has ended.').waitFor();
  const { merchantId } = dashboard.service;
  const token = await tokenOf({ name: 'V. Ito', role: 'viewer', merchants: [merchantId] });
  // Whatever is asked now is answered late: what shows is what was known before.
  const held = Promise.withResolvers<void>();
  await page.route('**/api/merchants?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await signIn(page, token);
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Merchants', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Merchants' }).waitFor();
  expect(await page.getByText('Of others').count()).toBe(0);
  held.resolve();
  await table.getByText(merchantId).waitFor();
  expect(await page.getByText(other.id).count()).toBe(0);
});

test('who signs out in one tab is signed out in the others at once', async () => {
  const page = await opened('/merchants');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('heading', { level: 1, name: 'Merchants' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  // Sooner than it would ask by itself, and with nothing kept.
  await other.getByLabel('Operator token').waitFor({ timeout: 10_000 });
  expect(await other.getByText('Your session has ended.').count()).toBe(0);
});

test('who cannot be signed out is told so', async () => {
  const page = await opened('/payments');
  await page.route('**/api/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('status').getByText('You are still signed in.').waitFor();
});
