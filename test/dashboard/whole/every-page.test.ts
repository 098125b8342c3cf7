import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { choose, expectAccessible, expectSound, useDashboard } from '../../kits/dashboard.ts';
import { pageNames } from '../../kits/dashboard-world/page-names.ts';
import { pagesOf } from '../../kits/dashboard-world/pages-of.ts';
import {
  type DashboardWorld,
  seedDashboard,
  worldNow,
} from '../../kits/dashboard-world/seed-dashboard.ts';
import { expectStatus, operatorApi } from '../../kits/service-calls.ts';

const dashboard = useDashboard(undefined, { beginAt: worldNow });
let world: DashboardWorld;
let paths: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await seedDashboard(dashboard);
  paths = await pagesOf(dashboard.service, world);
});

/** A page that has shown all that it asked for. */
async function openWhole(
  path: string,
  options?: Parameters<typeof dashboard.open>[1],
): Promise<Page> {
  const page = await dashboard.open(path, options);
  await page.locator('main h1').first().waitFor();
  const loading = page.locator('.state-loading');
  const shown = path === '/design' ? 1 : 0;
  await expect.poll(() => loading.count(), { timeout: 60_000 }).toBe(shown);
  return page;
}

/** Panels whose lower third, and more than some lines, shows nothing: their titles, and how much. */
const emptyEnds = `
  [...document.querySelectorAll('main .panel')].flatMap((panel) => {
    const box = panel.getBoundingClientRect();
    const leaves = [...panel.querySelectorAll('*')].filter((it) => it.childElementCount === 0);
    const ends = Math.max(...leaves.map((it) => it.getBoundingClientRect().bottom));
    const emptyPx = Math.round(box.bottom - ends);
    return emptyPx > box.height / 3 && emptyPx > 100 ? [panel.querySelector('h2')?.textContent + ': ' + emptyPx + ' px'] : [];
  })
`;

/** As wide as a window of 1280 that is magnified four times. */
const narrow = { width: 320, height: 640 };

/** Of what the keys come to, back from the end: what is covered where it has the focus, what shows nothing, what has no name. */
const comeBackThrough = `
  (async () => {
    const stops = [...document.querySelectorAll('main :is(a, button, input, textarea, select, summary, [tabindex="0"])')];
    const found = [];
    for (const stop of stops.toReversed().slice(0, 60)) {
      if (!stop.checkVisibility() || stop.matches('[tabindex="-1"], [inert] *')) continue;
      stop.focus();
      await new Promise(requestAnimationFrame);
      const { left, top, width, height } = stop.getBoundingClientRect();
      // A high one is not seen as a whole, wherever it is.
      const y = height > 200 ? top + height - 8 : top + 2;
      const at = document.elementFromPoint(left + width / 2, y);
      const over = at?.closest('.bar, thead') ?? null;
      const isCovered = over !== null && !over.contains(stop) && !stop.contains(over);
      const name = stop.getAttribute('aria-label') ?? stop.innerText;
      if (isCovered) found.push('covered: ' + name);
      if (width < 2 || stop.closest('thead')?.offsetWidth < 2) found.push('unseen: ' + name);
    }
    return found;
  })()
`;

/** About as much wider than the tests' font as the widest fonts of systems are. */
const wideFont = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('main * { letter-spacing: 0.06em }');
  document.adoptedStyleSheets = [sheet];
`;

/** Tables that do not fit into their frames, and how much they are wider. */
const tooWideTables = `
  [...document.querySelectorAll('.table-frame')].filter((it) => it.scrollWidth - it.clientWidth > 1).map(
    (it) => it.querySelector('table')?.ariaLabel + ': ' + (it.scrollWidth - it.clientWidth) + ' px',
  )
