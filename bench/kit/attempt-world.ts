import pg from 'pg';
import { migrate } from '../../src/store/migrate.ts';
import type { BareCalls } from '../processes/bare-attempts.ts';
import type { DatabaseCalls } from '../processes/database.ts';
import type { MerchantsCalls } from '../processes/merchants.ts';
import type { PspCalls } from '../processes/psp.ts';
import type { WorkerCalls } from '../processes/worker.ts';
import { type Child, startChild } from './child.ts';
import { allDelivered, insertPayments } from './payments.ts';
import { measureRound, type Round } from './round.ts';
import { logPosition, type Written, writtenByOne } from './written.ts';

const merchantCount = 4;
const pspApiKey = 'bench';
const perMerchant = 64;

/** Database, PSP, merchants, worker and the bare loop, each a process of its own. */
export interface AttemptWorld extends AsyncDisposable {
  readonly worker: Child<WorkerCalls>;
  readonly merchants: Child<MerchantsCalls>;
  readonly postmasterPid: number;
  readonly client: pg.Client;
  readonly connectionString: string;
  readonly merchantIds: readonly string[];
  /** So many attempts by the worker, from the first claim to the last delivery. */
  attempts(count: number): Promise<AttemptRound>;
  /** So many attempts of those that are due already, of which there are more. */
  attemptsOfDue(count: number): Promise<Round>;
  /** The same three calls by a plain loop. */
  bareAttempts(count: number): Promise<Round>;
  /** Rows that one of all attempts so far wrote. */
  written(): Promise<Written>;
  /** The successes in the PSP's own ledger, and under how many keys. */
  chargesAtPsp(): Promise<{ readonly charges: number; readonly keys: number }>;
}

export interface AttemptRound extends Round {
  /** Write-ahead log of one attempt. */
  readonly logBytes: number;
}

export async function startAttemptWorld(): Promise<AttemptWorld> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(startChild<DatabaseCalls>('database'));
  const psp = stack.use(startChild<PspCalls>('psp'));
  const merchants = stack.use(startChild<MerchantsCalls>('merchants'));
  const worker = stack.use(startChild<WorkerCalls>('worker'));
  const bare = stack.use(startChild<BareCalls>('bare-attempts'));
  try {
    const { connectionString, postmasterPid } = await database.call('start', {});
    await migrate({ connectionString, clock: { now: () => new Date() } });
    const { url: pspUrl } = await psp.call('start', { apiKey: pspApiKey });
    const merchantUrls = await merchants.call('start', { count: merchantCount });
    const to = { pspUrl, pspApiKey, merchantUrls };
    const { merchantIds } = await worker.call('build', { ...to, connectionString });
    await bare.call('start', { ...to, perMerchant });
    const client = new pg.Client({ connectionString });
    await client.connect();
    stack.defer(() => client.end());
    const others = { PSP: psp.pid, merchants: merchants.pid };
    let run = 0;
    let attempted = 0;
    return {
      worker,
      merchants,
      postmasterPid,
      client,
      connectionString,
      merchantIds,
      async attempts(count) {
        const now = new Date();
        run += 1;
        await insertPayments(client, {
          merchantIds,
          count,
          label: `run${run}`,
          from: new Date(now.getTime() - 1000),
          to: now,
          namesDue: false,
        });
        // What autovacuum would have done by then in a database that has grown by itself.
        await client.query('vacuum analyze');
        const pids = { worker: worker.pid, database: postmasterPid, ...others };
        const before = await logPosition(client);
        const round = await measureRound({ count, pids }, async () => {
          await worker.call('startLoops', undefined);
          await merchants.call('taken', { webhooks: count });
          await allDelivered(client);
        });
        const logBytes = ((await logPosition(client)) - before) / count;
        await worker.call('stopLoops', undefined);
        attempted += count;
        return { ...round, logBytes };
      },
      async attemptsOfDue(count) {
        const pids = { worker: worker.pid, database: postmasterPid, ...others };
        const round = await measureRound({ count, pids }, async () => {
          await worker.call('startLoops', undefined);
          await merchants.call('taken', { webhooks: count });
        });
        await worker.call('stopLoops', undefined);
        // What was under way then has ended with the loops, and belongs to no round.
        await merchants.call('taken', { webhooks: 0 });
        return round;
      },
      written: () => writtenByOne(client, attempted),
      chargesAtPsp: () => countCharges(pspUrl),
      bareAttempts: (count) =>
        measureRound({ count, pids: { loop: bare.pid, ...others } }, async () => {
          await bare.call('run', { attempts: count });
          await merchants.call('taken', { webhooks: count });
        }),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

interface ChargePage {
  readonly data: readonly { readonly status: string; readonly idempotency_key: string }[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

async function countCharges(pspUrl: string) {
  const keys = new Set<string>();
  let charges = 0;
  let cursor = '';
  for (;;) {
    const answer = await fetch(`${pspUrl}/v1/charges?limit=200${cursor}`, {
      headers: { authorization: `Bearer ${pspApiKey}` },
    });
    const page = (await answer.json()) as ChargePage;
    for (const charge of page.data) {
      if (charge.status !== 'succeeded') continue;
      charges += 1;
      keys.add(charge.idempotency_key);
    }
    if (!page.has_more) return { charges, keys: keys.size };
    cursor = `&cursor=${page.next_cursor}`;
  }
}
