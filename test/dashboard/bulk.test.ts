import { beforeAll, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { advance, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

beforeAll(async () => {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  for (const invoiceId of ['in_1', 'in_2', 'in_3']) {
    const methods = cardsOf(invoiceId);
    const event = failedEvent({ invoiceId, customerId: invoiceId, methods, at });
    await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
  }
  await advance(service, 'PT1S');
});

test('sets aside, then stops all payments of the filters, with the count before and the result after', async () => {
  const { merchantId } = dashboard.service;
  const page = await dashboard.open(`/payments?merchant=${merchantId}`);
  const dialog = page.getByRole('dialog', { name: 'Change many payments?' });
  await page.getByRole('button', { name: 'Change many…' }).click();
  await dialog.getByText('3 open payments of the list’s filters.').waitFor();
  await choose(dialog, 'What is done to each', 'Set aside');
  await dialog.getByLabel(/^Reason/).fill('their account moves');
  await expectSound(page, 'payments-bulk');
  await pressIn(dialog, 'Set aside');
  const aside = page.getByRole('dialog', { name: 'Setting many payments aside' });
  await aside.getByText('Done: 3 of 3 payments.').waitFor();
  await expectSound(page, 'payments-bulk-progress');
  // It stands in the address: a reload shows it again.
  await page.reload();
  await aside.getByText('Done: 3 of 3 payments.').waitFor();
  await aside.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Change many…' }).click();
  await choose(dialog, 'What is done to each', 'Stop the recovery');
  await dialog.getByLabel(/^Reason/).fill('these cards are gone');
  await pressIn(dialog, 'Stop the recovery');
  const stopping = page.getByRole('dialog', { name: 'Stopping many payments' });
  await stopping.getByText('Done: 3 of 3 payments.').waitFor();
  await stopping.getByRole('button', { name: 'Close', exact: true }).click();
  const table = page.getByRole('table', { name: 'Payments' });
  await table.getByText('Stopped').nth(2).waitFor();
});

test('is not offered for payments that have ended', async () => {
  const { merchantId } = dashboard.service;
  for (const query of ['?status=recovered', `?merchant=${merchantId}&status=stopped`]) {
    const page = await dashboard.open(`/payments${query}`);
    await page.getByRole('button', { name: 'Export' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change many…' }).count()).toBe(0);
  }
});

test('asks whose payments are meant where the list is of all merchants', async () => {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  const event = failedEvent({
    invoiceId: 'in_4',
    customerId: 'in_4',
    methods: cardsOf('in_4'),
    at,
  });
  await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
  await advance(service, 'PT1S');
  const page = await dashboard.open('/payments');
  await page.getByRole('button', { name: 'Change many…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change many payments?' });
  await dialog.getByText('This works for one merchant at a time: choose one.').waitFor();
  const act = dialog.getByRole('button', { name: 'Set aside' });
  await choose(dialog, 'What is done to each', 'Set aside');
  expect(await act.isDisabled()).toBe(true);
  await dialog.getByLabel(/^Reason/).fill('their account moves');
  await expectSound(page, 'payments-bulk-whose');
  await choose(dialog, 'Merchant', 'Demo merchant');
  await dialog.getByText('1 open payment of the list’s filters.').waitFor();
  await pressIn(dialog, 'Set aside');
  const aside = page.getByRole('dialog', { name: 'Setting many payments aside' });
  await aside.getByText('Done: 1 of 1 payment.').waitFor();
  expect(new URL(page.url()).searchParams.get('merchant')).toBe(service.merchantId);
  await aside.getByRole('button', { name: 'Close', exact: true }).click();

  const row = page.locator('[data-row]', { hasText: 'in_4' });
  await choose(page, 'State', 'Scheduled');
  await row.waitFor({ state: 'detached' });
  await choose(page, 'State', 'On hold');
  await row.waitFor();
  await page.getByRole('button', { name: 'Change many…' }).click();
  await dialog.getByText('1 open payment of the list’s filters.').waitFor();
});
