import { randomFillSync } from 'node:crypto';
import { pino } from 'pino';
import { createAlertsModule } from '../../src/app/alerts/alerts-module.ts';
import { createOperatorApi } from '../../src/app/apis.ts';
import type { AppContext, Closable } from '../../src/app/context.ts';
import { createEngine, type Engine } from '../../src/app/engine.ts';
import { openSecrets } from '../../src/app/keys/open-secrets.ts';
import { createMerchantModule } from '../../src/app/merchant-module.ts';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { createPspModule } from '../../src/app/psps/psp-module.ts';
import { keepTime } from '../../src/app/time/keep-time.ts';
import { parseConfig } from '../../src/config.ts';
import { defaultPolicy } from '../../src/domain/merchant.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createPspRegistry } from '../../src/psp/registry.ts';
import { createSandboxAdapter } from '../../src/psp/sandbox/adapter.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { writeEvents } from '../../src/store/engine/write-events.ts';
import { withoutWall } from '../../src/store/wall/merchant-databases.ts';
import { roles } from '../../src/store/wall/roles.ts';
import { webhookBody } from '../kit/bare-calls.ts';
import { serve } from '../kit/serve.ts';

/**
 * The service's worker as src/app.ts joins it, but with its PSP in another process: every loop,
 * the default settings, no listener.
 */
export interface WorkerInput {
  readonly connectionString: string;
  readonly pspUrl: string;
  readonly pspApiKey: string;
  readonly merchantUrls: readonly string[];
}

const parts: Closable[] = [];
let engine: Engine | undefined;
let database: Database | undefined;

async function build(input: WorkerInput): Promise<{ merchantIds: readonly string[] }> {
  const config = parseConfig({
    DATABASE_URL: input.connectionString,
    ENCRYPTION_KEY: '00'.repeat(32),
    OPERATOR_TOKEN: 'bench-operator-token-of-no-worth-0123456789',
    SANDBOX: 'true',
  });
  const random = pooledRandom(randomFillSync);
  const log = pino({ level: 'error' }, pino.destination({ fd: 2, sync: true }));
  const db = openDatabase({ log }, { ...input, poolSize: config.databasePool, role: roles.worker });
  database = db;
  const metrics = createMetrics();
  const elapsedMs = () => performance.now();
  const machine = { now: () => new Date() };
  const time = await keepTime(
    { machine, elapsedMs, random, log, metrics },
    { address: { connectionString: input.connectionString }, config },
  );
  const context: AppContext = {
    config,
    ...(await openSecrets({ random, db, clock: time.clock }, config)),
    clock: time.clock,
    engineTime: time.clock,
    machine,
    random,
    log,
    metrics,
    db,
    merchantDatabases: withoutWall(db),
    wall: { kind: 'up' },
    elapsedMs,
  };
  const merchants = createMerchantModule(context);
  const adapter = createSandboxAdapter({
    baseUrl: input.pspUrl,
    apiKey: input.pspApiKey,
    deadlineMs: config.pspTimeoutMs,
  });
  parts.push(time, db, merchants, adapter);
  const psps = createPspModule({ context, merchants, registry: createPspRegistry([adapter]) });
  engine = createEngine(context, merchants, psps);
  const alerts = createAlertsModule(context);
  parts.push(alerts);
  const operator = createOperatorApi(context, {
    merchants,
    alerts,
    psps,
    engine,
    jobs: {
      requestReplay: async () => undefined,
      requestBulk: async () => undefined,
      requestTraining: async () => undefined,
      requestWhatIf: async () => undefined,
      requestCheck: async () => undefined,
      requestReconciliation: async () => undefined,
      requestRotation: async () => undefined,
    },
  });
  const merchantIds: string[] = [];
  for (const url of input.merchantUrls) {
    const { merchant } = await operator.createMerchant({
      name: 'Bench',
      retryStatusUrl: `${url}/retry/{invoice_id}`,
      webhookUrl: `${url}/webhooks/retry-results`,
      auth: { type: 'api_key', api_key: 'bench_api_key' },
      psps: [{ psp: 'sandbox', credentials: {} }],
      policy: defaultPolicy,
      endOfDunning: false,
    });
    merchantIds.push(merchant.merchantId);
  }
  return { merchantIds };
}

/** An event of each invoice, all in one transaction; when it was committed, in milliseconds since 1970. */
async function commitEvents(
  invoices: readonly { readonly merchantId: string; readonly invoiceId: string }[],
): Promise<number> {
  if (database === undefined) throw new Error('build comes first');
  const at = new Date();
  await database.transaction(async (tx) => {
    for (const { merchantId, invoiceId } of invoices) {
      const eventId = `evt_${invoiceId}`;
      const event = { eventId, type: 'end_of_dunning', body: webhookBody } as const;
      await writeEvents(tx, { merchantId, invoiceId, events: [event], at });
    }
  });
  const committedMs = Date.now();
  engine?.deps.wake.deliveries();
  return committedMs;
}

const calls = {
  build,
  commitEvents,
  async startLoops() {
    engine?.startLoops();
  },
  async stopLoops() {
    await engine?.stopLoops();
  },
  /** What it holds now. */
  async memory() {
    return { rssBytes: process.memoryUsage.rss(), heapBytes: process.memoryUsage().heapUsed };
  },
  /** The most memory that the process has held, in bytes. */
  async maxMemory() {
    return process.resourceUsage().maxRSS * 1024;
  },
};
export type WorkerCalls = typeof calls;

serve(calls, async () => {
  await engine?.stopLoops();
  for (const part of parts.toReversed()) await part.close();
});
