import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startSandboxPsp } from '../../src/psp/sandbox/server/sandbox-server.ts';
import { startEmbeddedServer } from '../../src/store/embedded/embedded-server.ts';
import { freePorts } from '../../test/kits/free-ports.ts';
import { seeded } from '../../test/kits/seeded.ts';
import { type Count, check } from './check.ts';
import { startFaultyWay } from './faulty-way.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { createFollowedClock } from './followed-clock.ts';
import { createHungBackends } from './hung-backends.ts';
import { sendLoad } from './load.ts';
import { type MeddlingCall, startMeddling } from './meddling.ts';
import { startChaosMerchant } from './merchant.ts';
import { startTrouble } from './trouble.ts';

/**
 * Chaos on real processes: two with the APIs, three workers whose clocks are minutes apart at times, a
 * PostgreSQL of their own, whose backends hang at times. Processes are killed and stopped, connections cut,
 * answers of the PSP lost, and people stop and retry payments, change methods and policy, pause webhooks and
 * have them sent again; then all is set right, everything plays out, and the records are held against each other.
 *
 *   npm run chaos -- --minutes 10 --payments 3000 --seed 1
 */
interface Options {
  readonly minutes: number;
  readonly payments: number;
  readonly seed: number;
}

const pspApiKey = 'sandbox_key';
const pspTimeoutMs = 3_000;
/** The part of the time in which payments are reported: the last of them meet trouble too. */
const loadPart = 0.8;
/** All that was begun in real time has ended after this, with every process up. */
const calmMs = 30_000;

type Ending = () => Promise<unknown>;

