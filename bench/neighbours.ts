import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { settings as settingDefaults } from '../src/settings.ts';
import { type Child, startChild } from './kit/child.ts';
import { cpuTimeMs } from './kit/cpu-time.ts';
import { insertPayments } from './kit/payments.ts';
import { print } from './kit/report.ts';
import { median, percentile } from './kit/statistics.ts';
import type { BareSinkCalls } from './processes/bare-sink.ts';
import type { DatabaseCalls } from './processes/database.ts';
import type { MerchantsCalls } from './processes/merchants.ts';
import type { NeighbourCalls } from './processes/neighbour.ts';
import type { Flood, RunawayCalls } from './processes/runaway.ts';
import type { ServiceCalls } from './processes/service.ts';

const perSecond = 40;
const durationMs = 5_000;
const rounds = 5;
const budget = 2;

/**
 * What a merchant feels while another one, or a stranger, runs away: its p99 of a durable acknowledgement
 * under each attack, beside its quiet one and the one while the same attack goes to a bare server on the same
 * machine, in turns. Then what a healthy merchant's payments wait for
 * while the servers of others hang. `--only=pdf` measures one of them.
 */
export async function neighbours(): Promise<void> {
  await using world = await startWorld();
  for (const [name, flood] of Object.entries(attacksOn(world))) {
    if (isWanted(name)) await measure(world, name, flood);
  }
  if (isWanted('hanging')) await hanging(world);
}

function isWanted(name: string): boolean {
  const only = process.argv.find((text) => text.startsWith('--only='));
  return only === undefined || only === `--only=${name}`;
}

interface Merchant {
  readonly id: string;
  readonly recovery_api_key: string;
  readonly disputes_username: string;
  readonly disputes_password: string;
}

interface World extends AsyncDisposable {
  readonly service: Awaited<ReturnType<ServiceCalls['open']>>;
  readonly servicePid: number;
  readonly neighbour: Child<NeighbourCalls>;
  readonly runaway: Child<RunawayCalls>;
  readonly merchants: Child<MerchantsCalls>;
  /** Where a bare server listens. */
  readonly sinkUrl: string;
  readonly client: pg.Client;
  readonly good: Merchant;
  readonly bad: Merchant;
  /** Of the bad one. */
  readonly disputeId: string;
  addMerchant(url: string): Promise<Merchant>;
}

