import pg from 'pg';
import { migrate } from '../src/store/migrate.ts';
import { startChild } from './kit/child.ts';
import { insertPayments } from './kit/payments.ts';
import { print } from './kit/report.ts';
import type { DatabaseCalls } from './processes/database.ts';
import type { OperatorCalls } from './processes/operator.ts';

const rows = 1_000_000;
const stretch = 50_000;
const merchantIds = ['mer_bench_1', 'mer_bench_2', 'mer_bench_3'];
const dayMs = 86_400_000;
const lookMs = 200;
/** What a page of rows and V8's own slack may add between the beginning and the end. */
const budgetMb = 100;

/** A million payments as CSV and as JSON lines: what the process that writes them holds meanwhile. */
export async function exports(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(startChild<DatabaseCalls>('database'));
  const { connectionString } = await database.call('start', {
    fsync: 'off',
    synchronous_commit: 'off',
  });
  await migrate({ connectionString, clock: { now: () => new Date() } });
  await seed(connectionString);
  const operator = stack.use(startChild<OperatorCalls>('operator'));
  const { url, operatorToken } = await operator.call('open', {
    connectionString,
    dashboard: false,
  });
  const headers = { authorization: `Bearer ${operatorToken}` };
  const memoryMb = async () => (await operator.call('memory', undefined)).rssBytes / 1e6;
  await (await fetch(`${url}/api/payments?limit=200`, { headers })).text();
  print(
    `exports: ${rows} payments; the operator's process holds ${(await memoryMb()).toFixed(0)} MB`,
  );
  for (const format of ['csv', 'ndjson']) {
    const startedAtMs = performance.now();
    const answer = await fetch(`${url}/api/export/payments?format=${format}`, { headers });
    let [bytes, lines] = [0, 0];
    const held: number[] = [];
    const looks = setInterval(async () => held.push(await memoryMb()), lookMs);
    try {
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.length;
        for (const byte of chunk) if (byte === 10) lines += 1;
      }
    } finally {
      clearInterval(looks);
    }
    const seconds = (performance.now() - startedAtMs) / 1000;
    const tenth = Math.ceil(held.length / 10);
    const [first, last] = [held.slice(0, tenth), held.slice(-tenth)].map((part) =>
      Math.max(...part),
    );
    const grown = (last ?? 0) - (first ?? 0);
    print(
      `  ${format}: ${lines} lines, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(0)} s; ` +
        `at most ${Math.max(...held).toFixed(0)} MB held, ${first?.toFixed(0)} MB in the first tenth, ` +
        `${last?.toFixed(0)} MB in the last (budget +${budgetMb} MB: ${grown <= budgetMb ? 'kept' : 'missed'})`,
    );
  }
}

async function seed(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(
      `insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind,
         window_days, max_attempts, fixed_days, created_at, updated_at)
       select id, id, 'https://x/r', 'https://x/w', 'fixed', 28, 8, '{1,3,5}', now(), now()
       from unnest($1::text[]) id`,
      [merchantIds],
    );
    const from = new Date(Date.now() + dayMs);
    for (let at = 0; at < rows; at += stretch) {
      const to = new Date(from.getTime() + dayMs);
      const label = String(at / stretch);
      await insertPayments(client, {
        merchantIds,
        count: stretch,
        label,
        from,
        to,
        namesDue: false,
      });
    }
    await client.query('vacuum analyze payments');
  } finally {
    await client.end();
  }
}
