import { startChild } from './kit/child.ts';
import { inRounds, print, report } from './kit/report.ts';
import { measureRound } from './kit/round.ts';
import { median, percentile } from './kit/statistics.ts';
import type { BareAnalyticsCalls } from './processes/bare-analytics.ts';
import type { BareServiceCalls } from './processes/bare-service.ts';
import type { LoadCalls, LoadInput, LoadResult } from './processes/load.ts';
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

/**
 * Durable acknowledgements of `POST /v1/analytics/` at 64 connections, each of a new customer,
 * beside the same route without a database.
 */
export async function analytics(): Promise<void> {
  await using service = startChild<ServiceCalls>('service');
  await using bare = startChild<BareAnalyticsCalls>('bare-analytics');
  const at = await service.call('open', { roles: 'all' });
  const bareAt = await bare.call('open', undefined);
  await compare('analytics', {
    at: {
      url: at.disputesUrl,
      what: 'analyticsRecord',
      credentials: basic(at.disputesCredentials),
    },
    bareAt: { url: bareAt.url, what: 'analyticsRecord', credentials: basic(bareAt.credentials) },
    pids: { service: service.pid, database: at.postmasterPid },
    barePids: { service: bare.pid },
  });
}

function basic(credentials: string): string {
  return `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;
}

async function measure(name: string, roles: string): Promise<void> {
  await using service = startChild<ServiceCalls>('service');
  await using bare = startChild<BareServiceCalls>('bare-service');
  const at = await service.call('open', { roles });
  const bareAt = await bare.call('open', undefined);
  const what = 'payment_method_update';
  await compare(name, {
    at: { url: at.url, what, credentials: `x-api-key: ${at.apiKey}` },
    bareAt: { url: bareAt.url, what, credentials: `x-api-key: ${bareAt.apiKey}` },
    pids: { service: service.pid, database: at.postmasterPid },
    barePids: { service: bare.pid },
  });
}

type Target = Pick<LoadInput, 'url' | 'what' | 'credentials'>;

async function compare(
  name: string,
  input: {
    readonly at: Target;
    readonly bareAt: Target;
    readonly pids: Readonly<Record<string, number>>;
    readonly barePids: Readonly<Record<string, number>>;
  },
): Promise<void> {
  const { at, bareAt } = input;
  await using load = startChild<LoadCalls>('load');
  const send = (to: Target, count: number): Promise<LoadResult> =>
    load.call('run', { ...to, connections, requests: count });
  await send(bareAt, warmUp);
  await send(at, warmUp);
  const p99sMs: number[] = [];
  const pids = { ...input.pids, load: load.pid };
  const barePids = { ...input.barePids, load: load.pid };
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
