import { beforeAll, expect, test } from 'vitest';
import { signWebhook } from '../../src/merchant/signature.ts';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { advance, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

beforeAll(async () => {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  for (const invoiceId of ['in_1', 'in_2', 'in_3']) {
    const event = failedEvent({
      invoiceId,
      customerId: invoiceId,
      methods: cardsOf(invoiceId),
      at,
    });
    await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
  }
  await advance(service, 'P3DT13H');
});

const ofMerchant = () => dashboard.open(`/webhooks?merchant=${dashboard.service.merchantId}`);

test('shows how every endpoint does', async () => {
  const page = await dashboard.open('/webhooks');
  const table = page.getByRole('table', { name: 'Endpoints' });
  await table.getByRole('link', { name: 'Demo merchant' }).waitFor();
  expect(await table.innerText()).toContain('✓ Healthy');
  await expectSound(page, 'webhooks-endpoints');
  await table.getByRole('link', { name: 'Demo merchant' }).click();
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
});

test('shows a delivery with its sends, headers without secrets, and its body', async () => {
  const page = await ofMerchant();
  await page.locator('[data-row]').first().waitFor();
  await expectSound(page, 'webhooks');
  await page.locator('[data-row]').first().click();
  await page.getByRole('table', { name: 'Sends' }).waitFor();
  const text = await page.locator('main').innerText();
  expect(text).toContain('x-api-key');
  expect(text).toContain('••••••••');
  expect(text).toContain('"recovered": true');
  expect(text).not.toContain(dashboard.service.signingSecret);
  await expectSound(page, 'webhooks-delivery');
});

test('redelivers one event, after saying what it does', async () => {
  const page = await ofMerchant();
  await page.locator('[data-row]').first().click();
  await page.getByRole('button', { name: 'Redeliver' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redeliver this event?' });
  expect(await dialog.innerText()).toContain('Sends 1 event again');
  await pressIn(dialog, 'Redeliver', { toast: 'The event is sent again.' });
  await page.getByRole('table', { name: 'Sends' }).getByText('status 200').nth(1).waitFor();
});

test('redelivers all that was given up since a time, with its progress', async () => {
  const { db, service } = dashboard;
  await db.pool.query(
    `update deliveries set state = 'exhausted', delivered_at = null, next_attempt_at = null
     where merchant_id = $1`,
    [service.merchantId],
  );
  const page = await ofMerchant();
  await page.getByRole('button', { name: 'Redeliver in bulk…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redeliver many events?' });
  // Nothing to send says so, and keeps its word on the button.
  await choose(dialog, 'Type', 'incident');
  await dialog.getByText('There is no such event.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Redeliver' }).isDisabled()).toBe(true);
  await choose(dialog, 'Type', 'Any');
  await dialog.getByText(/Sends \d+ events again/).waitFor();
  await expectSound(page, 'webhooks-replay');
  await pressIn(dialog, 'Redeliver');
  const progress = page.getByRole('dialog', { name: 'Redelivering' });
  await progress.getByText('All were accepted.').waitFor();
  // It stands in the address: a reload shows it again.
  await page.reload();
  await progress.getByText(/(\d+) of \1 events are sent again\. All were accepted\./).waitFor();
  await expectSound(page, 'webhooks-replaying');
  await progress.getByRole('button', { name: 'Close', exact: true }).click();
  await progress.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).searchParams.has('replay')).toBe(false);
  const { rows } = await db.pool.query(
    "select action from audit_log where action like 'deliver%' order by at",
  );
  expect(rows.map(({ action }) => action)).toEqual(['delivery.replayed', 'deliveries.replayed']);
  await page.getByRole('table', { name: 'Deliveries' }).getByText('✓ delivered').first().waitFor();
});

test('judges a signature that somebody received', async () => {
  const page = await ofMerchant();
  const body = '{"invoice_id":"in_1"}';
  const expiresAtUnix = Math.floor((await serviceNow(dashboard.service)).getTime() / 1_000) + 300;
  const secret = dashboard.service.signingSecret;
  await page.getByLabel('X-Service-Webhook-Expiration').fill(expiresAtUnix.toString());
  await page
    .getByLabel('X-Service-Webhook-Signature')
    .fill(signWebhook({ secret, body, expiresAtUnix }));
  await page.getByLabel('Raw body').fill(body);
  await page.getByRole('button', { name: 'Test it' }).click();
  await page.getByText('Valid: it is ours').waitFor();
  await page.getByLabel('Raw body').fill(`${body}\n`);
  await page.getByRole('button', { name: 'Test it' }).click();
  await page.getByText('a line break was added at its end').waitFor();
});
