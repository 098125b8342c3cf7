import pg from 'pg';
import { settings } from '../src/settings.ts';
import { migrate } from '../src/store/migrate.ts';
import { startChild } from './kit/child.ts';
import { allDelivered, insertPayments } from './kit/payments.ts';
import { inRounds, print, report } from './kit/report.ts';
import { measureRound, type Round } from './kit/round.ts';
import { percentile } from './kit/statistics.ts';
import type { BareWebhooksCalls } from './processes/bare-webhooks.ts';
import type { DatabaseCalls } from './processes/database.ts';
import type { MerchantsCalls } from './processes/merchants.ts';
import type { PspCalls } from './processes/psp.ts';
import type { WorkerCalls } from './processes/worker.ts';

const perRound = 4_000;
const budget = 0.6;
/** Events that are committed at once, and the servers that they go to. */
const burst = 2_000;
const servers = 100;
/** Of them, where some are out of order. */
const [hanging, failing] = [20, 20];
const dayMs = 86_400_000;

/**
 * Webhooks alone: events that are in the database are sent to one merchant's server and to a hundred, beside the
 * bare loop of the same calls. Then a burst of events, from each one's commit to its first byte at the
 * merchant's server, where all servers answer, and where of a hundred twenty hang and twenty fail.
 */
export async function webhooks(): Promise<void> {
  for (const count of [1, servers]) await rate(count);
  await lateness({ count: servers, hang: 0, fail: 0 });
  await lateness({ count: servers, hang: hanging, fail: failing });
}

async function rate(count: number): Promise<void> {
  await using world = await startWebhookWorld({ count });
  await world.bare(perRound);
  await world.deliver(perRound);
  const rounds = await inRounds({
    floor: () => world.bare(perRound),
    subject: () => world.deliver(perRound),
  });
  report(`webhooks to ${count === 1 ? 'one server' : `${count} servers`}`, { ...rounds, budget });
}

async function lateness(of: Servers): Promise<void> {
  await using world = await startWebhookWorld(of);
  await world.burst(burst);
  const { hang = 0, fail = 0 } = of;
  const lateMs = await world.burst(burst);
  print(
    `webhooks, a burst of ${burst} to ${of.count} servers, ${hang} hanging and ${fail} failing: from commit to first byte at ` +
      `the ${of.count - hang - fail} that answer p50 ${percentile(lateMs, 50)} ms, p99 ${percentile(lateMs, 99)} ms`,
  );
}

interface Servers {
  readonly count: number;
  readonly hang?: number;
  readonly fail?: number;
}

interface WebhookWorld extends AsyncDisposable {
  /** So many events that are there already, until the last one is taken and recorded. */
  deliver(count: number): Promise<Round>;
  bare(count: number): Promise<Round>;
  /** Of those to servers that answer: milliseconds from commit to first byte. */
  burst(count: number): Promise<readonly number[]>;
}

async function startWebhookWorld(servers: Servers): Promise<WebhookWorld> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(startChild<DatabaseCalls>('database'));
  const psp = stack.use(startChild<PspCalls>('psp'));
  const merchants = stack.use(startChild<MerchantsCalls>('merchants'));
  const worker = stack.use(startChild<WorkerCalls>('worker'));
  const loop = stack.use(startChild<BareWebhooksCalls>('bare-webhooks'));
  try {
    const { connectionString, postmasterPid } = await database.call('start', {});
    await migrate({ connectionString, clock: { now: () => new Date() } });
    const { url: pspUrl } = await psp.call('start', { apiKey: 'bench' });
    const merchantUrls = await merchants.call('start', servers);
    const to = { pspUrl, pspApiKey: 'bench', merchantUrls, connectionString };
    const { merchantIds } = await worker.call('build', to);
    await loop.call('start', {
      urls: merchantUrls,
      concurrency: Number(settings.deliveryConcurrency.default),
      perServer: Number(settings.perMerchantConcurrency.default),
    });
    const client = new pg.Client({ connectionString });
    await client.connect();
    stack.defer(() => client.end());
    const others = { merchants: merchants.pid };
    const asked = merchantIds.length - (servers.hang ?? 0) - (servers.fail ?? 0);
    return {
      async deliver(count) {
        await worker.call('commitEvents', await invoicesOf({ client, merchantIds }, count));
        await client.query('vacuum analyze');
        const pids = { worker: worker.pid, database: postmasterPid, ...others };
        const round = await measureRound({ count, pids }, async () => {
          await worker.call('startLoops', undefined);
          await merchants.call('taken', { webhooks: count });
          await allDelivered(client);
        });
        await worker.call('stopLoops', undefined);
        return round;
      },
      bare: (count) =>
        measureRound({ count, pids: { loop: loop.pid, ...others } }, async () => {
          await loop.call('run', { webhooks: count });
          await merchants.call('taken', { webhooks: count });
        }),
      async burst(count) {
        const invoices = await invoicesOf({ client, merchantIds }, count);
        await client.query('vacuum analyze');
        await worker.call('startLoops', undefined);
        await merchants.call('arrivals', undefined);
        const committedMs = await worker.call('commitEvents', invoices);
        await merchants.call('taken', { webhooks: (count * asked) / merchantIds.length });
        const arrivedMs = await merchants.call('arrivals', undefined);
        await worker.call('stopLoops', undefined);
        return arrivedMs.map((atMs) => Math.max(0, atMs - committedMs));
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

let run = 0;

/** Payments that have no work due, spread over the merchants, for events to be of. */
async function invoicesOf(
  { client, merchantIds }: { readonly client: pg.Client; readonly merchantIds: readonly string[] },
  count: number,
): Promise<readonly { readonly merchantId: string; readonly invoiceId: string }[]> {
  run += 1;
  const from = new Date(Date.now() + 20 * dayMs);
  const label = `hook${run}`;
  await insertPayments(client, { merchantIds, count, label, from, to: from, namesDue: false });
  const { rows } = await client.query<{ merchantId: string; invoiceId: string }>(
    `select merchant_id as "merchantId", invoice_id as "invoiceId" from payments
     where invoice_id like $1`,
    [`in_${label}\\_%`],
  );
  return rows;
}
