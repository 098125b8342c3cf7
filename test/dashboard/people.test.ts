import { expect, test } from 'vitest';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { expectStatus, operatorApi } from '../kits/service-calls.ts';

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

test('a viewer reads the page of a merchant, and is told what is not for their role', async () => {
  const added = async (path: string, body: object) => {
    const answer = await fetch(new URL(path, dashboard.service.operatorUrl), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${dashboard.operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { readonly id: string; readonly text?: string };
  };
  const { id } = await added('/api/operators', { name: 'V. Ito', role: 'viewer' });
  const { text: token = '' } = await added(`/api/operators/${id}/tokens`, { days: 1 });
  const path = `/merchants/${dashboard.service.merchantId}`;
  const page = await dashboard.open(path, { signedIn: false });
  const refused: number[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/credentials')) refused.push(answer.status());
  });
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Credentials' });
  await panel.getByText('Could not load the credentials').waitFor({ timeout: 30_000 });
  await panel.getByText('This is for the role operator, and yours is viewer.').waitFor();
  // By the page, and once more by the panel that shows it.
  expect(refused).toEqual([403, 403]);
});

test('an operator of some merchants is not led to what is about all of them, and nothing asks for it', async () => {
  const api = operatorApi(dashboard.service);
  const { merchantId } = dashboard.service;
  const body = { name: 'S. Ito', role: 'operator', merchants: [merchantId] };
  const { id } = await expectStatus(api.post('/api/operators', body), 201);
  const { text } = await expectStatus(api.post(`/api/operators/${id}/tokens`, { days: 1 }), 201);
  const page = await dashboard.open('/overview', { signedIn: false });
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(new URL(answer.url()).pathname);
  });
  await page.getByLabel('Operator token').fill(text);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Ledger checks' }).count()).toBe(0);
  await expectSound(page, 'overview-of-some');
  const linksOf = (name: string) =>
    page.getByRole('navigation', { name }).getByRole('link').allInnerTexts();
  await page.getByRole('link', { name: 'Incidents', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
  expect(await linksOf('What waits for a person')).toEqual(['Incidents', 'Set aside']);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  expect(await page.getByRole('link', { name: 'Channels' }).count()).toBe(0);
  await page.goto(new URL('/invariants', page.url()).href);
  await page.getByRole('heading', { name: 'The checks are about all merchants' }).waitFor();
  expect(refused).toEqual([]);
});
