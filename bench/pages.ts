import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startChromium } from '../test/kits/chromium.ts';
import { print } from './kit/report.ts';
import { median, percentile } from './kit/statistics.ts';
import { startReportWorld } from './reports/report-world.ts';
import { merchantIds } from './reports/seeds.ts';

const payments = 1_000_000;
/** Each page is opened so often, after once that is not counted. */
const looksOfEach = 10;
const budgetsMs = { content: 1_000, data: 1_500 };
const largest = merchantIds[0];

/** Pages of the dashboard, with their views that read most. */
const paths: Readonly<Record<string, string>> = {
  overview: '/overview',
  'overview, 90 days': '/overview?range=90d',
  'overview, all': '/overview?range=all',
  'overview of one': `/overview?merchant=${largest}`,
  payments: '/payments',
  'payments, exhausted': '/payments?status=exhausted',
  'payments, waiting': '/payments?status=waiting_for_customer',
  payment: `/payments/${largest}/in_999961`,
  customer: `/customers/${largest}/cus_40`,
  incidents: '/incidents',
  'set aside': '/set-aside',
  'ledger checks': '/invariants',
  alerts: '/alerts',
  'retry timing': '/retry-map',
  'retry timing, all': '/retry-map?range=all',
  'retry timing, all by class': '/retry-map?range=all&cohort=decline_class',
  webhooks: '/webhooks',
  deliveries: `/webhooks?merchant=${largest}`,
  disputes: '/disputes',
  'dispute outcomes': '/disputes/outcomes?range=all',
  policy: '/policy',
  'policy of one': `/policy?merchant=${largest}`,
  models: '/policy/models',
  limits: '/limits',
  merchants: '/merchants',
  merchant: `/merchants/${largest}`,
  'audit log': '/audit',
  operators: '/operators',
};

/**
 * When the page last stopped waiting: its heading is there, no part of it is on its way, and everything that
 * it asks for has been answered once. What it asks again, since sums went on meanwhile, is no wait.
 */
const watchScript = `(() => {
  const ask = window.fetch.bind(window);
  const asked = new Set();
  let unanswered = 0;
  let was = false;
  const look = () => {
    const is = unanswered === 0 && document.querySelector('main h1') !== null
      && document.querySelector('.state-loading') === null;
    if (is && !was) window.wholeAtMs = performance.now();
    was = is;
    window.isWhole = is;
  };
  window.fetch = (...given) => {
    const url = given[0] instanceof Request ? given[0].url : String(given[0]);
    if (asked.has(url)) return ask(...given);
    asked.add(url);
    unanswered += 1;
    return ask(...given).finally(() => {
      unanswered -= 1;
      requestAnimationFrame(look);
    });
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
})()`;

/** So long nothing more may come before a page counts as whole. */
const quietMs = 500;
const lookEveryMs = 100;
const patience = 600;

/** Pages of the dashboard in a browser, on a million payments: until something shows, and until all does. */
export async function pages(): Promise<void> {
  await using world = await startReportWorld(payments, { dashboard: true });
  await world.operator.call('keepRollups', undefined);
  const browser = await startChromium();
  try {
    const context = await signedIn(browser, world);
    const [content, data]: [number[], number[]] = [[], []];
    for (const [name, path] of Object.entries(paths)) {
      const looks = await lookAt(context, `${world.operatorUrl}${path}`);
      print(`  ${name}: content ${asText(looks.content)}; data ${asText(looks.data)}`);
      content.push(...looks.content);
      data.push(...looks.data);
    }
    print(`pages: first content ${asText(content)}${verdict(content, budgetsMs.content)}`);
    print(`  all data ${asText(data)}${verdict(data, budgetsMs.data)}`);
  } finally {
    await browser.close();
  }
}

async function signedIn(
  browser: Browser,
  world: { readonly operatorUrl: string; readonly operatorToken: string },
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const { origin } = new URL(world.operatorUrl);
  const answer = await context.request.post(`${origin}/api/session`, {
    headers: { origin },
    data: { token: world.operatorToken },
  });
  if (!answer.ok()) throw new Error(`signing in: ${answer.status()}`);
  return context;
}

async function lookAt(
  context: BrowserContext,
  url: string,
): Promise<{ readonly content: readonly number[]; readonly data: readonly number[] }> {
  const [content, data]: [number[], number[]] = [[], []];
  for (let look = 0; look <= looksOfEach; look += 1) {
    const page = await context.newPage();
    await page.addInitScript(watchScript);
    await page.goto(url);
    await whole(page, url);
    const failed = await page.locator('.state-failed').count();
    if (failed > 0) throw new Error(`${url}: ${failed} parts of the page failed`);
    const [contentMs, dataMs] = (await page.evaluate(
      `[performance.getEntriesByName('first-contentful-paint')[0].startTime, window.wholeAtMs]`,
    )) as [number, number];
    await page.close();
    if (look === 0) continue;
    content.push(contentMs);
    data.push(dataMs);
  }
  return { content, data };
}

/** @throws where it does not come to rest in a minute */
async function whole(page: Page, url: string): Promise<void> {
  const isQuiet = `window.isWhole === true && performance.now() - window.wholeAtMs > ${quietMs}`;
  for (let looked = 0; looked < patience; looked += 1) {
    // The page's policy lets no text be run by a waitForFunction.
    if ((await page.evaluate(isQuiet)) === true) return;
    await setTimeout(lookEveryMs);
  }
  throw new Error(`${url} was still loading after a minute`);
}

function verdict(tookMs: readonly number[], budgetMs: number): string {
  const isKept = percentile(tookMs, 95) <= budgetMs;
  return ` (budget p95 ${budgetMs} ms: ${isKept ? 'kept' : 'missed'})`;
}

function asText(values: readonly number[]): string {
  return `p50 ${median(values).toFixed(0)} ms, p95 ${percentile(values, 95).toFixed(0)} ms`;
}
