import { expect, test } from 'vitest';
import { choose, expectSound, useDashboard } from '../kits/dashboard.ts';
import { tamper } from '../kits/tamper.ts';

const dashboard = useDashboard();

async function rename(name: string): Promise<void> {
  const { service, operatorToken } = dashboard;
  const url = new URL(`/api/merchants/${service.merchantId}`, service.operatorUrl);
  const answer = await fetch(url, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(answer.status).toBe(200);
}

test('the log says who did what from where, narrows, and verifies its hashes', async () => {
  await rename('Acme Ltd');
  const page = await dashboard.open('/audit');
  const log = page.getByRole('table', { name: 'Audit log' });
  const line = log.getByRole('row', { name: /merchant\.changed/ });
  await line.getByText('Merchant changed', { exact: true }).waitFor();
  expect(await line.innerText()).toMatch(/Name\s+Demo merchant → Acme Ltd/);
  expect(await line.innerText()).toContain('operator');
  expect(await line.innerText()).toContain('127.0.0.1');
  await choose(page, 'Action', 'Clock');
  await page.getByText('No such entries').waitFor();
  await expectSound(page, 'audit-empty');
  await page.getByRole('button', { name: 'Show all of it' }).click();
  await line.waitFor();
  await page.getByRole('button', { name: 'Verify the hashes' }).click();
  await page.getByText(/^✓ \d+ lines in \d+ chains: each follows the one before\.$/).waitFor();
  await expectSound(page, 'audit');
});

test('a line that was changed is named', async () => {
  await rename('Acme');
  await tamper(
    dashboard.db.pool,
    ['audit_log'],
    ["update audit_log set actor = 'somebody' where action = 'merchant.created'"],
  );
  const page = await dashboard.open('/audit');
  await page.getByRole('button', { name: 'Verify the hashes' }).click();
  await page.getByText(/^✕ The log was changed: line \d+ of mer_\w+: it was changed$/).waitFor();
  await expectSound(page, 'audit-broken');
});
