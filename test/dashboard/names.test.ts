import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { useDashboard } from '../kits/dashboard.ts';
import { call, expectStatus, operatorApi, serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();
const fromRightToLeft = 'مكتبة الصحف';
const longWord = 'Kreditkartenunternehmensabonnementverwaltungsgesellschaft';
const merchants = new Map<string, { readonly id: string; readonly recovery_api_key: string }>();

beforeAll(async () => {
  const operator = operatorApi(dashboard.service);
  for (const name of [fromRightToLeft, longWord]) {
    const urls = {
      retry_status_url: 'http://127.0.0.1:9/retry/{invoice_id}',
      webhook_url: 'http://127.0.0.1:9/webhooks',
    };
    const body = { name, ...urls, auth: { type: 'none' }, psps: [{ psp: 'sandbox' }] };
    merchants.set(name, await expectStatus(operator.post('/api/merchants', body), 201));
  }
});

/** Where a part of the text stands, from the left. */
async function leftOf(of: Locator, part: string): Promise<number> {
  return of.evaluate((it, words) => {
    const { document: page } = it.ownerDocument.defaultView ?? { document: it.ownerDocument };
    const texts = page.createTreeWalker(it, 4);
    while (texts.nextNode()) {
      const at = texts.currentNode.textContent?.indexOf(words) ?? -1;
      if (at === -1) continue;
      const range = page.createRange();
      range.setStart(texts.currentNode, at);
      range.setEnd(texts.currentNode, at + words.length);
      return range.getBoundingClientRect().left;
    }
    throw new Error(`${words} is not there`);
  }, part);
}

test('a name from right to left leaves the figure behind it behind it', async () => {
  const { id = '' } = merchants.get(fromRightToLeft) ?? {};
  const path = `/api/merchants/${id}/webhook-endpoints/primary/pause`;
  await expectStatus(operatorApi(dashboard.service).post(path, {}), 200);
  const page = await dashboard.open('/');
  const said = page.getByText(`${fromRightToLeft}: 1 endpoint is paused`);
  await said.waitFor();
  expect(await leftOf(said, '1')).toBeGreaterThan(await leftOf(said, fromRightToLeft));
});

test("a merchant's name of one long word does not widen the page of a customer", async () => {
  const { id = '', recovery_api_key: key = '' } = merchants.get(longWord) ?? {};
  const at = new Date((await serviceNow(dashboard.service)).getTime() - 60_000);
  const methods = cardsOf('in_1', ['pm_sandbox_decline_51']);
  const of = { invoiceId: 'in_1', customerId: 'cus_1', amount: 42, currency: 'EUR', at, methods };
  await expectStatus(
    call(`${dashboard.service.recoveryUrl}/recover/payments`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(failedEvent(of)),
    }),
    200,
  );
  const page = await dashboard.open(`/customers/${id}/cus_1`);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByText(`Customer of ${longWord}`).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
});