async function run(options: Options, endings: Ending[]): Promise<readonly Count[]> {
  const random = seeded(options.seed);
  const folder = await mkdtemp(join(tmpdir(), 'recoup-chaos-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  // As root, the database's own user passes through.
  await chmod(folder, 0o711);
  const bytes = { bytes: (count: number) => randomBytes(count) };
  const log = { info() {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const server = await startEmbeddedServer({ random: bytes, log }, { dataDir: folder });
  endings.push(() => server.stop());
  // One connection, which the clock, the trouble and the check take turns at.
  const database = new pg.Pool({ connectionString: server.connectionString, max: 1 });
  // Trouble spares this connection; the end of the server does not.
  database.on('error', () => undefined);
  endings.push(() => database.end());
  const backends = createHungBackends(database);
  endings.push(async () => backends.wakeAll());
  const pspClock = createFollowedClock(database);
  const psp = await startSandboxPsp(
    { clock: pspClock, random: bytes },
    { host: '127.0.0.1', port: 0, apiKey: pspApiKey },
  );
  endings.push(() => psp.close());
  const way = await startFaultyWay(random, {
    target: psp.url,
    timeoutMs: pspTimeoutMs,
    beforeEach: () => pspClock.follow(),
  });
  endings.push(() => way.close());
  const merchant = await startChaosMerchant(random);
  endings.push(() => merchant.close());
  const operatorToken = randomBytes(24).toString('hex');
  const fleet = createFleet(
    [
      ['api-1', 'api,operator'],
      ['api-2', 'api'],
      ['worker-1', 'worker'],
      ['worker-2', 'worker'],
      ['worker-3', 'worker'],
    ],
    { folder, env: serviceEnv(server.connectionString, way.url, operatorToken) },
  );
  endings.push(() => fleet.endAll());
  for (const member of fleet.members) await fleet.start(member);
  const operator = operatorCalls(fleet, operatorToken);
  const { apiKey, merchantId } = await createMerchant(operator, merchant);
  const acknowledged = new Map<string, string>();
  const meddling = startMeddling(seeded(options.seed + 1), {
    operator: callsTo(fleet, 'operator', { authorization: `Bearer ${operatorToken}` }),
    merchant: callsTo(fleet, 'recovery', { 'x-api-key': apiKey }),
    merchantId,
    reported: () => [...acknowledged.keys()],
  });
  const trouble = startTrouble(random, { fleet, database, backends });
  const runMs = options.minutes * 60_000;
  const startedMs = performance.now();
  const { payments } = options;
  const overMs = loadPart * runMs;
  const load = await sendLoad(random, { fleet, apiKey, payments, overMs, acknowledged });
  await sleep(Math.max(0, runMs - (performance.now() - startedMs)));
  await trouble.end();
  await meddling.end();
  way.mend();
  merchant.mend();
  await sleep(calmMs);
  await playOut(operator, database);
  const { items: promises } = (await operator('GET', '/api/invariants')) as {
    items: { name: string; breaches: number }[];
  };
  const evidence = {
    load,
    way,
    meddling,
    merchant,
    database,
    pspUrl: psp.url,
    pspApiKey,
    promises,
  };
  const counts = await check(evidence);
  const troubles = Object.entries({ ...trouble.done, ...meddling.done, ...way.met });
  return [
    ...troubles.map(([name, count]) => ({ name: name.replaceAll('_', ' '), count })),
    ...fleetCounts(fleet),
    { name: 'reports sent again, since no answer came', count: load.unanswered },
    ...counts,
  ];
}

function serviceEnv(databaseUrl: string, pspUrl: string, operatorToken: string) {
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '6',
    ENCRYPTION_KEY: '5'.repeat(64),
    OPERATOR_TOKEN: operatorToken,
    SANDBOX: 'true',
    SANDBOX_PSP_URL: pspUrl,
    ...freePorts,
    DRAIN_DELAY: '0s',
    DASHBOARD: 'false',
    LOG_LEVEL: 'info',
    // Short, so that leases end and are taken over many times.
    PSP_TIMEOUT: `${pspTimeoutMs}ms`,
    MERCHANT_TIMEOUT: '2s',
    WEBHOOK_TIMEOUT: '2s',
    ATTEMPT_LEASE: '8s',
    DELIVERY_LEASE: '5s',
    RECOVERY_RATE_LIMIT_PER_MINUTE: '1000000',
  };
}

type OperatorCall = (method: string, path: string, body?: object) => Promise<unknown>;

/** The operator's API of whichever process has it now. */
function operatorCalls(fleet: Fleet, token: string): OperatorCall {
  return async (method, path, body) => {
    const url = fleet.members.find((member) => member.urls?.operator)?.urls?.operator;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
}

/** One call to whichever process has the API now; undefined where no answer comes. */
function callsTo(
  fleet: Fleet,
  api: 'recovery' | 'operator',
  credentials: Readonly<Record<string, string>>,
): MeddlingCall {
  return async (method, path, body) => {
    const url = fleet.members.find((member) => member.urls?.[api])?.urls?.[api];
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...credentials, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(20_000),
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer === undefined || text === undefined) return undefined;
    return { status: answer.status, json: answer.ok ? JSON.parse(text) : undefined };
  };
}

async function createMerchant(
  operator: OperatorCall,
  merchant: { readonly retryStatusUrl: string; readonly webhookUrl: string },
): Promise<{ readonly apiKey: string; readonly merchantId: string }> {
  const made = (await operator('POST', '/api/merchants', {
    name: 'Chaos',
    retry_status_url: merchant.retryStatusUrl,
    webhook_url: merchant.webhookUrl,
    psps: [{ psp: 'sandbox' }],
    policy: { kind: 'fixed', fixed_days: [1, 2, 4], window_days: 7, max_attempts: 4 },
  })) as { id: string; recovery_api_key: string };
  return { apiKey: made.recovery_api_key, merchantId: made.id };
}

const openWork = `select
  (select count(*) from payments
   where state not in ('recovered', 'stopped', 'exhausted') and set_aside_at is null)
  + (select count(*) from deliveries where state = 'pending')
  + (select count(*) from requests where next_attempt_at is not null) as open`;

/** Moves the sandbox's clock day by day until everything that was begun has ended. */
async function playOut(operator: OperatorCall, database: pg.Pool): Promise<void> {
  for (let day = 0; day < 20; day += 1) {
    const { rows } = await database.query<{ open: string }>(openWork);
    if (Number(rows[0]?.open) === 0) return;
    await operator('POST', '/api/sandbox/clock', { advance: 'P1D' });
  }
}

function fleetCounts(fleet: Fleet): readonly Count[] {
  return fleet.members.flatMap(({ name, lives, heldBack, takenAgain, jumps }) => [
    { name: `${name}: lives`, count: lives },
    { name: `${name}: held back`, count: heldBack },
    { name: `${name}: took work again`, count: takenAgain },
    { name: `${name}: jumps of time`, count: jumps },
  ]);
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      payments: { type: 'string', default: '3000' },
      seed: { type: 'string', default: String(randomBytes(4).readUInt32BE()) },
    },
  });
  const options = {
    minutes: Number(values.minutes),
    payments: Number(values.payments),
    seed: Number(values.seed),
  };
  const isSound = Object.values(options).every((value) => Number.isFinite(value) && value >= 0);
  if (!isSound) throw new Error('--minutes, --payments and --seed are numbers');
  return options;
}

function print(options: Options, counts: readonly Count[]): boolean {
  const width = Math.max(...counts.map(({ name }) => name.length));
  const lines = counts.map(({ name, count, max }) => {
    const verdict = max === undefined ? '' : count > max ? '  VIOLATED' : '  ok';
    return `${name.padEnd(width)}  ${String(count).padStart(8)}${verdict}`;
  });
  const { minutes, payments, seed } = options;
  process.stdout.write(`chaos: ${minutes} minutes, ${payments} payments, seed ${seed}\n`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return counts.every(({ count, max }) => max === undefined || count <= max);
}

const endings: Ending[] = [];

/** In the reverse order of the starts; each is tried, whatever became of the one before. */
async function endAll(): Promise<void> {
  for (const ending of endings.splice(0).reverse()) {
    await ending().catch((error: unknown) => process.stderr.write(`${error}\n`));
  }
}

// Whatever fails, and wherever: nothing that was started is left behind.
process.once('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`);
  void endAll().finally(() => process.exit(1));
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endAll().finally(() => process.exit(130)));
}
try {
  const options = readOptions();
  process.exitCode = print(options, await run(options, endings)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  await endAll();
}
