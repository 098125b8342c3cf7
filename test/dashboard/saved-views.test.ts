import { expect, test } from 'vitest';
import { expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';

const dashboard = useDashboard();

test('a view is saved by a name, opened from any page and removed', async () => {
  const page = await dashboard.open('/payments?state=exhausted&range=7d');
  const views = page.getByRole('navigation', { name: 'Saved views' });
  await views.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this view?' });
  await dialog.getByLabel('Name').fill('Exhausted this week');
  await dialog.getByLabel('Other operators see it too').check();
  await expectSound(page, 'saved-views-save');
  await pressIn(dialog, 'Save', { toast: 'Exhausted this week is saved.' });
  const other = await dashboard.open('/limits');
  await other.getByRole('link', { name: /^Exhausted this week/ }).click();
  await other.waitForURL(/\/payments\?state=exhausted&range=7d$/);
  await other.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
  await expectSound(other, 'saved-views');
  await other.getByRole('button', { name: 'Remove the view: Exhausted this week' }).click();
  await other.getByText('Exhausted this week is removed.').waitFor();
  expect(await other.getByRole('link', { name: /^Exhausted this week/ }).count()).toBe(0);
});
