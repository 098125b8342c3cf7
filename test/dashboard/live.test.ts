import { beforeAll, expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { expectSound, useDashboard } from '../kits/dashboard.ts';
import { advance, expectStatus, recoveryApi, serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

async function report(invoiceId: string): Promise<void> {
  const { service } = dashboard;
  const at = new Date((await serviceNow(service)).getTime() - 60_000);
  const event = failedEvent({
    invoiceId,
    customerId: `cus_of_${invoiceId}`,
    methods: cardsOf(invoiceId),
    at,
  });
  await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
}

beforeAll(() => report('in_first'));

/** Told by the page's own stream: it listens once its answer has begun. */
function open(path: string) {
  return dashboard.open(path, { until: /\/api\/live$/ });
}

test('gathers what changes behind a button, and moves nothing until it is pressed', async () => {
  const page = await open('/payments');
  await page.getByRole('link', { name: 'in_first', exact: true }).waitFor();
  await report('in_second');
  const button = page.getByRole('button', { name: /^\d+ new$/ });
  await button.waitFor();
  expect(await page.getByRole('link', { name: 'in_second', exact: true }).count()).toBe(0);
  await expectSound(page, 'payments-new');
  await button.click();
  await page.getByRole('link', { name: 'in_second', exact: true }).waitFor();
});

test('shows it at once where the view is pinned to live, which stands in the address', async () => {
  const page = await open('/payments');
  await page.getByRole('button', { name: 'Pin to live' }).click();
  expect(new URL(page.url()).searchParams.get('live')).toBe('on');
  await report('in_third');
  await page.getByRole('link', { name: 'in_third', exact: true }).waitFor();
});

test('follows one payment through its recovery while time is moved', async () => {
  const page = await open(`/payments/${dashboard.service.merchantId}/in_first?live=on`);
  await page.getByRole('heading', { name: /in_first/ }).waitFor();
  await advance(dashboard.service, 'P4D');
  await page.getByText('✓ recovered').waitFor();
});

test('an open tab whose parts an upgrade replaced is loaded anew, and shows what was asked for', async () => {
  const page = await open('/payments');
  let isGone = true;
  await page.route('**/*.js', (route) => {
    const answer = isGone ? route.fulfill({ status: 404 }) : route.continue();
    isGone = false;
    return answer;
  });
  const loadedAnew = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Limits', exact: true }).click();
  await loadedAnew;
  await page.getByRole('heading', { name: 'Network fees and limits' }).waitFor();
  expect(isGone).toBe(false);
});

test('is connected again after a restart that refused it, and reads what it missed', async () => {
  const page = await open('/payments');
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/api/live', async (route) => {
    asked += 1;
    if (asked === 1) return route.fulfill({ status: 503 });
    await gate.promise;
    return route.continue();
  });
  await page.reload();
  await page.getByRole('link', { name: 'in_first', exact: true }).waitFor();
  await report('in_missed');
  gate.resolve();
  await page.getByRole('link', { name: 'in_missed', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^\d+ new$/ }).count()).toBe(0);
  await report('in_after');
  await page.getByRole('button', { name: /^\d+ new$/ }).waitFor();
  expect(asked).toBe(2);
});
