import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { buildDashboard, dashboardFolder } from '../../src/app/dashboard/build-dashboard.ts';
import { present } from '../../src/domain/present.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { type AppHere, startAppHere } from './app-here.ts';
import { startChromium } from './chromium.ts';
import { makeDataDir, removeDataDir } from './data-dirs.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { serviceTestWithinMs } from './time-limit.ts';

const operatorToken = 'a-token-of-the-operator-of-this-test';
const encryptionKey = 'ab'.repeat(32);
/** What does not show by then does not show at all, however busy the machine is. */
const answerWithinMs = 120_000;
const screenshots = join(import.meta.dirname, '..', 'screenshots');

export interface DashboardKit {
  /** A whole service in the sandbox, on a database of its own in the run's cluster. */
  readonly service: AppHere;
  /** The service's database, for rows that a test wants to be there. */
  readonly db: Database;
  readonly operatorToken: string;
  /** The service's, for secrets that a test seals as it does. */
  readonly encryptionKey: string;
  /**
   * A page, signed in, at this address; it ends with the test, which fails when the page logged an
   * error or something broke its policy. `signedIn: false`: the sign-in page. `until`: what the page
   * has to have been answered first. `prepare`: what is done with it before it goes anywhere.
   */
  open(
    path: string,
    options?: {
      readonly signedIn?: boolean;
      readonly until?: RegExp;
      readonly prepare?: (page: Page) => Promise<void>;
      /** The viewer's language, where it is not that of the tests' texts. */
      readonly locale?: string;
    },
  ): Promise<Page>;
  /** The service ends, and starts again where it was: open pages stay open meanwhile. */
  restart(): Promise<void>;
}

/**
 * For the top of a test file: one service and one browser for all its tests. `moreEnv` may start what
 * the service is to know of, such as a processor. `beginAt`: the service's time as it starts, ahead of
 * the machine's. `start`: another browser than the tests'.
 */
export function useDashboard(
  moreEnv: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
  {
    beginAt,
    start: startBrowser = startChromium,
  }: { readonly beginAt?: Date; readonly start?: () => Promise<Browser> } = {},
): DashboardKit {
  vi.setConfig({ testTimeout: serviceTestWithinMs, hookTimeout: serviceTestWithinMs });
  let dataDir: string | undefined;
  let database: TestDatabase | undefined;
  let parts: Parts | undefined;
  beforeAll(async () => {
    const built = await buildDashboard({ folder: dashboardFolder });
    expect(built.kind).toBe('ready');
    database = await createTestDatabase();
    const more = await moreEnv();
    const { connectionString } = database;
    const db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 2 });
    if (beginAt !== undefined) {
      const aheadMs = beginAt.getTime() - Date.now();
      await db.pool.query('update sandbox_clock set offset_ms = $1', [aheadMs]);
    }
    dataDir = await makeDataDir();
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: connectionString,
      OPERATOR_TOKEN: operatorToken,
      ENCRYPTION_KEY: encryptionKey,
      DASHBOARD: 'true',
      ...more,
    };
    const start = (port: Readonly<Record<string, string>> = {}) =>
      startAppHere({ ...env, ...port });
    const [browser, service] = await Promise.all([startBrowser(), start()]);
    parts = { start, browser, service, db, signedIn: await browser.newContext(viewer) };
    await signIn(parts);
    await keepWarm(parts);
  });
  afterAll(async () => {
    await parts?.browser.close();
    await parts?.service.stop();
    await parts?.db.close();
    await database?.drop();
    if (dataDir !== undefined) await removeDataDir(dataDir);
  });
  const get = (): Parts => {
    if (parts === undefined) throw new Error('the dashboard has not started');
    return parts;
  };
  return {
    get service() {
      return get().service;
    },
    get db() {
      return get().db;
    },
    operatorToken,
    encryptionKey,
    async open(path, { signedIn = true, until, prepare, locale } = {}) {
      const { browser, service } = get();
      const isShared = signedIn && locale === undefined;
      const context = isShared
        ? get().signedIn
        : await browser.newContext({
            ...viewer,
            ...present({ locale }),
            ...(signedIn && { storageState: await get().signedIn.storageState() }),
          });
      const page = await context.newPage();
      page.setDefaultTimeout(answerWithinMs);
      watch(page);
      onTestFinished(() => (isShared ? page.close() : context.close()));
      await prepare?.(page);
      const answered = until && page.waitForResponse(until);
      await page.goto(new URL(path, service.operatorUrl).href);
      if (signedIn) await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
      await answered;
      return page;
    },
    async restart() {
      const { service, start } = get();
      await service.stop();
      const { port } = new URL(service.operatorUrl);
      parts = { ...get(), service: await start({ OPERATOR_PORT: port }) };
    },
  };
}

