import { expect, test } from 'vitest';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { expectPresses, handOn } from '../kits/hand.ts';

const dashboard = useDashboard();
const exact = { exact: true };

const moves = async () => (await auditActions()).filter((action) => action === 'clock.moved');

async function auditActions(): Promise<readonly string[]> {
  const rows = await dashboard.db.query<{ action: string }>(
    { name: 'actions', text: 'select action from audit_log order by at' },
    [],
  );
  return rows.map(({ action }) => action);
}

test('an empty sandbox leads to a first recovery', async () => {
  const page = await dashboard.open('/overview');
  await page.getByRole('link', { name: 'Make a first recovery' }).click();
  await page.getByRole('heading', { name: 'A first recovery' }).waitFor();
  await expectSound(page, 'first-recovery');
  await page.getByRole('button', { name: 'Report 20 failed payments' }).click();
  const recovered = page.getByRole('link', { name: 'See how it was recovered' });
  const move = page.getByRole('button', { name: 'Move time by 4 days' });
  await move.click();
  await page.getByText('Moving time…').waitFor({ state: 'detached' });
  await recovered.waitFor();
  await expectSound(page, 'first-recovery-done');
  await recovered.click();
  await page.getByText('✓ recovered').waitFor();
});

test('a batch of failing payments recovers while time moves', async () => {
  const before = (await moves()).length;
  const page = await dashboard.open('/sandbox');
  await page.getByRole('heading', { name: 'No payments are watched' }).waitFor();
  await expectSound(page, 'sandbox-empty');

  await page.getByRole('button', { name: 'Generate failing payments' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate failing payments?' });
  await dialog.getByLabel(/^How many/).fill('30');
  await dialog.getByLabel(/^Seed/).fill('3');
  await pressIn(dialog, 'Generate', { toast: '30 payments failed' });
  const watched = page.getByRole('region', { name: 'Recovering now' });
  await watched.getByText('◷ scheduled').first().waitFor();
  expect(await watched.innerText()).toContain('n = 30 payments');
  expect(await auditActions()).toContain('sandbox.payments_submitted');

  const machine = page.getByRole('region', { name: 'Time machine' });
  await machine.getByRole('button', { name: 'To the next event' }).click();
  await machine.getByText(/^Done: time stopped at/).waitFor();
  await machine.getByRole('button', { name: '+ 1 hour' }).click();
  await machine.getByText(/^Done: time stopped at/).waitFor();
  await expect.poll(moves, { timeout: 10_000 }).toHaveLength(before + 2);

  // A large move says what will happen first, and does nothing where the answer is no.
  const question = page.getByRole('dialog', { name: 'Move time?' });
  await machine.getByRole('button', { name: '+ 1 week' }).click();
  await question.getByText(/\d+ attempts? .*planned by then will really happen/).waitFor();
  await expectSound(page, 'sandbox-question');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await moves()).toHaveLength(before + 2);
  await machine.getByRole('button', { name: '+ 1 week' }).click();
  await question.getByRole('button', { name: 'Move' }).click();
  await question.waitFor({ state: 'hidden' });
  // Machines that do other work take a while for a day.
  await machine.getByText(/^Done: time stopped at/).waitFor({ timeout: 60_000 });
  expect(await moves()).toHaveLength(before + 3);
  await watched.getByText('✓ recovered').first().waitFor();
  await expectSound(page, 'sandbox');

  // The world goes on: its account updater renewed cards on the way.
  const { rows } = await dashboard.db.pool.query(
    "select state from requests where kind = 'payment_method_update'",
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ state }) => state === 'applied')).toBe(true);
});

test('time plays at a speed until it is paused', async () => {
  const page = await dashboard.open('/sandbox');
  const machine = page.getByRole('region', { name: 'Time machine' });
  await choose(machine, 'Speed', '1 day a second');
  const now = () => machine.locator('.machine-now').innerText();
  const before = await now();
  await machine.getByRole('button', { name: 'Play' }).click();
  const question = page.getByRole('dialog', { name: 'Play time?' });
  await question.getByText('Time plays at 1 day a second until you pause').waitFor();
  await question.getByRole('button', { name: 'Play' }).click();
  await machine.getByText('Time is playing.').waitFor();
  await expect.poll(now, { timeout: 60_000 }).not.toBe(before);
  await machine.getByRole('button', { name: 'Pause' }).click();
  await machine.getByRole('button', { name: 'Play' }).waitFor();
});

test.each([1280, 390])(
  'four weeks of a batch pass live, in the other tab as well: at %i',
  async (width) => {
    const hand = handOn(await dashboard.open('/overview'));
    const { page } = hand;
    await page.setViewportSize({ width, height: 844 });
    await hand.goTo('Sandbox');
    const isNew = page.waitForURL(/batch=/);
    await hand.click(page.getByRole('button', { name: 'Generate failing payments' }));
    const dialog = page.getByRole('dialog', { name: 'Generate failing payments?' });
    await hand.type(dialog.getByLabel(/^How many/), '6');
    await hand.click(dialog.getByRole('button', { name: 'Generate', exact: true }));
    await isNew;
    const { pathname, search } = new URL(page.url());
    const other = await dashboard.open(`${pathname}${search}`, { until: /\/api\/live$/ });
    await other.getByText('n = 6 payments').waitFor();

    await hand.click(page.getByRole('button', { name: '+ 4 weeks' }));
    await hand.click(page.getByRole('dialog', { name: 'Move time?' }).getByText('Move', exact));
    await page.getByText(/^Done: time stopped at/).waitFor();
    const figures = (tab: typeof page) => tab.locator('.figures').innerText();
    await expect.poll(() => figures(other), { timeout: 60_000 }).toMatch(/\$0\.00\s+0 payments/);
    await expect.poll(() => figures(page), { timeout: 60_000 }).toBe(await figures(other));
    expectPresses(hand, 6, 1);

    // What was recovered is what the demo merchant was told.
    const batch = new URL(page.url()).searchParams.get('batch');
    const told = dashboard.service
      .printed()
      .matchAll(new RegExp(`retry_result of inv_sim_${batch}_\\S+: recovered ([\\d.]+) USD`, 'g'));
    const cents = [...told].reduce((sum, [, amount]) => sum + Math.round(Number(amount) * 100), 0);
    const sum = (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
    expect(await figures(other)).toContain(`${sum}\n`);
  },
);

test('every magic payment method stands with what it does', async () => {
  const page = await dashboard.open('/sandbox');
  const table = page.getByRole('table', { name: 'Ids and what they do' });
  await table.getByText('pm_sandbox_success_after_<n>').waitFor();
  expect(await table.innerText()).toContain('The charge succeeds.');
});

test('a batch that is not there is said to be so', async () => {
  const page = await dashboard.open('/sandbox?batch=nothere1');
  await page.getByText('There is no batch with this id.').waitFor();
  await expectSound(page, 'sandbox-failed');
});
