import { beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../../src/domain/clock.ts';
import { expectSound, useDashboard } from '../../kits/dashboard.ts';
import { seedDecidedDisputes } from '../../kits/dashboard-world/seed-decided-disputes.ts';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import { createMerchant, serviceNow } from '../../kits/service-calls.ts';

const dashboard = useDashboard();

beforeAll(async () => {
  const { service, db } = dashboard;
  const server = await startFakeMerchant();
  const other = await createMerchant(service, server, { name: 'Northwind Press' });
  await server.close();
  const now = await serviceNow(service);
  await seedDecidedDisputes(db, { merchantIds: [service.merchantId, other.merchantId], now });
});

const byNetwork = 'How disputes ended, by network';
const byReason = 'How disputes ended, by reason';

test('a time in which no dispute was opened says so, and leads to all time', async () => {
  const page = await dashboard.open('/disputes');
  await page.getByRole('link', { name: 'Outcomes' }).click();
  await page.getByRole('heading', { name: 'How disputes ended' }).waitFor();
  await page.getByText('No dispute was opened in this time').waitFor();
  expect(await page.title()).toContain('How disputes ended');
  await expectSound(page, 'dispute-outcomes-none');
  await page.getByRole('button', { name: 'Show all time' }).click();
  await page.getByRole('table', { name: byNetwork }).waitFor();
});

test('the share that was won stands by network and reason with its n, of few none', async () => {
  const { service } = dashboard;
  const page = await dashboard.open(`/disputes/outcomes?range=all&merchant=${service.merchantId}`);
  const reasons = page.getByRole('table', { name: byReason });
  const visa = reasons.getByRole('row', { name: /10\.4, fraud/ });
  expect(await visa.innerText()).toMatch(
    /^Visa\s+10\.4, fraud\s+37\s+60% \[41, 77\] of 30\s+18\s+12\s+3\s+2\s+1\s+1$/,
  );
  const few = reasons.getByRole('row', { name: /12\.6\.1, processing/ });
  expect(await few.innerText()).toContain('2 of 3, too few');
  const unknown = reasons.getByRole('row', { name: /not known/ });
  expect(await unknown.innerText()).toMatch(/^not known\s+not stated\s+3\s+none decided/);
  const networks = page.getByRole('table', { name: byNetwork });
  const ofVisa = networks.getByRole('row', { name: /^Visa/ });
  expect(await ofVisa.innerText()).toContain('52% [37, 67] of 46');
  const won = page.getByText('Won of decided').first().locator('..');
  expect(await won.innerText()).toMatch(/53%\s+95%: 41 to 65, n\s=\s70/);
  await expectSound(page, 'dispute-outcomes');
});

test('merchants are summed until one is chosen', async () => {
  const page = await dashboard.open('/disputes/outcomes?range=all');
  const visa = page.getByRole('table', { name: byReason }).getByRole('row', { name: /10\.4/ });
  expect(await visa.innerText()).toContain('55% [39, 70] of 42');
  await page.getByText('all merchants together').first().waitFor();
});

test('every column sorts, and those too few for a share stand behind those that have one', async () => {
  const page = await dashboard.open('/disputes/outcomes?range=all');
  const reasons = page.getByRole('table', { name: byReason });
  const shares = async () => {
    const texts = await reasons.locator('td[data-name="Won of decided"]').allInnerTexts();
    return texts.map((text) => text.split(' ')[0]?.replace('%', ''));
  };
  const isShare = (text: string) => / of \d\d/.test(text);
  const head = reasons.getByRole('columnheader', { name: 'Won of decided' });
  await head.getByRole('button').click();
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
  const texts = await reasons.locator('td[data-name="Won of decided"]').allInnerTexts();
  const claimed = texts.filter(isShare);
  expect(claimed.length).toBeGreaterThan(2);
  expect(texts.slice(0, claimed.length)).toEqual(claimed);
  const values = (await shares()).slice(0, claimed.length).map(Number);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
});

test('a time that the disputes were opened in narrows them', async () => {
  const now = await serviceNow(dashboard.service);
  const day = (before: number) =>
    new Date(now.getTime() - before * dayMs).toISOString().slice(0, 10);
  // Of each reason and end the first one was opened 65 days before, the second three days earlier.
  const page = await dashboard.open(`/disputes/outcomes?range=${day(66)}..${day(64)}`);
  const visa = page.getByRole('table', { name: byReason }).getByRole('row', { name: /10\.4/ });
  expect(await visa.innerText()).toContain('2 of 4, too few');
});

test('a request that fails says so and is tried again', async () => {
  const page = await dashboard.open('/disputes/outcomes?range=all', {
    prepare: async (page) => {
      await page.route('**/api/dispute-outcomes*', (route) =>
        route.fulfill({ status: 503, json: { error: 'away', message: 'Try later.' } }),
      );
    },
  });
  await page.getByText('Could not load how disputes ended').waitFor();
  await expectSound(page, 'dispute-outcomes-failed');
  await page.unroute('**/api/dispute-outcomes*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: byNetwork }).waitFor();
});
