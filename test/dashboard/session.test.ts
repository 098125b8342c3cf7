import { expect, test } from 'vitest';
import { loadView, type Tab } from '../../dashboard/src/state/load-view.ts';
import { choose, expectSound, useDashboard } from '../kits/dashboard.ts';

const dashboard = useDashboard();

test('asks for the token, says where it is, and refuses a wrong one', async () => {
  const page = await dashboard.open('/payments?status=recovered', { signedIn: false });
  await page.locator('h1 .mark').waitFor();
  const token = page.getByLabel('Operator token');
  await token.fill('  ');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await token.evaluate((it) => it.matches(':focus:user-invalid'))).toBe(true);
  await token.fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByText('This token is wrong, or is no longer valid. Where to find the operator token:')
    .waitFor();
  await expectSound(page, 'sign-in');
  await page.getByLabel('Operator token').fill(dashboard.operatorToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
  expect(page.url()).toContain('status=recovered');
});

test('keeps no token where a script could read it', async () => {
  const page = await dashboard.open('/payments');
  const kept = await page.evaluate('JSON.stringify([document.cookie, {...localStorage}])');
  expect(kept).not.toContain(dashboard.operatorToken);
  expect(kept).not.toContain('recoup_session');
});

test('goes back to the sign-in page when one signs out', async () => {
  const page = await dashboard.open('/payments', { signedIn: false });
  await page.getByLabel('Operator token').fill(dashboard.operatorToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Operator token').waitFor();
});

test('has no dead links, and explains its keys', async () => {
  const page = await dashboard.open('/');
  const links = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link');
  await links.first().waitFor();
  for (const name of await links.allInnerTexts()) {
    const link = links.and(page.getByRole('link', { name, exact: true }));
    await link.click();
    await link.and(page.locator('[aria-current="page"]')).waitFor();
    await page.locator('main h1').waitFor();
  }
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Search payments').waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
});

test('has all its pages at the side of a window of 1280, above its end', async () => {
  const page = await dashboard.open('/payments');
  await page.setViewportSize({ width: 1280, height: 800 });
  const links = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link');
  const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
  expect(boxes.length).toBeGreaterThan(10);
  expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
  const out = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
  expect((out?.y ?? 800) + (out?.height ?? 0)).toBeLessThanOrEqual(800);
  expect((boxes.at(-1)?.y ?? 800) < (out?.y ?? 0)).toBe(true);
});

test('draws its charts in a browser whose language is no tag of a language', async () => {
  const page = await dashboard.open('/payments');
  await page.addInitScript(
    `Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })`,
  );
  await page.goto(new URL('/', page.url()).href);
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
});

test('keeps the colours that one chose', async () => {
  const page = await dashboard.open('/payments', { signedIn: false });
  await page.getByLabel('Operator token').fill(dashboard.operatorToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await choose(page, 'Colours', 'Dark theme');
  await page.reload();
  await page.getByRole('combobox', { name: 'Colours' }).waitFor();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
});

test('says so where a page does not exist', async () => {
  const page = await dashboard.open('/no/such/page');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
});

test('of before an upgrade loads itself anew once, and opens the page that was asked for', async () => {
  const page = await dashboard.open('/payments');
  let asked = 0;
  await page.route(/\/assets\/limits-[^/]+\.js$/, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.evaluate('window.isOld = true');
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.getByRole('heading', { name: 'Network fees and limits' }).waitFor();
  expect(await page.evaluate('window.isOld')).toBeUndefined();
  expect(asked).toBe(2);
});

test('a page whose parts are asked for while the service is away says so, and opens by itself', async () => {
  const page = await dashboard.open('/payments');
  const away = /\/(assets\/limits-[^/]+\.js)?$/;
  await page.route(away, (route) => route.abort());
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.getByText('Recoup does not answer. The page opens by itself once it does.').waitFor();
  await page.unroute(away);
  await page.getByRole('heading', { name: 'Network fees and limits' }).waitFor();
});

test('whose page cannot be loaded at all is loaded anew once, and says so then', async () => {
  const done: string[] = [];
  let reloaded = false;
  const tab: Tab = {
    wasReloaded: () => reloaded,
    noteReload: () => {
      reloaded = true;
    },
    forgetReload: () => {
      reloaded = false;
    },
    untilAnswered: async () => void done.push('answered'),
    reload: () => void done.push('reload'),
  };
  const broken = async () => Promise.reject(new Error('no such chunk'));
  void loadView(tab, broken);
  await expect.poll(() => done).toEqual(['answered', 'reload']);
  await expect(loadView(tab, broken)).rejects.toThrow('no such chunk');
  expect(await loadView(tab, async () => 'view')).toBe('view');
  expect(reloaded).toBe(false);
});
