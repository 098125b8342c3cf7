import { beforeAll, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../../kits/billing-events.ts';
import { useDashboard } from '../../kits/dashboard.ts';
import { expectStatus, recoveryApi, serviceNow } from '../../kits/service-calls.ts';

const dashboard = useDashboard();

beforeAll(async () => {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  // More than a list shows as a whole.
  for (let row = 1; row <= 24; row += 1) {
    const of = { invoiceId: `in_${row}`, customerId: 'cus_1', amount: 42, currency: 'EUR', at };
    const methods = cardsOf(`in_${row}`, ['pm_sandbox_decline_51']);
    const reported = recoveryApi(service).post(
      '/recover/payments',
      failedEvent({ ...of, methods }),
    );
    await expectStatus(reported, 200);
  }
});

test('a list is printed dark on light with all of its rows, and without what is pressed', async () => {
  const page = await dashboard.open('/payments');
  await page.getByRole('link', { name: 'in_24', exact: true }).waitFor();
  await page.evaluate("document.documentElement.dataset.theme = 'dark'");
  const frame = page.locator('.table-frame');
  const hidden = () => frame.evaluate((it) => it.scrollHeight - it.clientHeight);
  expect(await hidden()).toBeGreaterThan(0);
  await page.emulateMedia({ media: 'print' });
  expect(await hidden()).toBe(0);
  const fades = "getComputedStyle(document.querySelector('.table-frame')).maskImage";
  expect(await page.evaluate(fades)).toBe('none');
  const ink = 'getComputedStyle(document.body).color';
  expect(await page.evaluate(ink)).toBe('rgb(22, 26, 38)');
  await expect
    .poll(() => page.locator('.button:visible, .bar:visible, .side:visible').count())
    .toBe(0);
  expect(await page.getByRole('link', { name: 'in_1', exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole('columnheader', { name: 'Amount' }).isVisible()).toBe(true);
});
