import { expect, test } from 'vitest';
import { expectSound, useDashboard } from '../../kits/dashboard.ts';

const dashboard = useDashboard();

test('each fault is tied to its field, and the first one that is wrong has the focus', async () => {
  const page = await dashboard.open('/merchants/new');
  await page.getByLabel('Name').fill('Acme');
  const webhook = page.locator('[name="webhook_url"]');
  await webhook.fill('https://shop.example.com/hook');
  await page.locator('[name="retry_status_url"]').fill('https://shop.example.com/status');
  await page.locator('[name="psp_secret_key"]').fill('sk_test_0');
  await page.route('**/api/merchants', (route) =>
    route.fulfill({
      status: 400,
      json: {
        error: {
          code: 'invalid_request',
          message: 'The request is not valid.',
          fields: [
            { field: 'webhook_url', message: 'Its host is not known' },
            { field: 'psps.0.secret_key', message: 'Not a key' },
            { field: 'retry_status_url', message: 'Field required' },
            { field: 'elsewhere', message: 'Of nothing here' },
          ],
        },
      },
    }),
  );
  await page.getByRole('button', { name: 'Create the merchant' }).click();
  const faults = page.getByRole('alert').getByRole('listitem');
  await faults.first().waitFor();
  await expect
    .poll(() => faults.allInnerTexts())
    .toEqual([
      'Webhook endpoint: Its host is not known',
      'Secret key: Not a key',
      'Retry-status endpoint: Fill this in',
      'elsewhere: Of nothing here',
    ]);
  const wrong = page.locator('[aria-invalid="true"]');
  expect(await wrong.evaluateAll((all) => all.map((it) => it.getAttribute('name')))).toEqual([
    'webhook_url',
    'retry_status_url',
    'psp_secret_key',
  ]);
  expect(await webhook.evaluate((it) => it.matches(':focus'))).toBe(true);
  const said = await page.evaluate(
    `document.getElementById(document.activeElement.getAttribute('aria-describedby').split(' ')[0]).textContent`,
  );
  expect(said).toBe('Webhook endpoint: Its host is not known');
  await expectSound(page, 'form-faults');
  await webhook.fill('https://other.example.com/hook');
  expect(await webhook.getAttribute('aria-invalid')).toBeNull();
});
