import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { seedDecidedDisputes } from '../kits/dashboard-world/seed-decided-disputes.ts';
import {
  advance,
  call,
  expectStatus,
  operatorApi,
  recoveryApi,
  serviceNow,
} from '../kits/service-calls.ts';

const dashboard = useDashboard();

beforeAll(async () => {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  for (const [invoiceId, method] of [
    ['in_declines', 'pm_sandbox_decline_51'],
    ['in_pays', 'pm_sandbox_success'],
  ] as const) {
    const of = { invoiceId, customerId: `cus_of_${invoiceId}`, amount: 42, currency: 'EUR', at };
    const event = failedEvent({ ...of, methods: cardsOf(invoiceId, [method]) });
    await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
  }
  await advance(service, 'P3DT13H');
  const { text } = await expectStatus(
    operatorApi(service).post(`/api/merchants/${service.merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  const basic = Buffer.from(`${service.merchantId}:${text}`).toString('base64');
  const dispute = {
    psp: 'paypal',
    psp_dispute_id: 'PP-D-0900',
    kind: 'dispute',
    stage: 'inquiry',
    occurred_at: at.toISOString(),
    opened_at: at.toISOString(),
    transaction_id: '8RT0900',
    status: 'needs_response',
    amount: 25,
    currency: 'EUR',
    respond_by: new Date(at.getTime() + 20 * 86_400_000).toISOString(),
  };
  await expectStatus(
    call(`${service.disputesUrl}/v1/disputes`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify(dispute),
    }),
    200,
  );
});

interface Link {
  /** Its path, with the secret behind a #. */
  readonly address: string;
}

async function linkTo(body: object = {}): Promise<Link> {
  const { service } = dashboard;
  const path = `/api/merchants/${service.merchantId}/portal-links`;
  const { url } = await expectStatus(operatorApi(service).post(path, body), 201);
  const { pathname, hash } = new URL(url);
  return { address: pathname + hash };
}

async function opened(): Promise<Page> {
  const page = await dashboard.open((await linkTo()).address, { signedIn: false });
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
  return page;
}

/** What the service refused the page; what it was too busy for (503) only until it is asked again and answered. */
function refusalsOf(page: Page): () => readonly string[] {
  const refused = new Map<string, number>();
  page.on('response', (response) => {
    const [url, status] = [response.url(), response.status()];
    if (status >= 400) refused.set(url, status);
    else if (refused.get(url) === 503) refused.delete(url);
  });
  return () => [...refused].map(([url, status]) => `${status} ${url}`);
}

test('a link opens the pages of its merchant, and is gone from the address', async () => {
  const page = await opened();
  const refused = refusalsOf(page);
  expect(new URL(page.url()).hash).toBe('');
  const bar = page.getByRole('banner');
  await bar.getByText('Read-only').waitFor();
  await bar.getByText('Demo merchant').waitFor();
  const links = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link');
  const names = await links.allInnerTexts();
  expect(names).toEqual(['Overview', 'Payments', 'Webhooks', 'Disputes']);
  for (const name of names) {
    await links.and(page.getByRole('link', { name, exact: true })).click();
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).pathname).toMatch(/^\/portal\//);
    await expectSound(page, `portal-${name.toLowerCase()}`);
  }
  await links.and(page.getByRole('link', { name: 'Overview' })).click();
  await page.getByRole('heading', { name: 'Monthly statements' }).waitFor();
  await page.reload();
  await bar.getByText('Read-only').waitFor();
  await expect.poll(refused).toEqual([]);
});

test('it says how its own disputes ended', async () => {
  await seedDecidedDisputes(dashboard.db, {
    merchantIds: [dashboard.service.merchantId],
    now: await serviceNow(dashboard.service),
  });
  const page = await opened();
  const refused = refusalsOf(page);
  await page.getByRole('link', { name: 'Disputes', exact: true }).click();
  await page.getByRole('link', { name: 'Outcomes' }).click();
  await page.getByRole('button', { name: 'Show all time' }).click();
  const networks = page.getByRole('table', { name: 'How disputes ended, by network' });
  await networks.getByText('52% [37, 67] of 46').waitFor();
  await expect.poll(refused).toEqual([]);
});

test('nothing in it is refused, and nothing can be changed', async () => {
  const page = await opened();
  const refused = refusalsOf(page);
  const acts = page
    .locator('main')
    .getByRole('button', { name: /retry|stop|change many|redeliver|pause|submit|stage|confirm/i });
  for (const [list, row] of [
    ['Payments', 'in_declines'],
    ['Payments', 'in_pays'],
    ['Webhooks', /^evt_/],
    ['Disputes', 'PP-D-0900'],
  ] as const) {
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: list })
      .click();
    await page.getByRole('link', { name: row }).first().waitFor();
    expect(await acts.count(), list).toBe(0);
    await page.getByRole('link', { name: row }).first().click();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await acts.count(), `${list}: one`).toBe(0);
  }
  await expect.poll(refused).toEqual([]);
});

test('what else the dashboard has is not there, and operators sign in as before', async () => {
  const page = await opened();
  await page.goto(new URL('/portal/merchants', page.url()).href);
  await page.getByText('There is no such page').waitFor();
  await page.goto(new URL('/', page.url()).href);
  await page.getByLabel('Operator token').fill(dashboard.operatorToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByText('Merchants')
    .waitFor();
  await page.goto(new URL('/portal', page.url()).href);
  await page.getByText('An operator is signed in to this browser.').waitFor();
  await expectSound(page, 'portal-operator');
});

test('a link that is over says so, and what to do; a key opens the portal too', async () => {
  const { service } = dashboard;
  const { address } = await linkTo();
  const page = await opened();
  await expectStatus(
    call(`${service.operatorUrl}/api/merchants/${service.merchantId}/portal-links`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${dashboard.operatorToken}` },
    }),
    200,
  );
  await page.reload();
  await page.getByText('You are not signed in, or your session has ended.').waitFor();
  await page.goto(new URL(address, page.url()).href);
  await page.getByText('The link has expired or was revoked.').waitFor();
  await expectSound(page, 'portal-over');
  await page.getByLabel('Or enter one of your API keys with the scope “read”').fill(service.apiKey);
  await page.getByRole('button', { name: 'Open the portal' }).click();
  await page.getByRole('banner').getByText('Read-only').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are not signed in, or your session has ended.').waitFor();
});