`;

describe('every page, full of rows', () => {
  test.each(pageNames)(
    '%s is accessible, has no empty ends and is not wider than the screen: wide and narrow, light and dark, at 320 px and in a wide font',
    async (name) => {
      const page = await openWhole(paths[name] ?? '');
      expect(await page.locator('.state-failed').count()).toBe(name === 'design' ? 1 : 0);
      await page.setViewportSize({ width: 1280, height: 900 });
      // The page of the parts lays them side by side whatever they hold, and has hundreds of rows.
      const isOfParts = name === 'design';
      if (!isOfParts) expect.soft(await page.evaluate(emptyEnds)).toEqual([]);
      await expectSound(page, `whole-${name}`);

      await page.setViewportSize(narrow);
      await page.evaluate('new Promise(requestAnimationFrame)');
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect.soft(wider, 'at 320 px').toBe(0);
      if (!isOfParts) expect.soft(await page.evaluate(comeBackThrough)).toEqual([]);

      await page.evaluate(wideFont);
      await page.setViewportSize({ width: 1280, height: 900 });
      await expect
        .poll(() => page.evaluate(tooWideTables), { message: 'in a wide font' })
        .toEqual([]);
    },
  );
});

test('in a low window the page has all of it, and not the bar', async () => {
  const page = await openWhole(paths.merchant ?? '');
  await page.setViewportSize({ width: 320, height: 256 });
  await page.evaluate('scrollTo(0, 600)');
  const bar = await page.getByRole('banner').boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThan(0);
});

test('the keys come to a table where it scrolls, by its name, and to no other', async () => {
  const page = await openWhole(paths.payments ?? '');
  const long = page.getByRole('group', { name: 'Payments' });
  expect(await long.getAttribute('tabindex')).toBe('0');
  const short = await openWhole(paths.alerts ?? '');
  const frame = short.getByRole('table', { name: 'Alerts' }).locator('..');
  expect(await frame.getAttribute('tabindex')).toBeNull();
});

test('on a phone a list is sorted as well', async () => {
  const page = await openWhole('/webhooks');
  await page.setViewportSize({ width: 390, height: 844 });
  const table = page.getByRole('table', { name: 'Endpoints' });
  await table.getByRole('button', { name: 'Merchant' }).click();
  const names = () => table.locator('[data-name="Merchant"]').allInnerTexts();
  const sorted = ['Atlas Media', 'Demo merchant', 'Northwind Press'];
  await expect.poll(names).toEqual(sorted.map((name) => expect.stringContaining(name)));
});

describe('panels of a row', () => {
  test('leave no empty end on the overview of a portal', async () => {
    const made = operatorApi(dashboard.service).post(
      `/api/merchants/${world.atlasId}/portal-links`,
      {},
    );
    const { pathname, hash } = new URL((await expectStatus(made, 201)).url);
    const page = await dashboard.open(pathname + hash, { signedIn: false });
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.getByRole('heading', { name: 'Monthly statements' }).waitFor();
    expect(await page.evaluate(emptyEnds)).toEqual([]);
  });
});

/** Presses the first button of this name. */
const pressing =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click({ timeout: 15_000 });

/** What opens on a press: where, its button, and what is there then. */
const opened: readonly (readonly [page: string, press: (page: Page) => Promise<void>])[] = [
  ['overview', (page) => page.getByRole('combobox', { name: 'Merchant' }).click()],
  ['overview', (page) => page.getByRole('button', { name: /^Time:/ }).click()],
  ['overview', (page) => page.getByRole('combobox', { name: 'Currency' }).click()],
  ['overview', (page) => page.getByRole('slider', { name: /^Recovered over time/ }).focus()],
  ['overview', (page) => page.keyboard.press('?')],
  ['payments', (page) => page.getByRole('combobox', { name: 'State' }).click()],
  ['payments', (page) => page.getByRole('button', { name: 'Export' }).click()],
  ['payment', (page) => page.getByRole('button', { name: 'Retry now' }).click()],
  ['payment', (page) => page.getByRole('button', { name: 'Stop', exact: true }).click()],
  ['incident', (page) => page.getByRole('button', { name: /^Refund/ }).click()],
  ['incident', (page) => page.getByRole('button', { name: 'Dismiss' }).click()],
  ['set aside', (page) => page.getByRole('button', { name: /^Retry these/ }).click()],
  ['deliveries', (page) => page.getByRole('button', { name: 'Redeliver in bulk…' }).click()],
  ['delivery', (page) => page.getByRole('button', { name: 'Redeliver' }).click()],
  [
    'models',
    (page) =>
      page
        .getByRole('button', { name: /^Use this model/ })
        .first()
        .click(),
  ],
  ['merchant', (page) => page.getByRole('button', { name: 'Issue or rotate' }).click()],
  ['merchant', (page) => page.getByRole('button', { name: 'Change the retries' }).click()],
  ['design', (page) => page.getByRole('button', { name: 'Open one that failed' }).click()],
  ['design', (page) => page.getByRole('button', { name: 'Open one that is busy' }).click()],
  ['operators', (page) => page.getByRole('button', { name: 'Add an operator' }).click()],
  [
    'operators',
    (page) =>
      page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click(),
  ],
  ['operators', pressing(/^Role: /)],
  ['operators', pressing(/^Token: /)],
  ['merchant', pressing('Change the addresses')],
  ['merchant', pressing('Connect a processor')],
  ['merchant', pressing('Revoke all links')],
  ['sandbox', pressing('Generate failing payments')],
];

const openedParts = '[role="dialog"], [role="listbox"], .chart-tip';

describe('what opens on a page', () => {
  test.each(opened.map(([name, press], index) => [name, index, press] as const))(
    'of %s is accessible in both schemes, wide and narrow (%i)',
    async (name, index, press) => {
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        const page = await openWhole(paths[name] ?? '');
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await press(page);
        const open = page.locator(openedParts).first();
        await open.waitFor();
        const isWithin = () =>
          open.evaluate((element, most) => {
            const { left, right } = element.getBoundingClientRect();
            return left >= 0 && right <= most;
          }, width);
        // A chart is drawn in its new width a moment after the window has it.
        await expect.poll(isWithin, { timeout: 15_000 }).toBe(true);
        await expectAccessible(page, `${name} ${index} at ${width}, ${colorScheme}`, openedParts);
        await page.close();
      }
    },
  );
});

const views = {
  'What waits for a person': ['/incidents', '/set-aside', '/invariants'],
  Alerts: ['/alerts', '/alerts/sent', '/alerts/channels'],
  Team: ['/audit', '/operators'],
  Disputes: ['/disputes', '/disputes/outcomes'],
  Policy: ['/policy', '/policy/models'],
};

describe('the parts', () => {
  test('a long list draws the rows that are seen, and the others as they are scrolled to', async () => {
    const page = await openWhole('/payments?range=all');
    const table = page.getByRole('table', { name: 'Payments' });
    expect(await table.getAttribute('aria-rowcount')).toBe('101');
    const rows = table.locator('tbody tr[data-index]');
    expect(await rows.count()).toBeLessThan(50);
    expect(await table.locator('tr[data-index="99"]').count()).toBe(0);
    await table.locator('..').evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
    const last = table.locator('tr[data-index="99"]');
    await last.waitFor();
    expect(await last.getAttribute('aria-rowindex')).toBe('101');
    expect(await table.locator('tr[data-index="0"]').count()).toBe(0);
  });

  test('a long list keeps its columns while it is scrolled, whichever rows are seen', async () => {
    const page = await openWhole('/payments?range=all');
    const table = page.getByRole('table', { name: 'Payments' });
    await table.waitFor();
    const widths = () =>
      table.evaluate((it) => [...it.querySelectorAll('th')].map((th) => th.clientWidth));
    const before = await widths();
    await table.locator('..').evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
    const count = Number(await table.getAttribute('aria-rowcount')) - 1;
    await table.locator(`tr[data-index="${count - 1}"]`).waitFor();
    expect(await table.locator('tr[data-index="0"]').count()).toBe(0);
    expect(await widths()).toEqual(before);
    // Another width of the page has other ones.
    await page.setViewportSize({ width: 1600, height: 900 });
    await expect.poll(widths).not.toEqual(before);
  });

  test('a long list has the same columns whether merchants are known by name before or after it', async () => {
    const widthsOn = (page: Page) =>
      page
        .getByRole('table', { name: 'Payments' })
        .evaluate((it) => [...it.querySelectorAll('th')].map((th) => th.clientWidth));
    const named = (page: Page) =>
      page.getByRole('cell', { name: 'Atlas Media', exact: true }).first();
    const page = await openWhole('/payments?range=all');
    await named(page).waitFor();
    const before = await widthsOn(page);
    let answerMerchants: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      answerMerchants = resolve;
    });
    await page.route('**/api/merchants?*', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('cell', { name: world.atlasId, exact: true }).first().waitFor();
    expect(await widthsOn(page)).not.toEqual(before);
    answerMerchants();
    await named(page).waitFor();
    await expect.poll(() => widthsOn(page)).toEqual(before);
  });

  test('a long list is as high as its rows, wherever it is scrolled to and however wide it was before', async () => {
    const page = await openWhole('/payments?range=all');
    const table = page.getByRole('table', { name: 'Payments' });
    const frame = table.locator('..');
    const height = () => frame.evaluate((it) => it.scrollHeight);
    const rowAndHeights = async () => {
      const heights: number[] = [];
      for (let part = 0; part <= 10; part += 1) {
        await frame.evaluate((it, share) => it.scrollTo(0, it.scrollHeight * share), part / 10);
        await page.evaluate('new Promise(requestAnimationFrame)');
        heights.push(await height());
      }
      const rows = table.locator('tr[data-index]');
      expect(await table.locator('tr[data-index="99"]').count()).toBe(1);
      const row = await rows.first().evaluate((it) => it.clientHeight);
      return { row, least: Math.min(...heights), most: Math.max(...heights) };
    };
    const named = table.getByRole('cell', { name: 'Atlas Media' }).first();

    // As a phone opens it: each row a card.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await named.waitFor();
    const cards = await rowAndHeights();
    expect(cards.row).toBeGreaterThan(150);
    expect(cards.least).toBeGreaterThan(99 * 150);
    expect(cards.most - cards.least).toBeLessThan(cards.row);

    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(height).toBeLessThan(101 * 60);
    const lines = await rowAndHeights();
    expect(lines.most - lines.least).toBeLessThan(lines.row);

    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(height).toBeGreaterThan(99 * 150);
    const again = await rowAndHeights();
    expect(again.most - again.least).toBeLessThan(again.row);
  });

  test('a short list shows as a whole, however high its rows are', async () => {
    const page = await openWhole('/alerts');
    await page.setViewportSize({ width: 1280, height: 500 });
    const table = page.getByRole('table', { name: 'Alerts' });
    await table.waitFor();
    const [shown, whole] = await table
      .locator('..')
      .evaluate((it) => [it.clientHeight, it.scrollHeight]);
    expect(shown).toBeGreaterThan(500);
    expect(shown).toBe(whole);
  });

  test('what a row has nothing of is a dash, which is read out as none, and no line of a phone', async () => {
    const page = await openWhole('/webhooks');
    const table = page.getByRole('table', { name: 'Endpoints' });
    const cell = table
      .getByRole('row', { name: /^Atlas Media/ })
      .locator('[data-name="Failing since"]');
    expect((await cell.innerText()).replaceAll(/\s/g, '')).toBe('–none');
    expect(await cell.locator('[aria-hidden]').innerText()).toBe('–');
    expect(await table.locator('td:empty').count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => cell.isVisible()).toBe(false);
  });

  test('alerts that cannot wait stand first', async () => {
    const page = await openWhole('/alerts');
    const rows = page.getByRole('table', { name: 'Alerts' }).locator('tbody tr');
    await rows.first().waitFor();
    const urgencies = await rows.locator('td:nth-child(3)').allInnerTexts();
    expect(urgencies[0]).toBe('now');
    expect(urgencies.lastIndexOf('now')).toBeLessThan(urgencies.indexOf('within the day'));
  });

  test('the ways to the other views stand at the same place on each of them', async () => {
    for (const [label, of] of Object.entries(views)) {
      const places = { wide: new Set<string>(), narrow: new Set<string>() };
      for (const path of of) {
        const page = await openWhole(path);
        const place = () => page.getByRole('navigation', { name: label }).boundingBox();
        await page.setViewportSize({ width: 1280, height: 844 });
        const wide = await place();
        places.wide.add(`${wide?.x} ${wide?.y}`);
        await page.setViewportSize({ width: 390, height: 844 });
        // A title that takes two lines of a phone moves them down.
        places.narrow.add(`${(await place())?.x}`);
        await page.close();
      }
      const { wide, narrow } = places;
      expect([label, [...wide], [...narrow]]).toEqual([label, [[...wide][0]], [[...narrow][0]]]);
    }
  });

  test('a map that is wider than a phone says so at its edge, and keeps the names of its rows', async () => {
    const page = await openWhole('/retry-map');
    await page.setViewportSize({ width: 390, height: 844 });
    const map = page.getByRole('table', { name: 'Success by weekday and hour' });
    const frame = map.locator('..');
    const fades = () => frame.evaluate((it) => it.classList.contains('is-more-aside'));
    await expect.poll(fades).toBe(true);
    const name = map.getByRole('rowheader', { name: 'Mon' });
    const left = async () => (await name.boundingBox())?.x ?? 0;
    const before = await left();
    await frame.evaluate((it) => it.scrollTo(it.scrollWidth, 0));
    await expect.poll(fades).toBe(false);
    // Less by the gap between cells.
    expect(Math.abs((await left()) - before)).toBeLessThan(2);
    await page.setViewportSize({ width: 1280, height: 844 });
    await expect.poll(fades).toBe(false);
  });

  test('a list that is there as a whole is sorted by a column, which says so', async () => {
    const page = await openWhole('/webhooks');
    const table = page.getByRole('table', { name: 'Endpoints' });
    const names = () => table.locator('tbody tr td:first-child').allInnerTexts();
    const head = table.getByRole('columnheader', { name: 'Merchant' });
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    expect(await names()).toEqual(['Atlas Media', 'Demo merchant', 'Northwind Press']);
    await head.getByRole('button').press('Enter');
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    expect(await names()).toEqual(['Northwind Press', 'Demo merchant', 'Atlas Media']);
    await head.getByRole('button').press('Enter');
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('none');
    // Counts begin with the highest.
    const pending = table.getByRole('columnheader', { name: 'Pending' });
    await pending.getByRole('button').click();
    await expect.poll(() => pending.getAttribute('aria-sort')).toBe('descending');
    expect((await names())[0]).toBe('Northwind Press');
  });

  test('days of the calendar narrow the page, stand in the address, and stay after a reload', async () => {
    const page = await openWhole('/payments');
    await page.getByRole('button', { name: 'Time: Last 30 days' }).click();
    const popup = page.getByRole('dialog', { name: 'Choose the time' });
    await popup.getByRole('button', { name: 'Go to the Previous Month' }).click();
    await popup.getByRole('button', { name: /May 5, 2031/ }).click();
    await popup.getByRole('button', { name: /May 8, 2031/ }).click();
    await popup.getByRole('button', { name: 'Show these days' }).click();
    await popup.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Time: May 5 – 8, 2031' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('2031-05-05..2031-05-08');
    await page.reload();
    await page.getByRole('button', { name: 'Time: May 5 – 8, 2031' }).waitFor();
    const first = page.getByRole('table', { name: 'Payments' }).locator('tr[data-index="0"]');
    await first
      .getByText(/^2[4-9] d|^May [5-8]/)
      .first()
      .waitFor();
  });

  test('a day after now cannot be chosen', async () => {
    const page = await openWhole('/payments');
    await page.getByRole('button', { name: 'Time: Last 30 days' }).click();
    const popup = page.getByRole('dialog', { name: 'Choose the time' });
    const day = popup.getByRole('button', { name: /June 3, 2031/ });
    await day.waitFor();
    expect(await day.isDisabled()).toBe(true);
  });

  test('on a phone the pages are in a drawer, which the keys open and close', async () => {
    const page = await openWhole('/payments');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const menu = page.getByRole('button', { name: 'Menu' });
      await menu.press('Enter');
      const drawer = page.getByRole('dialog', { name: 'Menu' });
      await drawer.getByRole('link', { name: 'Disputes' }).waitFor();
      await expectAccessible(page, `the drawer, ${colorScheme}`);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'hidden' });
      expect(await menu.evaluate((button) => button.matches(':focus'))).toBe(true);
    }
  });

  test('a chart is read out step by step by keys, and marks what happened when', async () => {
    const page = await openWhole(`/overview?merchant=${world.northwindId}`);
    const chart = page.getByRole('slider', { name: /^Recovered over time/ });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    // The endpoint began to fail on the day before.
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toMatch(
        /^Jun 1\nRecovered: \$[\d.,]+\nBefore: \$[\d.,]+\nNorthwind Press: the endpoint began to fail$/,
      );
    await page.locator('.chart-tip').getByText('Recovered: $').waitFor();
    await page.keyboard.press('Home');
    await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('1');
    const noted = page.getByRole('list', { name: 'What happened when' });
    expect(await noted.innerText()).toMatch(/1\s+Jun 1: Northwind Press: the endpoint began/);
    await choose(page, 'Currency', /^EUR/);
    await page.getByRole('slider', { name: /^Recovered over time: €/ }).waitFor();
  });
});