async function startWorld(): Promise<World> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(startChild<DatabaseCalls>('database'));
  const child = stack.use(startChild<ServiceCalls>('service'));
  const neighbour = stack.use(startChild<NeighbourCalls>('neighbour'));
  const runaway = stack.use(startChild<RunawayCalls>('runaway'));
  const merchants = stack.use(startChild<MerchantsCalls>('merchants'));
  const sink = stack.use(startChild<BareSinkCalls>('bare-sink'));
  try {
    const { connectionString } = await database.call('start', {});
    const settings = {
      DATABASE_URL: connectionString,
      ENCRYPTION_KEY: '00'.repeat(32),
      OPERATOR_TOKEN: 'bench-operator-token-of-no-worth-0123456789',
      SANDBOX: 'true',
      DASHBOARD: 'false',
      LOG_LEVEL: 'fatal',
      // As they come, whatever the other benchmarks are given.
      RECOVERY_RATE_LIMIT_PER_MINUTE: settingDefaults.recoveryRateLimitPerMinute.default,
      DISPUTES_RATE_LIMIT_PER_MINUTE: settingDefaults.disputesRateLimitPerMinute.default,
    };
    const service = await child.call('open', { roles: 'all', settings });
    const client = new pg.Client({ connectionString });
    await client.connect();
    stack.defer(() => client.end());
    const [goodUrl = '', badUrl = ''] = await merchants.call('start', { count: 2 });
    const addMerchant = (url: string) => createMerchant(service, url);
    const good = await addMerchant(goodUrl);
    const bad = await addMerchant(badUrl);
    const disputeId = await reportDispute(service.disputesUrl, bad);
    const owned = stack.move();
    const parts = {
      service,
      servicePid: child.pid,
      neighbour,
      runaway,
      merchants,
      sinkUrl: await sink.call('listen', undefined),
      client,
      good,
      bad,
      disputeId,
    };
    return { ...parts, addMerchant, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function createMerchant(service: World['service'], url: string): Promise<Merchant> {
  const body = {
    name: 'Bench',
    retry_status_url: `${url}/retry/{invoice_id}`,
    webhook_url: `${url}/webhooks`,
    psps: [{ psp: 'sandbox' }],
  };
  const authorization = `Bearer ${service.operatorToken}`;
  return post<Merchant>(`${service.operatorUrl}/api/merchants`, { authorization }, body);
}

async function reportDispute(url: string, merchant: Merchant): Promise<string> {
  const at = new Date().toISOString();
  const body = {
    psp: 'paypal',
    psp_dispute_id: 'PP-D-1',
    kind: 'dispute',
    stage: 'inquiry',
    status: 'needs_response',
    occurred_at: at,
    opened_at: at,
    amount: 49,
    currency: 'EUR',
    transaction_id: '8RT1001',
  };
  const headers = { authorization: basic(merchant) };
  return (await post<{ id: string }>(`${url}/v1/disputes`, headers, body)).id;
}

async function post<Answer>(url: string, headers: object, body: object): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

function basic({ disputes_username: name, disputes_password: password }: Merchant): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

const mebibyte = 1024 * 1024;

function attacksOn({ service, bad, disputeId }: World): Readonly<Record<string, Flood>> {
  const key = `x-api-key: ${bad.recovery_api_key}`;
  const ofList = `GET /recover/payments HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}\r\n\r\n`;
  const disputes = `Host: 127.0.0.1\r\nAuthorization: ${basic(bad)}`;
  const lines = { bytes: 15 * mebibyte, character: '\n' };
  const update = 'POST /recover/payment_method_updates HTTP/1.1\r\nHost: 127.0.0.1';
  return {
    pipelining: {
      ...{ url: service.url, connections: 20, pipelined: 2_000, afterwards: 'closes' },
      request: ofList,
    },
    'slow-readers': {
      ...{ url: service.url, connections: 20, pipelined: 2_000, afterwards: 'reads_nothing' },
      request: ofList,
    },
    refusals: {
      ...{ url: service.url, connections: 20, pipelined: 2_000, afterwards: 'closes' },
      request: 'GET /recover/payments HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    },
    pdf: {
      ...{ url: service.disputesUrl, connections: 2, pipelined: 1, afterwards: 'waits' },
      request: `GET /v1/disputes/${disputeId}/evidence HTTP/1.1\r\n${disputes}\r\nAccept: application/pdf\r\n\r\n`,
    },
    'blank-lines': {
      ...{ url: service.disputesUrl, connections: 2, pipelined: 1, afterwards: 'waits' },
      request: `POST /v1/analytics/batch HTTP/1.1\r\n${disputes}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${lines.bytes}\r\n\r\n`,
      fill: lines,
    },
    'unsigned-webhooks': {
      ...{ url: service.disputesUrl, connections: 32, pipelined: 1, afterwards: 'waits' },
      request: `POST /v1/psp/sandbox/webhooks/${bad.id} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${mebibyte - 1}\r\n\r\n`,
      fill: { bytes: mebibyte - 1, character: '1' },
    },
    'wrong-keys': {
      ...{ url: service.url, connections: 64, pipelined: 1, afterwards: 'waits' },
      request: `${update}\r\nx-api-key: ${wrongKey(bad.recovery_api_key)}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    },
  };
}

/** Of the form of a key, so that it is looked up. */
function wrongKey(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
}

type Turn = 'quiet' | 'bare' | 'noisy';

async function measure(world: World, name: string, flood: Flood): Promise<void> {
  const { neighbour, runaway, service, good } = world;
  const input = { url: service.url, apiKey: good.recovery_api_key, perSecond, durationMs };
  const statuses: Record<string, number> = {};
  const told: Record<string, number> = {};
  const p99s: Record<Turn, number[]> = { quiet: [], bare: [], noisy: [] };
  const cpuMs: Record<Turn, number> = { quiet: 0, bare: 0, noisy: 0 };
  const take = async (turn: Turn) => {
    const beforeMs = cpuTimeMs(world.servicePid) ?? 0;
    const result = await neighbour.call('steady', input);
    cpuMs[turn] += (cpuTimeMs(world.servicePid) ?? 0) - beforeMs;
    p99s[turn].push(percentile(result.latenciesMs, 99));
    return result;
  };
  await neighbour.call('steady', { ...input, durationMs: 1_000 });
  for (let round = 0; round < rounds; round += 1) {
    await take('quiet');
    await runaway.call('start', { ...flood, url: world.sinkUrl });
    await take('bare');
    await runaway.call('stop', undefined);
    // What an attack left behind is not the next turn's.
    await wait(1_000);
    await runaway.call('start', flood);
    addUp(statuses, (await take('noisy')).statuses);
    addUp(told, await runaway.call('stop', undefined));
    await wait(1_000);
  }
  const [quiet, bare, noisy] = [median(p99s.quiet), median(p99s.bare), median(p99s.noisy)];
  const ratio = noisy / quiet;
  print(
    `${name}: p99 ${noisy.toFixed(1)} ms, quiet ${quiet.toFixed(1)} ms: ratio ` +
      `${ratio.toFixed(1)} (budget ${budget}: ${ratio <= budget ? 'kept' : 'missed'}); with the attack at a ` +
      `bare server ${bare.toFixed(1)} ms: ratio ${(noisy / bare).toFixed(1)}`,
  );
  const perSecondMs = (turn: Turn) => Math.round((cpuMs[turn] * 1000) / (rounds * durationMs));
  print(`  CPU of the service ${perSecondMs('noisy')} ms a second, quiet ${perSecondMs('quiet')}`);
  print(`  its answers ${JSON.stringify(statuses)}; the runaway's ${JSON.stringify(told)}`);
}

function addUp(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
}

const hangingMerchants = 20;
const dueOfEach = 20;
const dueOfHealthy = 200;

/** A healthy merchant's lateness, from due to its server being asked, alone and beside those that hang. */
async function hanging(world: World): Promise<void> {
  const { runaway, merchants } = world;
  const quietMs = await latenessOf(world, 'quiet');
  const urls = await runaway.call('hang', { count: hangingMerchants });
  const sick = await Promise.all(urls.map((url) => world.addMerchant(url)));
  await insertDue(world, {
    merchantIds: sick.map(({ id }) => id),
    count: hangingMerchants * dueOfEach,
    label: 'sick',
  });
  await wait(1_000);
  const besideMs = await latenessOf(world, 'beside');
  print(
    `hanging: ${hangingMerchants} merchants x ${dueOfEach}; a healthy one's lateness p99 ` +
      `${percentile(besideMs, 99)} ms, quiet ${percentile(quietMs, 99)} ms: ratio ` +
      `${(percentile(besideMs, 99) / percentile(quietMs, 99)).toFixed(1)} (budget ${budget})`,
  );
  await merchants.call('lateness', undefined);
}

async function latenessOf(world: World, label: string): Promise<readonly number[]> {
  const { merchants, good } = world;
  await insertDue(world, { merchantIds: [good.id], count: dueOfHealthy, label });
  await merchants.call('taken', { webhooks: dueOfHealthy });
  return merchants.call('lateness', undefined);
}

async function insertDue(
  { client }: World,
  of: { readonly merchantIds: readonly string[]; readonly count: number; readonly label: string },
): Promise<void> {
  const now = new Date();
  await insertPayments(client, {
    ...of,
    from: now,
    to: new Date(now.getTime() + 3_000),
    namesDue: true,
  });
}
