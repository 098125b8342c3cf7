import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChromium } from '../../kits/chromium.ts';
import { disputesKit } from '../../kits/disputes-server.ts';
import { operatorKit } from '../../kits/operator-server.ts';
import { testServer } from '../../kits/recovery-server.ts';

/** Each port's server on loopback, with documents that its page offers. */
const servers = [
  { port: 'recovery', start: async () => `http://127.0.0.1:${await testServer().listen()}` },
  { port: 'disputes', start: async () => (await disputesKit()).url },
  {
    port: 'operator',
    start: () => operatorKit().server.listen({ port: 0, host: '127.0.0.1' }),
  },
] as const;

interface Document {
  readonly info: { readonly title: string };
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Record<string, { summary: string }>>>;
}

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

describe.each(servers)('the reference on the $port port', ({ start }) => {
  test('shows every operation, asks no other host and breaks no rule of its policy', async () => {
    const url = await start();
    const page = await browser.newPage();
    const asked = noteRequests(page);
    const complaints = noteComplaints(page);
    await page.goto(`${url}/docs`);
    const { paths, info } = await readDocument(url);
    await page.getByRole('heading', { name: info.title }).waitFor();
    const shown = await page.locator('body').innerText();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    for (const { summary } of operations) expect(shown).toContain(summary);
    expect(new Set(asked.map((each) => new URL(each).origin))).toEqual(new Set([url]));
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('needs no credentials, and everything else stays as it was', async () => {
    const url = await start();
    for (const [path, type] of [
      ['/docs', 'text/html; charset=utf-8'],
      ['/docs/start.js', 'text/javascript; charset=utf-8'],
      ['/docs/openapi.json', 'application/json'],
      ['/llms.txt', 'text/plain; charset=utf-8'],
    ] as const) {
      const answer = await fetch(url + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('request-id')).toMatch(/.{8}/);
    }
    for (const path of ['/docs/', '/docs/x', '/DOCS', '/docs/openapi.json/', '/docs/merchant']) {
      expect((await fetch(url + path)).status).toBe(404);
    }
  });
});

test.each(servers)('llms.txt on the $port port names every operation', async ({ start }) => {
  const url = await start();
  const text = await (await fetch(`${url}/llms.txt`)).text();
  expect(text).toMatch(/^# Recoup .+ API\n\n> .{20,}\n/);
  expect(text).toContain('](/docs/openapi.json)');
  const { paths } = await readDocument(url);
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\`: ${summary}\n`,
    ),
  );
  expect(lines.filter((line) => !text.includes(line))).toEqual([]);
});

test('the script is given gzipped, or whole to those who want it so', async () => {
  const url = `http://127.0.0.1:${await testServer().listen()}`;
  const zipped = await fetch(`${url}/docs/scalar.js`);
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  const plain = await fetch(`${url}/docs/scalar.js`, {
    headers: { 'accept-encoding': 'identity' },
  });
  expect(plain.headers.get('content-encoding')).toBeNull();
  const text = await plain.text();
  expect(text.length).toBeGreaterThan(1_000_000);
  expect(await zipped.text()).toBe(text);
});

async function readDocument(url: string): Promise<Document> {
  const document = (await (await fetch(`${url}/docs/openapi.json`)).json()) as Document;
  expect(document.openapi).toBe('3.1.0');
  return document;
}

function noteRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.push(request.url());
  });
  return asked;
}

/** Faults of scripts, and what the content security policy refused. */
function noteComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text());
  });
  return complaints;
}
