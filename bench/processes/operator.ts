import { randomFillSync } from 'node:crypto';
import { pino } from 'pino';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { type App, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { keepRollups } from '../../src/jobs/background/keep-rollups.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { countCardLimits } from '../../src/store/rollups/count-card-limits.ts';
import { countSettled } from '../../src/store/rollups/count-settled.ts';
import { rollUpCharges, rollUpPayments, rollUpUplift } from '../../src/store/rollups/roll-up.ts';
import { sweepRollups } from '../../src/store/rollups/sweep-rollups.ts';
import { serve } from '../kit/serve.ts';

const operatorToken = 'bench-operator-token-of-no-worth-0123456789';
const log = pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true }));

let db: Database | undefined;
let app: App | undefined;

/** The service in the role of the operator alone, on a database of another process. */
const calls = {
  async open({
    connectionString,
    dashboard,
  }: {
    readonly connectionString: string;
    readonly dashboard: boolean;
  }) {
    db = openDatabase({ log }, { connectionString, poolSize: 2 });
    const config = parseConfig({
      DATABASE_URL: connectionString,
      ENCRYPTION_KEY: '00'.repeat(32),
      OPERATOR_TOKEN: operatorToken,
      ROLES: 'operator',
      OPERATOR_PORT: '0',
      DASHBOARD: String(dashboard),
    });
    app = await startApp(
      {
        machine: { now: () => new Date() },
        random: pooledRandom(randomFillSync),
        elapsedMs: () => performance.now(),
        log,
        onFatal: (error) => {
          throw error;
        },
      },
      config,
    );
    return { url: app.operatorUrl ?? '', operatorToken };
  },
  /** Bytes that this process holds now. */
  async memory() {
    return { rssBytes: process.memoryUsage.rss() };
  },
  /** One run of the job that keeps the sums, as a worker runs it; milliseconds. */
  async keepRollups() {
    const runsOn = opened();
    const job = keepRollups({
      rollUpPayments: (input) => rollUpPayments(runsOn, input),
      rollUpUplift: (input) => rollUpUplift(runsOn, input),
      rollUpCharges: (input) => rollUpCharges(runsOn, input),
      countCardLimits: async () => undefined,
      countSettled: (input) => countSettled(runsOn, input),
      sweep: () => sweepRollups(runsOn),
    });
    return timed(() =>
      job.run({ at: new Date(), signal: new AbortController().signal, progress() {} }),
    );
  },
  /** One count of the cards near a limit, however new the last one is; milliseconds. */
  async countCardLimits() {
    return timed(() => countCardLimits(opened(), { at: new Date(), oldestMs: 0 }));
  },
};
export type OperatorCalls = typeof calls;

function opened(): Database {
  if (db === undefined) throw new Error('the operator was not opened');
  return db;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

serve(calls, async () => {
  await app?.close();
  await db?.close();
});
