import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, useDashboard } from '../kits/dashboard.ts';
import type { PageName } from '../kits/dashboard-world/page-names.ts';
import { pagesOf } from '../kits/dashboard-world/pages-of.ts';
import {
  type DashboardWorld,
  seedDashboard,
  worldNow,
} from '../kits/dashboard-world/seed-dashboard.ts';
import { expectStatus, operatorApi } from '../kits/service-calls.ts';

const dashboard = useDashboard(undefined, { beginAt: worldNow });
let world: DashboardWorld;
let paths: Readonly<Record<PageName, string>>;

beforeAll(async () => {
  world = await seedDashboard(dashboard);
  paths = await pagesOf(dashboard.service, world);
  const api = operatorApi(dashboard.service);
  const target = { kind: 'slack', url: 'https://hooks.example.com/services/T0/secret-part' };
  const channel = await expectStatus(
    api.post('/api/alert-channels', { name: 'On call', target }),
    201,
  );
  await expectStatus(api.post(`/api/alert-channels/${channel.id}/routes`, {}), 201);
});

/** Takes the list behind this button away: where it was asked for, and its rows by their columns. */
async function takeAway(page: Page, button: string) {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: button });
  const [request, download] = await Promise.all([
    page.waitForRequest(/\/api\/export\//),
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  const [head = '', ...rows] = (await readFile(await download.path(), 'utf8'))
    .trimEnd()
    .split('\r\n');
  await dialog.getByText(/^\d+ rows? saved\.$/).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  const { pathname, searchParams } = new URL(request.url());
  return { pathname, searchParams, head, rows };
}

/** The page, the button, where the file comes from, the first columns, and at least how many rows. */
const lists: readonly (readonly [PageName, string, RegExp, RegExp, number])[] = [
  ['webhooks', 'Export', /\/endpoints$/, /^merchant_id,merchant_name,/, 3],
  ['ledger checks', 'Export', /\/invariants$/, /^name,promise,/, 1],
  ['limits', 'Export: fees of the networks', /mer_\w+\/fees$/, /^network,/, 1],
  ['limits', 'Export: ratios of disputes', /\/dispute-ratios$/, /^merchant_id,/, 0],
  ['models', 'Export', /\/models$/, /^id,merchant_id,status,origin,metrics,/, 1],
  ['policy', 'Export: experiments', /\/experiments$/, /^merchant_id,merchant_name,/, 1],
  ['backtest', 'Export', /\/what-ifs$/, /^id,/, 0],
  ['alerts', 'Export', /\/alerts$/, /^key,kind,severity,/, 2],
  ['alert channels', 'Export: channels', /\/alert-channels$/, /^id,name,kind,hint,/, 1],
  ['alert channels', 'Export: routes', /\/alert-routes$/, /^id,channel_id,/, 1],
  ['customer', 'Export: failed invoices', /cus_10191\/payments$/, /^merchant_id,invoice_id,/, 1],
  ['customer', 'Export: payment methods', /cus_10191\/methods$/, /^payment_method_id,/, 1],
  ['customer', 'Export: disputes', /cus_10191\/disputes$/, /^id,psp_dispute_id,/, 0],
  ['customer', 'Export: attempts', /cus_10191\/attempts$/, /^invoice_id,number,/, 1],
  ['merchant', 'Export: credentials', /mer_\w+\/credentials$/, /^id,kind,/, 1],
  ['merchant', 'Export: processors', /mer_\w+\/psps$/, /^psp,/, 1],
  ['merchant', 'Export: webhook endpoints', /mer_\w+\/webhook-endpoints$/, /^id,url,/, 1],
  ['merchant', 'Export: messages to customers', /mer_\w+\/customer-messages$/, /^id,/, 0],
  ['merchant', 'Export: monthly statements', /mer_\w+\/monthly-statements$/, /^month,/, 0],
];

describe('a list of a page is taken away as a file', () => {
  test.each(lists)('%s: %s', async (name, button, from, columns, least) => {
    const page = await dashboard.open(paths[name]);
    const { pathname, head, rows } = await takeAway(page, button);
    expect(pathname).toMatch(from);
    expect(head).toMatch(columns);
    expect(rows.length).toBeGreaterThanOrEqual(least);
    expect(rows.join()).not.toContain('secret-part');
  });

  test('silences, and alerts of the chosen merchant alone', async () => {
    const page = await dashboard.open(`/alerts?merchant=${world.northwindId}`);
    const { searchParams } = await takeAway(page, 'Export');
    expect(searchParams.get('merchant_id')).toBe(world.northwindId);
    await expectStatus(
      operatorApi(dashboard.service).post('/api/alert-silences', {
        merchant_id: world.northwindId,
        reason: 'known since the morning',
        minutes: 60,
      }),
      201,
    );
    await page.reload();
    const silences = await takeAway(page, 'Export: silences');
    expect(silences.rows.join()).toContain('known since the morning');
    await expectSound(page, 'alerts-export');
  });

  test('are cancelled with their dialog, however it is closed, and say so', async () => {
    const page = await dashboard.open('/operators');
    let saved = 0;
    page.on('download', () => {
      saved += 1;
    });
    const closings = ['Cancel', 'Close the dialog'];
    for (const closing of closings) {
      const released = Promise.withResolvers<void>();
      await page.route('**/api/export/**', async (route) => {
        await released.promise;
        // Nobody takes what comes for a request that was given up.
        await route.continue().catch(() => undefined);
      });
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Export' });
      const asked = page.waitForRequest(/\/api\/export\//);
      await dialog.getByRole('button', { name: 'Download' }).click();
      const request = await asked;
      const failed = page.waitForEvent('requestfailed', (each) => each === request);
      await dialog.getByRole('button', { name: closing, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      await failed;
      const toasts = page.getByText('The export is cancelled, so nothing is saved.');
      await toasts.first().waitFor();
      released.resolve();
      await page.unroute('**/api/export/**');
    }
    expect(saved).toBe(0);
  });

  test('of a customer by whoever looks at the portal of their merchant', async () => {
    const path = `/api/merchants/${world.atlasId}/portal-links`;
    const { url } = await expectStatus(operatorApi(dashboard.service).post(path, {}), 201);
    const { pathname, hash } = new URL(url);
    const page = await dashboard.open(pathname + hash, { signedIn: false });
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
    await takeAway(page, 'Export: monthly statements');
    await page.goto(new URL(`/portal${paths.customer}`, page.url()).href);
    const payments = await takeAway(page, 'Export: failed invoices');
    expect(payments.rows.length).toBeGreaterThan(0);
    for (const each of ['payment methods', 'disputes', 'attempts']) {
      await takeAway(page, `Export: ${each}`);
    }
  });
});
