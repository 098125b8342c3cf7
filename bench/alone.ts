import { setTimeout as wait } from 'node:timers/promises';
import { type AttemptWorld, startAttemptWorld } from './kit/attempt-world.ts';
import { cpuTimeMs } from './kit/cpu-time.ts';
import { insertPayments } from './kit/payments.ts';
import { print } from './kit/report.ts';

/** Payments a second, and how many of each: most services see no more. */
const rates = [
  { perSecond: 1, count: 30 },
  { perSecond: 10, count: 200 },
  { perSecond: 50, count: 1_000 },
] as const;
const idleMs = 20_000;
const warmUp = 500;
const budgetMs = 3;
const idleBudget = 0.005;

/**
 * What a payment costs that is alone in its batch, in the CPU time of the worker and the database, without
 * what both use when nothing is due. The tables are as a young service has them, and nothing is analysed for it.
 */
export async function alone(): Promise<void> {
  await using world = await startAttemptWorld();
  await world.worker.call('startLoops', undefined);
  await play(world, { perSecond: 50, count: warmUp });
  const before = used(world);
  await wait(idleMs);
  const idle = perSecond(before, used(world), idleMs);
  const idleShare = (idle.worker + idle.database) / 1000;
  print(
    `alone: idle ${(100 * idleShare).toFixed(2)} % of a core, worker ${(idle.worker / 10).toFixed(2)} ` +
      `and database ${(idle.database / 10).toFixed(2)} (budget ${100 * idleBudget} %: ` +
      `${idleShare <= idleBudget ? 'kept' : 'missed'})`,
  );
  for (const rate of rates) {
    const took = await play(world, rate);
    const worker = (took.worker - (idle.worker * took.elapsedMs) / 1000) / rate.count;
    const database = (took.database - (idle.database * took.elapsedMs) / 1000) / rate.count;
    const all = worker + database;
    print(
      `  ${rate.perSecond} a second: ${all.toFixed(2)} ms of CPU of each, worker ${worker.toFixed(2)} and ` +
        `database ${database.toFixed(2)} (budget ${budgetMs} ms: ${all <= budgetMs ? 'kept' : 'missed'})`,
    );
  }
  await world.worker.call('stopLoops', undefined);
}

interface Used {
  readonly worker: number;
  readonly database: number;
}

/** CPU time in ms. */
function used({ worker, postmasterPid }: AttemptWorld): Used {
  return { worker: cpuTimeMs(worker.pid) ?? 0, database: cpuTimeMs(postmasterPid) ?? 0 };
}

function perSecond(before: Used, after: Used, elapsedMs: number): Used {
  const of = (name: keyof Used) => ((after[name] - before[name]) * 1000) / elapsedMs;
  return { worker: of('worker'), database: of('database') };
}

let run = 0;

/** Payments that fall due one after the other, until the last one's webhook is taken. */
async function play(
  world: AttemptWorld,
  rate: { readonly perSecond: number; readonly count: number },
): Promise<Used & { readonly elapsedMs: number }> {
  run += 1;
  const from = new Date(Date.now() + 500);
  await insertPayments(world.client, {
    merchantIds: world.merchantIds,
    count: rate.count,
    label: `alone${run}`,
    from,
    to: new Date(from.getTime() + (1000 * rate.count) / rate.perSecond),
    namesDue: false,
  });
  const before = used(world);
  const startedAtMs = performance.now();
  await world.merchants.call('taken', { webhooks: rate.count });
  const after = used(world);
  return {
    worker: after.worker - before.worker,
    database: after.database - before.database,
    elapsedMs: performance.now() - startedAtMs,
  };
}