test('a frame on the site that the link names shows it', async () => {
  const origin = 'https://app.example.com';
  const page = await dashboard.open('/portal', { signedIn: false });
  const base = new URL(page.url()).origin;
  const frameAt = async (site: string, { address }: Link) => {
    await page.route(`${site}/`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe width="1200" height="600" src="${base}${address}" title="Recovery"></iframe>`,
      }),
    );
    // The page of the test is taken for one of the internet, and the service stands on this machine.
    await page.context().grantPermissions(['local-network-access'], { origin: site });
    await page.goto(`${site}/`);
    return page.frameLocator('iframe');
  };
  const frame = await frameAt(origin, await linkTo({ embed_origin: origin }));
  await frame.getByText('Read-only').waitFor();
  await frame.getByRole('navigation', { name: 'Pages', exact: true }).getByText('Payments').click();
  await frame.getByRole('link', { name: 'in_pays', exact: true }).waitFor();
});

describe('at 320 px, as in a narrow frame', () => {
  const narrow = { width: 320, height: 640 };
  const tooWide = 'document.documentElement.scrollWidth - innerWidth';

  test('a long name leaves the page its room, and a name from right to left its beginning', async () => {
    const operator = operatorApi(dashboard.service);
    for (const name of ['W'.repeat(200), 'مؤسسة الاشتراكات الشهرية للصحف والمجلات']) {
      const urls = {
        retry_status_url: 'http://127.0.0.1:9/retry/{invoice_id}',
        webhook_url: 'http://127.0.0.1:9/webhooks',
      };
      const body = { name, ...urls, auth: { type: 'none' }, psps: [{ psp: 'sandbox' }] };
      const { id } = await expectStatus(operator.post('/api/merchants', body), 201);
      const { url } = await expectStatus(
        operator.post(`/api/merchants/${id}/portal-links`, {}),
        201,
      );
      const { pathname, hash } = new URL(url);
      const page = await dashboard.open(pathname + hash, { signedIn: false });
      const shown = page.getByRole('banner').getByText(name);
      for (const viewport of [narrow, { width: 1280, height: 900 }]) {
        await page.setViewportSize(viewport);
        await shown.waitFor();
        const bar = await page.getByRole('banner').boundingBox();
        expect(bar?.height).toBeLessThan(viewport.height / 5);
        expect(await page.evaluate(tooWide)).toBe(0);
      }
      const direction =
        "getComputedStyle(document.querySelector('.portal-badge strong')).direction";
      expect(await page.evaluate(direction)).toBe(name.startsWith('W') ? 'ltr' : 'rtl');
    }
  });

  test('a payment that is tried again within a day is not wider', async () => {
    const { service } = dashboard;
    // In 12 h 39 min: the longest that is said of a time.
    const retryAt = new Date((await serviceNow(service)).getTime() + 759.5 * 60_000);
    const asked = { retry_at: retryAt.toISOString() };
    await expectStatus(
      recoveryApi(service).post('/recover/payments/in_declines/retry', asked),
      200,
    );
    const page = await opened();
    await page.setViewportSize(narrow);
    const path = `/portal/payments/${service.merchantId}/in_declines`;
    await page.goto(new URL(path, page.url()).href);
    await page.locator('.next-when').getByText('(in 12 h').waitFor();
    expect(await page.evaluate(tooWide)).toBe(0);
  });
});

test('an operator creates a link on the page of the merchant, and revokes all', async () => {
  const { merchantId } = dashboard.service;
  const page = await dashboard.open(`/merchants/${merchantId}`);
  await page.getByRole('button', { name: 'Portal link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a link to the portal?' });
  await choose(dialog, 'Valid for', '1 hour');
  await expectSound(page, 'portal-create');
  await pressIn(dialog, 'Create');
  await page.getByText(/\/portal#portal_test_/).waitFor();
  await expectSound(page, 'portal-link');
  await page.getByRole('button', { name: 'Revoke all links' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke all links?' });
  await pressIn(question, 'Revoke all', { toast: 'revoked.' });
  expect(await page.getByText(/\/portal#portal_test_/).count()).toBe(0);
});
