import { expect, test } from 'vitest';
import { expectAccessible, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';

const dashboard = useDashboard();

test('a view is saved by a name, opened from any page and removed', async () => {
  const page = await dashboard.open('/payments?status=exhausted&range=7d');
  const views = page.getByRole('navigation', { name: 'Saved views' });
  await views.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this view?' });
  await dialog.getByLabel('Name').fill('Exhausted this week');
  await dialog.getByLabel('Other operators see it too').check();
  await expectSound(page, 'saved-views-save');
  await pressIn(dialog, 'Save', { toast: 'Exhausted this week is saved.' });
  const other = await dashboard.open('/limits');
  await other.getByRole('link', { name: /^Exhausted this week/ }).click();
  await other.waitForURL(/\/payments\?status=exhausted&range=7d$/);
  await other.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
  await other
    .getByText('No payment in this state whose recovery began in this time: Last 7 days.')
    .waitFor();
  await expectSound(other, 'saved-views');
  await other.getByRole('button', { name: 'Remove the view: Exhausted this week' }).click();
  await other.getByText('Exhausted this week is removed.').waitFor();
  expect(await other.getByRole('link', { name: /^Exhausted this week/ }).count()).toBe(0);
});

test('on a phone the menu gives way to the question for a name, and to the view', async () => {
  const page = await dashboard.open('/limits');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.getByRole('button', { name: 'Save this view' }).click();
  await menu.waitFor({ state: 'hidden' });
  const dialog = page.getByRole('dialog', { name: 'Save this view?' });
  await dialog.getByLabel('Name').fill('Cards near a limit, of all the merchants there are');
  await pressIn(dialog, 'Save');
  await page.goto(new URL('/payments', page.url()).href);
  await page.getByRole('button', { name: 'Menu' }).click();
  await menu.getByRole('link', { name: /^Cards near a limit/ }).waitFor();
  await expectAccessible(page, 'saved-views-menu');
  await menu.getByRole('link', { name: /^Cards near a limit/ }).click();
  await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
  await menu.waitFor({ state: 'hidden' });
});
