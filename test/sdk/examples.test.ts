import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { nodeListener } from '../../sdk/src/adapters/node.ts';
import { createDisputesClient, createRecoveryClient } from '../../sdk/src/index.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { type Program, startProgram } from '../kits/program.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  expectStatus,
  listDeliveries,
  operatorApi,
  serviceNow,
} from '../kits/service-calls.ts';
import { readText } from '../kits/source-files.ts';

const run = promisify(execFile);
const root = `${import.meta.dirname}/../..`;
const services = useServices();
const programs: Program[] = [];
let service: Service;

/** The SDK as it is published, which the examples run on; and a service. */
beforeAll(async () => {
  await run('npm', ['run', 'build', '-w', 'sdk'], { cwd: root });
  service = await services.start();
});
afterAll(async () => {
  for (const program of programs) await program.abandon();
});

const merchantKey = 'key-of-the-merchant';

async function freePort(): Promise<number> {
  const probe = createSocketServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

interface Merchant {
  readonly id: string;
  readonly port: number;
  readonly apiKey: string;
  readonly signingSecret: string;
  readonly disputesPassword: string;
}

async function createMerchant(name: string): Promise<Merchant> {
  const port = await freePort();
  const made = await expectStatus(
    operatorApi(service).post('/api/merchants', {
      name,
      retry_status_url: `http://127.0.0.1:${port}/retry/{invoice_id}`,
      webhook_url: `http://127.0.0.1:${port}/webhooks/retry-results`,
      auth: { type: 'api_key', api_key: merchantKey },
      psps: [{ psp: 'sandbox' }],
    }),
    201,
  );
  return {
    id: made.id,
    port,
    apiKey: made.recovery_api_key,
    signingSecret: made.signing_secret,
    disputesPassword: made.disputes_password,
  };
}

/** Reports `in_<name>` with the SDK, as failed with a card of its own. */
async function report(name: string, apiKey: string): Promise<void> {
  const client = createRecoveryClient({ baseUrl: service.recoveryUrl, apiKey });
  const invoiceId = `in_${name}`;
  const methods = [`pm_sandbox_success--${name}`];
  await client.reportPayment(
    failedEvent({ invoiceId, methods, at: await serviceNow(service) }) as Parameters<
      typeof client.reportPayment
    >[0],
  );
}

async function startExample(name: string, merchant: Merchant): Promise<Program> {
  const program = startProgram('node', [`examples/${name}.ts`], {
    PORT: String(merchant.port),
    MERCHANT_API_KEY: merchantKey,
    RECOUP_SIGNING_SECRET: merchant.signingSecret,
  });
  programs.push(program);
  await program.until(({ stdout }) => /^listening/m.exec(stdout)?.[0]);
  return program;
}

/** The examples that have no server of their own, served by Node. */
async function serveHere(name: 'edge' | 'next', merchant: Merchant): Promise<void> {
  vi.stubEnv('MERCHANT_API_KEY', merchantKey);
  vi.stubEnv('RECOUP_SIGNING_SECRET', merchant.signingSecret);
  const handler = name === 'edge' ? await edgeHandler(merchant) : await nextHandler();
  const server = createServer(nodeListener(handler)).listen(merchant.port, '127.0.0.1');
  await once(server, 'listening');
  afterServers.push(() => void server.close());
}
const afterServers: (() => void)[] = [];
afterAll(() => {
  for (const close of afterServers) close();
});

async function edgeHandler({ signingSecret }: Merchant) {
  const { default: worker } = await import('../../examples/edge.ts');
  const settings = { MERCHANT_API_KEY: merchantKey, RECOUP_SIGNING_SECRET: signingSecret };
  return (request: Request) => worker.fetch(request, settings);
}

async function nextHandler() {
  const webhook = await import('../../examples/next/webhook-route.ts');
  const retryStatus = await import('../../examples/next/retry-status-route.ts');
  return (request: Request) =>
    (new URL(request.url).pathname.startsWith('/retry/') ? retryStatus : webhook).POST(request);
}

test('each example, as the merchant’s server, has a payment recovered and hears of it', async () => {
  const own = ['express', 'fastify', 'hono', 'node-http'] as const;
  const names = [...own, 'edge', 'next'] as const;
  const merchants = new Map<string, Merchant>();
  for (const name of names) merchants.set(name, await createMerchant(name));
  const merchantOf = (name: string) => merchants.get(name) ?? expect.fail(`no ${name}`);
  const started = await Promise.all(own.map((name) => startExample(name, merchantOf(name))));
  for (const name of ['edge', 'next'] as const) await serveHere(name, merchantOf(name));

  for (const name of names) await report(name, merchantOf(name).apiKey);
  await advance(service, 'P4D');

  for (const name of names) {
    const { id, apiKey } = merchantOf(name);
    const client = createRecoveryClient({ baseUrl: service.recoveryUrl, apiKey });
    const payments = [];
    for await (const payment of client.iteratePayments({ limit: 1 })) payments.push(payment);
    expect([name, payments.map(({ status }) => status)]).toEqual([name, ['recovered']]);
    const deliveries = await listDeliveries(service, id);
    expect([name, deliveries.map(({ status }) => status)]).toEqual([name, ['delivered']]);
  }
  for (const [index, program] of started.entries()) {
    expect(program.output()).toEqual({
      stdout: expect.stringContaining(`recovered in_${own[index]}: 12.23 USD`),
      stderr: '',
    });
  }
});

test('the example that reports, and the guide’s 404 of an unknown invoice', async () => {
  const merchant = await createMerchant('report');
  const program = startProgram('node', ['examples/report.ts', 'in_reported'], {
    RECOUP_URL: service.recoveryUrl,
    RECOUP_API_KEY: merchant.apiKey,
  });
  programs.push(program);
  expect((await program.end(20_000)).stdout).toMatch(/^reported in_reported as request \S+\n$/);
  const client = createRecoveryClient({ baseUrl: service.recoveryUrl, apiKey: merchant.apiKey });
  await expect(client.showPayment('in_nowhere')).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
    requestId: expect.stringMatching(/./),
  });
});

