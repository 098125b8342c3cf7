import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { operatorToken } from '../kits/operator-server.ts';
import { runCli } from '../kits/run-cli.ts';

/** Runs of `accounts` accounts, the newest first, in pages of at most `limit`; the oldest differs. */
async function serviceWith(accounts: number): Promise<string> {
  const runs = Array.from({ length: accounts }, (_, at) => ({
    id: `rec_${at}`,
    merchant_id: `mer_${at}`,
    psp: 'sandbox',
    connection_version: 1,
    state: 'done',
    listed: 1,
    settled: 0,
    findings: at === accounts - 1 ? 3 : 0,
  }));
  const server = createServer((request, response) => {
    const { searchParams: asked } = new URL(request.url ?? '', 'http://service');
    const from = Number(asked.get('cursor') ?? 0);
    const to = from + Math.min(Number(asked.get('limit')), 200);
    const page = { items: runs.slice(from, to), ...(to < accounts && { next_cursor: `${to}` }) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.method === 'POST' ? { items: runs } : page));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('tells of every account, however many pages of runs there are, and of the last one’s findings', async () => {
  const env = { OPERATOR_URL: await serviceWith(430), OPERATOR_TOKEN: operatorToken };
  const { code, stdout, stderr } = await runCli('recoup', ['reconcile', '--json'], { env });
  expect(JSON.parse(stdout).items).toHaveLength(430);
  expect([code, stderr]).toEqual([1, expect.stringContaining('3 findings: look at each incident')]);
});

it('ends at once where no account is connected', async () => {
  const env = { OPERATOR_URL: await serviceWith(0), OPERATOR_TOKEN: operatorToken };
  const { code, stdout } = await runCli('recoup', ['reconcile'], { env });
  expect([code, stdout]).toEqual([0, 'No account is connected.\n']);
});
