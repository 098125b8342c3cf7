import { startChild } from './kit/child.ts';
import { inRounds, print, report } from './kit/report.ts';
import { measureRound } from './kit/round.ts';
import { median, percentile } from './kit/statistics.ts';
import type { BareServiceCalls } from './processes/bare-service.ts';
import type { LoadCalls, LoadResult } from './processes/load.ts';
import type { ServiceCalls } from './processes/service.ts';

const connections = 64;
const requests = 20_000;
const warmUp = 5_000;
const budget = 0.5;
const p99BudgetMs = 50;

/**
 * Durable acknowledgements of `POST /recover/payment_method_updates` at 64 connections, beside the
 * same route without a database. Load, service and database are processes of their own.
 */
export async function acknowledgements(): Promise<void> {
  // As it runs on several machines: what was taken is applied by others.
  await measure('acknowledgements', 'api,operator');
  // As it runs on one: each request is applied beside the next ones.
  await measure('acknowledgements, and applied', 'all');
}

async function measure(name: string, roles: string): Promise<void> {
  await using service = startChild<ServiceCalls>('service');
  await using bare = startChild<BareServiceCalls>('bare-service');
  await using load = startChild<LoadCalls>('load');
  const { postmasterPid, ...at } = await service.call('open', { roles });
  const bareAt = await bare.call('open', undefined);
  const send = (to: { url: string; apiKey: string }, count: number): Promise<LoadResult> =>
    load.call('run', { ...to, connections, requests: count });
  await send(bareAt, warmUp);
  await send(at, warmUp);
  const p99sMs: number[] = [];
  const pids = { service: service.pid, database: postmasterPid, load: load.pid };
  const barePids = { service: bare.pid, load: load.pid };
  const rounds = await inRounds({
    floor: () => measureRound({ count: requests, pids: barePids }, () => send(bareAt, requests)),
    subject: () =>
      measureRound({ count: requests, pids }, async () => {
        const { latenciesMs } = await send(at, requests);
        p99sMs.push(percentile(latenciesMs, 99));
      }),
  });
  report(name, { ...rounds, budget });
  print(`  p99 ${median(p99sMs).toFixed(1)} ms (budget ${p99BudgetMs} ms)`);
}
