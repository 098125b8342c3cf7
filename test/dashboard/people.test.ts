import { expect, test } from 'vitest';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';

const dashboard = useDashboard();

test('an operator is added, given a token, and removed', async () => {
  const page = await dashboard.open('/operators');
  await page.getByText('Everybody shares the one operator token').waitFor();
  await expectSound(page, 'operators-none');
  await page.getByRole('button', { name: 'Add an operator' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('K. Ito');
  await dialog.getByLabel('E-mail (optional)').fill('k.ito@example.com');
  await choose(dialog, 'Role', /^disputes/);
  await pressIn(dialog, 'Add', { toast: 'K. Ito is an operator now.' });
  const table = page.getByRole('table', { name: 'Operators' });
  await table.getByText('k.ito@example.com').waitFor();
  await page.getByRole('button', { name: 'Token: K. Ito' }).click();
  await pressIn(dialog, 'Issue');
  const token = await page.getByText(/^op_test_[0-9a-z]{45}$/).innerText();
  await expectSound(page, 'operators');

  const answer = await fetch(new URL('/api/operators', dashboard.service.operatorUrl), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(403);

  await page.getByRole('button', { name: 'Remove: K. Ito' }).click();
  await pressIn(dialog, 'Remove', { toast: 'The operator is removed.' });
  await table.getByText('removed', { exact: true }).waitFor();
  expect(await table.getByText('k.ito@example.com').count()).toBe(0);
});