interface Parts {
  start(port: Readonly<Record<string, string>>): Promise<AppHere>;
  readonly browser: Browser;
  readonly service: AppHere;
  readonly db: Database;
  readonly signedIn: BrowserContext;
}

/** As the sign-in page does it, which test/dashboard/session.test.ts is about. */
async function signIn({ service, signedIn }: Parts): Promise<void> {
  const origin = new URL(service.operatorUrl).origin;
  const answer = await signedIn.request.post(`${origin}/api/session`, {
    headers: { origin },
    data: { token: operatorToken },
  });
  expect(answer.status()).toBe(204);
}

/**
 * An empty tab of the same site that stays: Chromium ends a process with its last tab, and the next tab
 * would start one and compile the dashboard's scripts, and axe's, anew.
 */
async function keepWarm({ service, signedIn }: Parts): Promise<void> {
  const tab = await signedIn.newPage();
  await tab.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await tab.goto(new URL('/warm', service.operatorUrl).href);
}

/**
 * Presses the button of a dialog, and waits until the dialog is gone: until then its words stand in
 * the page beside those below it. `toast`: what is said of it, which goes away by itself.
 */
export async function pressIn(
  dialog: Locator,
  button: string,
  { toast }: { readonly toast?: string | RegExp } = {},
): Promise<void> {
  await Promise.all([
    toast === undefined ? undefined : dialog.page().getByRole('status').getByText(toast).waitFor(),
    dialog.getByRole('button', { name: button, exact: true }).click(),
    dialog.waitFor({ state: 'hidden' }),
  ]);
}

/** Opens the choice of this label, and takes the one that says this. */
export async function choose(
  where: Page | Locator,
  label: string | RegExp,
  option: string | RegExp,
): Promise<void> {
  const page = 'goto' in where ? where : where.page();
  await where.getByRole('combobox', { name: label }).click();
  const list = page.getByRole('listbox');
  await list.getByRole('option', { name: option, exact: true }).click();
  await list.waitFor({ state: 'hidden' });
}

/** What the browser complains of, a broken policy too. A refusal that a test asks for is none. */
function watch(page: Page): void {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().includes('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints).toEqual([]));
}

/** Whose language and zone the texts of the tests are in. */
const viewer = { locale: 'en-US', timezoneId: 'Europe/Berlin' };

/** Every rule is judged all the same; of what it found nothing wrong with, no account is written. */
const axeOptions = JSON.stringify({ resultTypes: ['violations'], selectors: false });

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Both widths and both schemes are judged in two views; all four are for who looks at pictures. */
const views = [
  { width: 1280, height: 900, colorScheme: 'light', isJudged: true },
  { width: 1280, height: 900, colorScheme: 'dark', isJudged: false },
  { width: 390, height: 844, colorScheme: 'light', isJudged: false },
  { width: 390, height: 844, colorScheme: 'dark', isJudged: true },
] as const;

const takesPictures = process.env.SCREENSHOTS === 'true';

/**
 * Looks at the page as it is now, wide and light, narrow and dark: axe-core finds nothing, and nothing
 * is wider than the screen. With SCREENSHOTS=true pictures of all four views go to test/screenshots.
 */
export async function expectSound(page: Page, name: string): Promise<void> {
  for (const { width, height, colorScheme, isJudged } of views) {
    if (!isJudged && !takesPictures) continue;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (takesPictures) {
      await mkdir(screenshots, { recursive: true });
      const path = join(screenshots, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
    if (!isJudged) continue;
    await expectAccessible(page, `${name} at ${width}, ${colorScheme}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/**
 * Judges the page as it is now, open lists and dialogs too: axe-core finds nothing, nothing overflows. `within`
 * is a selector of the part to judge, where the rest has been.
 */
export async function expectAccessible(page: Page, name: string, within?: string): Promise<void> {
  if (!(await page.evaluate(`'axe' in window`))) {
    await page.evaluate(await readFile(axePath, 'utf8'));
  }
  // Charts are drawn for a new width a frame after it.
  await page.evaluate(
    'new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))',
  );
  const context = within === undefined ? 'document' : JSON.stringify({ include: [within] });
  const result = (await page.evaluate(`axe.run(${context}, ${axeOptions})`)) as AxeResult;
  const found = result.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary ?? ''}`),
  );
  expect(found, name).toEqual([]);
  const tooWide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(tooWide, name).toBe(0);
}
