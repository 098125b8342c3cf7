import pg from 'pg';
import { migrate } from '../../src/store/migrate.ts';
import { type Child, startChild } from '../kit/child.ts';
import type { DatabaseCalls } from '../processes/database.ts';
import type { OperatorCalls } from '../processes/operator.ts';
import { ends, fills, keys, plan } from './seeds.ts';

/** Payments that one statement fills a table for: seconds, far below the time limit of statements. */
const stretch = 50_000;

/** What a seeding may do without; the database starts anew with the service's own settings. */
const hurried: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_wal_size: '8GB',
  shared_buffers: '1GB',
  maintenance_work_mem: '512MB',
};

/** A durable database with so many payments, and the operator's server on it, each a process. */
export interface ReportWorld extends AsyncDisposable {
  readonly operator: Child<OperatorCalls>;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  readonly connectionString: string;
  readonly seededMs: number;
  /** A path of the operator's API as JSON; undefined where the database took longer than it may. */
  get(path: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** `dashboard`: with its pages, which are built first. */
export async function startReportWorld(
  payments: number,
  { dashboard = false }: { readonly dashboard?: boolean } = {},
): Promise<ReportWorld> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(startChild<DatabaseCalls>('database'));
  try {
    const startedAtMs = performance.now();
    const { connectionString: seeding } = await database.call('start', hurried);
    await migrate({ connectionString: seeding, clock: { now: () => new Date() } });
    await seed(seeding, payments);
    const { connectionString } = await database.call('restart', undefined);
    const seededMs = performance.now() - startedAtMs;
    const operator = stack.use(startChild<OperatorCalls>('operator'));
    const { url, operatorToken } = await operator.call('open', {
      connectionString,
      dashboard,
    });
    const headers = { authorization: `Bearer ${operatorToken}` };
    const owned = stack.move();
    return {
      operator,
      operatorUrl: url,
      operatorToken,
      connectionString,
      seededMs,
      async get(path) {
        const response = await fetch(`${url}${path}`, { headers });
        const text = await response.text();
        if (response.status === 503) return undefined;
        if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`);
        return JSON.parse(text) as Readonly<Record<string, unknown>>;
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function seed(connectionString: string, payments: number): Promise<void> {
  await withClient(connectionString, async (client) => {
    for (const text of plan) await client.query(text, text.includes('$1') ? [payments] : []);
  });
  await sideBySide(
    fills.map((texts) => async (client) => {
      for (const text of texts) {
        for (let from = 1; from <= payments; from += stretch) {
          await client.query(text, [from, from + stretch - 1]);
        }
      }
    }),
    connectionString,
  );
  await buildKeys(connectionString);
  await withClient(connectionString, async (client) => {
    for (const text of ends) await client.query(text);
    await client.query('vacuum analyze');
  });
}

/** Tables are shared out; what refers to others comes when those have their keys. */
async function buildKeys(connectionString: string): Promise<void> {
  await withClient(connectionString, async (client) => {
    const { rows } = await client.query<Key>(keys);
    const own = rows.filter((row) => !row.is_foreign);
    const tables = [...new Set(own.map((row) => row.of_table))];
    const shares = fills.map((_, share) => async (builder: pg.Client) => {
      for (const { of_table: table, text } of own) {
        if (tables.indexOf(table) % fills.length === share) await builder.query(text);
      }
    });
    await sideBySide(shares, connectionString);
    for (const row of rows) if (row.is_foreign) await client.query(row.text);
  });
}

interface Key {
  readonly is_foreign: boolean;
  readonly of_table: string;
  readonly text: string;
}

/** All of them, also where one fails: the database ends once nobody is connected any more. */
async function sideBySide(
  works: readonly ((client: pg.Client) => Promise<void>)[],
  connectionString: string,
): Promise<void> {
  const ended = await Promise.allSettled(works.map((work) => withClient(connectionString, work)));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

async function withClient(
  connectionString: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
