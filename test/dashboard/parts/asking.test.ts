import { beforeAll, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { choose, useDashboard } from '../../kits/dashboard.ts';
import { expectStatus, recoveryApi, serviceNow, showPayment } from '../../kits/service-calls.ts';

const dashboard = useDashboard();

async function report(invoiceId: string): Promise<void> {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  const event = failedEvent({ invoiceId, methods: cardsOf(invoiceId), at });
  await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
}

beforeAll(() => report('in_open'));

test('what was asked for without a network has failed, and is not sent once there is one', async () => {
  const { service } = dashboard;
  const page = await dashboard.open(`/payments/${service.merchantId}/in_open`, {
    signedIn: true,
    locale: 'en-US',
  });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Reason/).fill('by mistake');
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Stop the recovery' }).click();
  await dialog.getByText('Recoup does not answer. Is it running?').waitFor({ timeout: 20_000 });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const answered = page.waitForResponse('**/api/session');
  await page.context().setOffline(false);
  // Whatever waits for the network is sent before what is asked for after it.
  await page.reload();
  await answered;
  await page.getByRole('heading', { level: 1, name: /in_open/ }).waitFor();
  expect((await showPayment(recoveryApi(service), 'in_open')).status).not.toBe('stopped');
});

test('a service on this machine is asked where the browser believes that it has no network', async () => {
  const page = await dashboard.open('/payments');
  await page.evaluate(`dispatchEvent(new Event('offline'))`);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByText('Nothing needs attention').waitFor({ timeout: 20_000 });
});

test('what failed stays so while it is tried again, with the focus at the button', async () => {
  const page = await dashboard.open('/payments');
  let asked = 0;
  let held = Promise.withResolvers<void>();
  held.resolve();
  await page.route('**/api/audit?*', async (route) => {
    asked += 1;
    await held.promise;
    await route.fulfill({ status: 500, json: { error: { code: 'broken', message: 'It broke.' } } });
  });
  await page.goto(new URL('/audit', page.url()).href);
  const failed = page.getByRole('alert').filter({ hasText: 'Could not load the audit log' });
  await failed.waitFor();
  held = Promise.withResolvers();
  await failed.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect.poll(() => asked).toBe(2);
  await page.evaluate('new Promise(requestAnimationFrame)');
  expect(await failed.count()).toBe(1);
  held.resolve();
  await expect.poll(() => failed.locator('[aria-disabled]').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Try again');
});

test('rows of what was asked for before are marked until the others come, which is said', async () => {
  const page = await dashboard.open('/payments');
  const row = page.getByRole('link', { name: 'in_open', exact: true });
  await row.waitFor();
  const held = Promise.withResolvers<void>();
  await page.route(/status=recovered/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await choose(page, 'State', 'Recovered');
  await page.locator('.late').waitFor({ state: 'attached' });
  expect(await row.count()).toBe(1);
  held.resolve();
  await row.waitFor({ state: 'detached' });
  expect(await page.locator('.late').count()).toBe(0);
  await page
    .getByRole('status')
    .filter({ hasText: 'Loaded the payments' })
    .waitFor({ state: 'attached' });
});

test('a list stays as it was asked for, however long it is looked at, until one asks for more', async () => {
  const page = await dashboard.open('/payments', {
    locale: 'en-US',
    until: /\/api\/live$/,
    prepare: (opened) => opened.clock.install(),
  });
  await page.getByRole('link', { name: 'in_open', exact: true }).waitFor();
  await report('in_later');
  const more = page.getByRole('button', { name: /^\d+ new$/ });
  await more.waitFor();
  await page.clock.runFor(150_000);
  await page.evaluate('new Promise(requestAnimationFrame)');
  expect(await page.locator('.late').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'in_later', exact: true }).count()).toBe(0);
  expect(await page.getByRole('status').filter({ hasText: 'Something has changed' }).count()).toBe(
    1,
  );
  await more.press('Enter');
  await page.getByRole('link', { name: 'in_later', exact: true }).waitFor();
});