/** The guide's programs, each under the name that stands before it. */
function programsOfGuide(): readonly (readonly [name: string, text: string])[] {
  const guide = readText('docs/integrate-in-an-afternoon.md');
  const blocks = guide.matchAll(/^`([\w.]+)`:\n\n```js\n(.*?)^```$/gms);
  return [...blocks].map(([, name = '', text = '']) => [name, text]);
}

test('the programs of the guide, as they stand there, recover their payment', async () => {
  const merchant = await createMerchant('guide');
  const folder = await mkdtemp(join(tmpdir(), 'recoup-guide-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of programsOfGuide()) {
    const here = text
      .replaceAll('4000', String(merchant.port))
      .replaceAll('http://127.0.0.1:8080', service.recoveryUrl);
    await writeFile(join(folder, name), here);
  }
  const start = (name: string): Program => {
    const program = startProgram('node', [join(folder, name)], {
      MERCHANT_API_KEY: merchantKey,
      RECOUP_SIGNING_SECRET: merchant.signingSecret,
      RECOUP_API_KEY: merchant.apiKey,
    });
    programs.push(program);
    return program;
  };
  const server = start('server.js');
  await server.until(({ stdout }) => /^listening/m.exec(stdout)?.[0]);
  expect((await start('report.js').end(20_000)).stdout).toMatch(/^stored as \S+\n$/);
  await advance(service, 'P4D');
  await server.until(({ stdout }) => /^recovered in_1: 12\.23$/m.exec(stdout)?.[0]);
});

test('analytics records go to the disputes API alone and in batches', async () => {
  const { id, disputesPassword } = await createMerchant('analytics');
  const client = createDisputesClient({
    baseUrl: service.disputesUrl,
    username: id,
    password: disputesPassword,
  });
  expect(await client.ping()).toEqual({ status: 'OK' });
  const analyticsRecord = (charge_id: string) =>
    ({
      customer_email: 'a@example.com',
      ipv4_address: '8.8.4.4',
      psp: 'stripe',
      charge_id,
    }) as const;
  const alone = await client.createAnalytics(analyticsRecord('ch_1'));
  const results = [];
  const bad = { ...analyticsRecord('ch_3'), ipv4_address: 'nowhere' };
  const rows = [analyticsRecord('ch_1'), bad, analyticsRecord('ch_2')];
  for await (const result of client.createAnalyticsBatch(rows)) results.push(result);
  expect(results).toMatchObject([
    { row: 1, id: alone.id },
    { row: 2, detail: [{ loc: ['body', 'ipv4_address'] }] },
    { row: 3, id: expect.stringMatching(/^ana_/) },
  ]);
});

test('the package holds what was built and nothing else, and runs by itself', async () => {
  const { stdout } = await run(
    'npm',
    ['pack', '-w', 'sdk', '--dry-run', '--json', '--ignore-scripts'],
    { cwd: root },
  );
  const packed: unknown = JSON.parse(stdout);
  const [{ files }] = Object.values(packed as object) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  const others = paths.filter((path) => !/^dist\/[\w/-]+\.(js|d\.ts)$/.test(path));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);

  const manifest = JSON.parse(readText('sdk/package.json'));
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    expect(manifest[kind]).toBeUndefined();
  }
  for (const entry of Object.values<string | Record<string, string>>(manifest.exports)) {
    const targets = typeof entry === 'string' ? [entry] : Object.values(entry);
    for (const target of targets) expect(paths).toContain(target.slice('./'.length));
  }
  for (const path of paths.filter((name) => name.endsWith('.js'))) {
    const text = readText(`sdk/${path}`);
    const targets = [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, target]) => target);
    expect([path, targets.filter((target) => !target?.startsWith('.'))]).toEqual([path, []]);
  }
  const script = `const sdk = await import('@recoup/sdk');
    for (const part of ['node', 'express', 'fastify', 'hono', 'next']) await import('@recoup/sdk/' + part);
    process.stdout.write(Object.keys(sdk).sort().join(' '));`;
  const imported = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
  });
  expect(imported.stdout).toBe(
    'RecoupApiError RecoupConnectionError StatementError WebhookError createDeduplicate ' +
      'createDisputesClient createMemoryStore createRecoveryClient doNotRetry invoiceNotFound rateLimited retry ' +
      'retryStatusHandler stopReasons verifyStatements verifyWebhook webhookHandler',
  );
});
