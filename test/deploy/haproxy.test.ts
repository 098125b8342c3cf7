import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { newMerchantId } from '../../src/domain/ids.ts';
import { newKeyText } from '../../src/domain/key-text.ts';
import { readText } from '../kits/source-files.ts';

const haproxy = '/usr/sbin/haproxy';
const file = 'deploy/haproxy/haproxy.cfg';
const random = { bytes: (count: number) => randomBytes(count) };
const basic = (user: string) => ({ authorization: `Basic ${btoa(`${user}:dp_1:2`)}` });
const apiKey = (cell?: string) => ({ 'x-api-key': newKeyText(random, 'rk_live', cell) });

interface Routed {
  readonly headers?: Record<string, string>;
  readonly path?: string;
  readonly to: 'cell_1' | 'cell_2';
}

const routes: Readonly<Record<'recovery' | 'disputes' | 'operator', readonly Routed[]>> = {
  recovery: [
    { headers: apiKey('cell_1'), to: 'cell_1' },
    { headers: apiKey('cell_2'), to: 'cell_2' },
    { headers: { 'x-api-key': newKeyText(random, 'rk_test', 'cell_2') }, to: 'cell_2' },
    { headers: apiKey('cell_3'), to: 'cell_1' },
    { headers: apiKey(), to: 'cell_1' },
    { headers: { 'x-api-key': 'cell_2' }, to: 'cell_1' },
    { to: 'cell_1' },
  ],
  disputes: [
    { headers: basic(newMerchantId(random, 'cell_2')), to: 'cell_2' },
    { headers: basic(newMerchantId(random, 'cell_1')), to: 'cell_1' },
    { headers: basic(newMerchantId(random, undefined)), to: 'cell_1' },
    { path: `/v1/psp/stripe/webhooks/${newMerchantId(random, 'cell_2')}`, to: 'cell_2' },
    { path: `/v1/psp/adyen/webhooks/${newMerchantId(random, 'cell_1')}?a=b`, to: 'cell_1' },
    { path: '/v1/psp/adyen/webhooks/cell_2', to: 'cell_1' },
    { to: 'cell_1' },
  ],
  operator: [
    { headers: { host: 'cell-2.operator.example' }, to: 'cell_2' },
    { headers: { host: 'cell-1.operator.example' }, to: 'cell_1' },
    { headers: { host: 'operator.example' }, to: 'cell_1' },
  ],
};

it('the expressions of the configuration are those of the keys and ids of a cell', () => {
  const config = readText(file);
  const found = (text: RegExp) =>
    [...config.matchAll(text)].map(([, source = '']) => new RegExp(source));
  const [cellOf, isOfCell] = [found(/regsub\("(\^[^"]+)"/g), found(/-m reg (\^(?:rk|mer)\S+)/g)];
  expect([cellOf.length, isOfCell.length]).toEqual([2, 2]);
  for (const expression of [...cellOf, ...isOfCell]) {
    const issued = (cell?: string) =>
      expression.source.startsWith('^rk')
        ? newKeyText(random, 'rk_test', cell)
        : newMerchantId(random, cell);
    for (const cell of ['cell_2', 'eu_west_1_b']) {
      const match = expression.exec(issued(cell));
      expect(match, String(expression)).not.toBeNull();
      if (cellOf.includes(expression)) expect(match).toContain(cell);
    }
    expect(issued()).not.toMatch(expression);
  }
});

it.runIf(existsSync(haproxy))(
  'HAProxy takes each request to its cell',
  async () => {
    const ports = await startProxy();
    for (const [frontend, requests] of Object.entries(routes)) {
      for (const { to, ...asked } of requests) {
        const answer = await ask(ports[frontend as keyof typeof routes], asked);
        expect(answer, `${frontend} ${JSON.stringify(asked)}`).toBe(`${frontend} ${to}`);
      }
    }
  },
  60_000,
);

/** Each cell's listeners, which say what they are, and the proxy before them, by its own configuration. */
async function startProxy(): Promise<Record<keyof typeof routes, number>> {
  let config = readText(file);
  const apis = Object.keys(routes) as (keyof typeof routes)[];
  for (const [at, api] of apis.entries()) {
    for (const cell of [1, 2]) {
      const port = await listening((answer) => answer(`${api} cell_${cell}`));
      config = config.replace(`10.0.${cell}.1:${8080 + at}`, `127.0.0.1:${port}`);
    }
  }
  const ports: number[] = [];
  for (const at of apis.keys()) {
    const port = await freePort();
    ports.push(port);
    config = config.replace(`bind :${8080 + at}`, `bind 127.0.0.1:${port}`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'recoup-haproxy-'));
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, config);
  const proxy = spawn(haproxy, ['-W', '-db', '-f', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    await end(proxy);
    await rm(folder, { recursive: true });
  });
  // It says so once its frontends are bound and its process serves them.
  for await (const said of proxy.stderr) if (String(said).includes('Loading success')) break;
  const [recovery = 0, disputes = 0, operator = 0] = ports;
  return { recovery, disputes, operator };
}

async function end(proxy: ChildProcess): Promise<void> {
  if (proxy.exitCode !== null) return;
  const exited = once(proxy, 'exit');
  proxy.kill('SIGTERM');
  await exited;
}

async function listening(serve: (answer: (text: string) => void) => void): Promise<number> {
  const server = createServer((_, response) => serve((said) => void response.end(said)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Not by `fetch`, which sends no Host of ours. */
async function ask(port: number, asked: Omit<Routed, 'to'>): Promise<string> {
  const { headers = {}, path = '/' } = asked;
  const sent = request({ host: '127.0.0.1', port, path, headers, agent: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  return text(answer);
}
