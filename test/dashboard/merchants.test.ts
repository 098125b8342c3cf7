import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { firstPreviousHash, statementJson } from '../../src/recovery/accounting/statement.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { pdfText } from '../kits/pdf-text.ts';
import { type StripeServer, startStripeServer } from '../kits/psps/stripe-server.ts';
import { putMove } from '../kits/put-move.ts';
import { createMerchant, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';

let stripe: StripeServer;
const dashboard = useDashboard(async () => {
  stripe = await startStripeServer();
  return { STRIPE_URL: stripe.url };
});
afterAll(() => stripe?.close());
let server: FakeMerchant;
let ownId: string;

beforeAll(async () => {
  server = await startFakeMerchant();
  const own = await createMerchant(dashboard.service, server, { name: 'Own merchant' });
  ownId = own.merchantId;
  return () => server.close();
});

async function lastAction(merchantId: string): Promise<string | undefined> {
  const rows = await dashboard.db.query<{ action: string }>(
    {
      name: 'last_act',
      text: 'select action from audit_log where merchant_id = $1 order by at desc, 1 limit 1',
    },
    [merchantId],
  );
  return rows[0]?.action;
}

/** The days of March 2026 as the service would state them: one payment recovered on each. */
async function stateMarch(merchantId: string, days: number): Promise<void> {
  const of = { psp: 'stripe', connectionVersion: 1, currency: 'EUR', count: 1, amountMinor: 1_001 };
  let previousHash = firstPreviousHash;
  for (let number = 1; number <= days; number += 1) {
    const day = `2026-03-${number.toString().padStart(2, '0')}`;
    const sums = ['charged', 'recovered', 'announced'].map((kind) => ({ ...of, day, kind }));
    const body = statementJson({ merchantId, day, previousHash, sums });
    const hash = createHash('sha256').update(body).digest('hex');
    await dashboard.db.pool.query(
      `insert into statements (merchant_id, day, body, previous_hash, hash, made_at)
       values ($1, $2, $3, $4, $5, now())`,
      [merchantId, day, body, previousHash, hash],
    );
    previousHash = hash;
  }
}

describe('the merchants', () => {
  test('have a time zone, and days above a page may be those of the merchant', async () => {
    const west = await startFakeMerchant();
    onTestFinished(() => west.close());
    const { merchantId: id } = await createMerchant(dashboard.service, west, {
      name: 'Far west',
    });
    const page = await dashboard.open(`/merchants/${id}`);
    await page.getByText('Time zone: UTC').waitFor();
    await page.getByRole('button', { name: 'Change name or zone' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Far west and south');
    await dialog.getByLabel('Time zone').fill('Mars/Olympus');
    await dialog.getByRole('button', { name: 'Change them' }).click();
    await dialog.getByText('Time zone: Enter a zone, such as Europe/Berlin').waitFor();
    await expectSound(page, 'merchant-zone');
    await dialog.getByLabel('Time zone').fill('Pacific/Honolulu');
    await pressIn(dialog, 'Change them', { toast: 'The name and the time zone are changed.' });
    await page.getByText('Time zone: Honolulu').waitFor();
    await page.getByRole('heading', { name: 'Far west and south' }).waitFor();

    await page.goto(new URL(`/payments?merchant=${id}`, dashboard.service.operatorUrl).href);
    await page.getByRole('button', { name: 'Time: Last 30 days' }).click();
    const popup = page.getByRole('dialog', { name: 'Choose the time' });
    await choose(popup, 'Days of', 'Far west and south, Honolulu');
    await popup.getByRole('button', { name: 'Go to the Previous Month' }).click();
    const day = popup.locator('.rdp-day:not(.rdp-outside) button').first();
    await day.click();
    await expectSound(page, 'merchant-days');
    const asked = page.waitForRequest(
      (request) => new URL(request.url()).pathname === '/api/payments',
    );
    await popup.getByRole('button', { name: 'Show these days' }).click();
    const { searchParams } = new URL((await asked).url());
    // Honolulu is ten hours behind UTC all the year.
    expect(searchParams.get('created_from')).toMatch(/-01T10:00:00\.000Z$/);
    expect(searchParams.get('created_to')).toMatch(/-02T10:00:00\.000Z$/);
    await page.getByRole('button', { name: /^Time: .*, Honolulu$/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Time: .*, Honolulu$/ }).waitFor();
  });

  test('are listed by name', async () => {
    const page = await dashboard.open('/merchants');
    const table = page.getByRole('table', { name: 'Merchants' });
    await table.getByRole('link', { name: 'Demo merchant' }).waitFor();
    await table.getByRole('link', { name: 'Own merchant' }).waitFor();
    await expectSound(page, 'merchants');
  });

  test('are created by a form, which shows the credentials once', async () => {
    const page = await dashboard.open('/merchants/new');
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.getByLabel('Webhook endpoint', { exact: true }).fill('http://10.1.2.3/hooks');
    await page.getByLabel('Retry-status endpoint').fill(server.retryStatusUrl);
    await choose(page, 'Charges go through', 'Stripe');
    await page.getByLabel(/^Secret key/).waitFor();
    await expectSound(page, 'merchant-new');
    await choose(page, 'Charges go through', 'The sandbox');
    await choose(page, /^When/, 'on fixed days');
    await page.getByLabel(/^Days after/).fill('2, 4');
    await page.getByRole('button', { name: 'Create the merchant' }).click();
    await page
      .getByRole('alert')
      .getByText(/^“Webhook endpoint” is refused: /)
      .waitFor();
    await page.getByLabel('Webhook endpoint', { exact: true }).fill(server.webhookUrl);
    await page.getByRole('button', { name: 'Create the merchant' }).click();
    await page.getByRole('heading', { name: 'Acme is there' }).waitFor();
    const shown = await page.getByRole('region', { name: 'Keep these now' }).innerText();
    expect(shown).toMatch(/rk_test_\w+/);
    await expectSound(page, 'merchant-created');
    await page.getByRole('link', { name: 'test its addresses' }).click();
    await page.getByRole('definition').getByText('2, 4', { exact: true }).waitFor();
  });
});

describe('one merchant', () => {
  const open = (id = ownId) => dashboard.open(`/merchants/${id}`);

  test('has its addresses tested, and is told what to mend', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Test: Webhook endpoint' }).click();
    const webhook = page.getByRole('region', { name: 'Webhook endpoint' });
    await webhook.getByText('The test webhook was acknowledged.').waitFor();
    expect(server.webhooks.map(({ type, isSigned }) => [type, isSigned])).toEqual([['test', true]]);
    server.answerLookups(() => ({ status: 500, body: 'no' }));
    await page.getByRole('button', { name: 'Test: Retry-status endpoint' }).click();
    const check = page.getByRole('region', { name: 'Retry-status endpoint' });
    await check.getByText("What to do: Look into the server's log").waitFor();
    expect(await lastAction(ownId)).toBe('endpoint.tested');
    await page.getByRole('button', { name: 'Test the sandbox' }).click();
    await page.getByText('The account is sandbox.').waitFor();
    await expectSound(page, 'merchant');
  });

  test('names the account of a processor and its mode, the sandbox once', async () => {
    const page = await open();
    const line = page.getByRole('region', { name: 'sandbox' }).locator('p').first();
    expect((await line.innerText()).trim()).toMatch(/Active\s+sandbox$/);
  });

  test('asks for a processor’s credentials by the names of its own pages', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Connect a processor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect a processor?' });
    await choose(dialog, 'Charges go through', 'Adyen');
    await dialog.getByLabel(/^API key/).waitFor();
    await dialog.getByLabel(/^Live URL prefix \(optional\)/).waitFor();
    await expectSound(page, 'processor-connect');
  });

  test('is disconnected from a processor, after a question that says what becomes of its charges', async () => {
    const psps = [{ psp: 'sandbox' as const }, { psp: 'stripe' as const, ...stripe.credentials }];
    const of = await createMerchant(dashboard.service, server, { name: 'Two processors', psps });
    const page = await open(of.merchantId);
    await page.getByRole('button', { name: 'Disconnect Stripe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Stripe?' });
    await dialog.getByText('Nothing is charged through Stripe any more.').waitFor();
    await expectSound(page, 'processor-disconnect');
    await pressIn(dialog, 'Disconnect', { toast: /^Stripe is disconnected\./ });
    expect(await page.getByRole('button', { name: /^Disconnect/ }).count()).toBe(0);
  });

  test('has its retries changed, faults named', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Change the retries' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the retries?' });
    await dialog.getByLabel(/^Days after/).fill('5, 3');
    await dialog.getByRole('button', { name: 'Change them' }).click();
    await dialog
      .getByText(/^Days after .*entry 2.: Each day should be later than the one before it$/)
      .waitFor();
    await choose(dialog, /^When/, 'evenly over the window');
    await dialog.getByLabel(/^Window/).fill('14');
    await expectSound(page, 'merchant-policy');
    await pressIn(dialog, 'Change them', { toast: 'The retries are changed.' });
    await page.getByRole('definition').getByText('14 days').waitFor();
    expect(await lastAction(ownId)).toBe('merchant.changed');
  });

  test('stays with the learned policy when something else of its retries is changed', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Change the retries' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the retries?' });
    await choose(dialog, /^When/, /^learned/);
    await dialog.getByLabel(/that the learned policy has to beat/).fill('2, 6, 12');
    await pressIn(dialog, 'Change them');
    const shown = page.getByRole('definition');
    await shown.getByText(/^learned: an even spread first/).waitFor();
    await page.getByRole('button', { name: 'Change the retries' }).click();
    await dialog.getByLabel(/^Window/).fill('21');
    await pressIn(dialog, 'Change them');
    await shown.getByText('21 days').waitFor();
    await shown.getByText(/^learned: an even spread first/).waitFor();
    await shown.getByText('2, 6, 12').waitFor();
  });

  test('has a credential rotated with an overlap, shown once, and one revoked', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Issue or rotate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Issue a credential?' });
    await pressIn(dialog, 'Issue');
    const once = page.getByRole('region', { name: 'Keep these now' });
    expect(await once.innerText()).toMatch(/rk_test_\w+/);
    const table = page.getByRole('table', { name: 'Credentials, the newest first' });
    await table
      .getByText(/^in (1 d|23 h)/)
      .first()
      .waitFor();
    await page
      .getByRole('button', { name: /^Revoke rk_test/ })
      .first()
      .click();
    const asked = page.getByRole('dialog', { name: 'Revoke the credential?' });
    await asked.waitFor();
    await expectSound(page, 'credential-revoke');
    await pressIn(asked, 'Revoke');
    await table.getByText('■ revoked').waitFor();
    await page.reload();
    await table.getByText('■ revoked').waitFor();
    expect(await once.count()).toBe(0);
  });

  test('has its months as files behind plain links, PDF and CSV', async () => {
    const stated = await createMerchant(dashboard.service, server, { name: 'Stated merchant' });
    const path = `/merchants/${stated.merchantId}`;
    const empty = await dashboard.open(path);
    await empty
      .getByText('None yet. Each day’s statement is made within seven hours of the day’s end')
      .waitFor();
    await stateMarch(stated.merchantId, 31);
    const page = await dashboard.open(path);
    const table = page.getByRole('table', { name: 'Monthly statements, the newest first' });
    const row = table.getByRole('row', { name: 'March 2026' });
    await row.getByText('31 days', { exact: true }).waitFor();
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('link', { name: 'PDF of March 2026' }).click(),
    ]);
    expect(pdf.suggestedFilename()).toBe(`${stated.merchantId}-2026-03.pdf`);
    const text = pdfText(await readFile(await pdf.path())).replaceAll('\n', ' ');
    expect(text).toContain('Stated merchant, March 2026');
    expect(text).toContain('Recovered: payments 31 310.31 EUR');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('link', { name: 'CSV of March 2026' }).click(),
    ]);
    expect(await readFile(await csv.path(), 'utf8')).toContain(
      '2026-03,stripe,1,EUR,recovered,31,310.31',
    );
    await expectSound(page, 'merchant-statements');
  });

  test('that moves, or has moved, to another cell says so on its pages, and is changed there alone', async () => {
    const { merchantId, apiKey } = await createMerchant(dashboard.service, server, {
      name: 'Moving merchant',
    });
    const at = new Date((await serviceNow(dashboard.service)).getTime() - 60_000);
    const event = failedEvent({ invoiceId: 'inv_moving', at });
    const api = recoveryApi(dashboard.service, apiKey);
    await expectStatus(api.post('/recover/payments', event), 200);
    const payment = `/payments/${merchantId}/inv_moving`;
    await putMove(dashboard.db, merchantId, 'draining');
    const moving = await dashboard.open(`/merchants/${merchantId}`);
    await moving.getByText('■ Moving. The merchant has been on its way to cell_2 since').waitFor();
    await putMove(dashboard.db, merchantId, 'moved');
    const page = await dashboard.open(`/merchants/${merchantId}`);
    await page.getByText('■ Moved. The merchant has been in cell_2 since').waitFor();
    await page.getByRole('button', { name: 'Change name or zone' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Not here');
    await dialog.getByRole('button', { name: 'Change them' }).click();
    await dialog.getByText('It has moved to cell_2. Send the request there').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expectSound(page, 'merchant-moved');
    const list = await dashboard.open('/merchants');
    await list.getByRole('row', { name: 'Moving merchant (moved)' }).waitFor();
    const story = await dashboard.open(payment);
    await story.getByText('nothing happens to it: look there').waitFor();
    await expectSound(story, 'payment-moved');
    await dashboard.db.pool.query('delete from merchant_moves where merchant_id = $1', [
      merchantId,
    ]);
  });

  test('that is not there says so', async () => {
    const page = await open('mer_nobody');
    await page.getByText('There is no merchant with this id.').waitFor();
  });
});
