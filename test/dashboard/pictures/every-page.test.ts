import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { matchRoute } from '../../../dashboard/src/state/match-route.ts';
import { useDashboard } from '../../kits/dashboard.ts';
import { pageNames } from '../../kits/dashboard-world/page-names.ts';
import { pagesOf } from '../../kits/dashboard-world/pages-of.ts';
import {
  type DashboardWorld,
  seedDashboard,
  worldNow,
} from '../../kits/dashboard-world/seed-dashboard.ts';
import { keptPictures } from '../../kits/pictures/kept-pictures.ts';
import { makeSteady, startSteadyChromium } from '../../kits/pictures/steady-page.ts';
import { takePicture, views } from '../../kits/pictures/take-picture.ts';
import { expectStatus, operatorApi } from '../../kits/service-calls.ts';
import { listFiles, readText } from '../../kits/source-files.ts';

const dashboard = useDashboard(undefined, { beginAt: worldNow, start: startSteadyChromium });
const pictures = keptPictures({
  kept: join(import.meta.dirname, 'kept'),
  differences: join(import.meta.dirname, '..', '..', 'screenshots', 'differences'),
});
let world: DashboardWorld;
let paths: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await seedDashboard(dashboard);
  paths = await pagesOf(dashboard.service, world);
});

/** What a merchant's own people see, and those who are not signed in. */
const otherNames = [
  'sign-in',
  'portal entry',
  'portal overview',
  'portal payments',
  'portal payment',
  'portal webhooks',
  'portal disputes',
] as const;
const names = [...pageNames, ...otherNames];

function pictureName(name: string, { width, colorScheme }: (typeof views)[number]): string {
  return `${name.replaceAll(' ', '-')}-${width}-${colorScheme}`;
}

async function openNamed(name: string): Promise<Page> {
  const path = paths[name];
  if (path !== undefined) return await dashboard.open(path, { prepare: makeSteady });
  if (name === 'sign-in') return await openOutside('/');
  if (name === 'portal entry') return await openOutside('/portal');
  return await openPortal(name.replace('portal ', ''));
}

function openOutside(path: string): Promise<Page> {
  return dashboard.open(path, { signedIn: false, prepare: makeSteady });
}

async function openPortal(name: string): Promise<Page> {
  const made = operatorApi(dashboard.service).post(
    `/api/merchants/${world.atlasId}/portal-links`,
    {},
  );
  const { pathname, hash } = new URL((await expectStatus(made, 201)).url);
  const page = await openOutside(pathname + hash);
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
  await page.goto(new URL(`/portal${paths[name]}`, page.url()).href);
  return page;
}

describe('every page looks as it is kept, wide and light, narrow and dark', () => {
  test.each(names)('%s', async (name) => {
    const page = await openNamed(name);
    await page.locator('main h1').first().waitFor();
    // One that goes on loading is a part that the design page shows.
    const loading = name === 'design' ? 1 : 0;
    const standIns = { [dashboard.service.merchantId]: 'mer_9k2mdem0x7t4c1w8v5h3b6q0' };
    for (const view of views) {
      const most = name === 'design' ? Number.POSITIVE_INFINITY : view.most;
      const picture = await takePicture(page, view, { standIns, loading, most });
      expect.soft(await pictures.judge(pictureName(name, view), picture)).toBeUndefined();
    }
  });
});

test('no picture is kept of a page that is no more', async () => {
  const wanted = names.flatMap((name) => views.map((view) => pictureName(name, view)));
  expect(await pictures.stale(wanted)).toEqual([]);
});

test('every route of the dashboard is one of these pages', () => {
  const routes = listFiles('dashboard/src/pages', 'page.ts').flatMap((path) =>
    [...readText(path).matchAll(/\broute\(\s*'([^']+)'/g)].map(([, route = '']) => route),
  );
  const shown = Object.values(paths).map((path) => new URL(path, 'http://any').pathname);
  expect(routes.length).toBeGreaterThan(25);
  const missing = routes.filter(
    (route) => !shown.some((path) => matchRoute(route, path) !== undefined),
  );
  expect(missing).toEqual([]);
});
