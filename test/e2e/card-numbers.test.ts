import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { disputesOpenApi } from '../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../src/http/recovery/recovery-open-api.ts';
import { operatorOpenApi } from '../../src/operator/operator-open-api.ts';
import { startEmbeddedServer } from '../../src/store/embedded/embedded-server.ts';
import { type ApiOperation, operationsOf } from '../kits/open-api.ts';
import { type Service, useServices } from '../kits/service.ts';
import { call, operatorApi } from '../kits/service-calls.ts';

/**
 * A card's number in every place of every request that the three documents know: in each text of each
 * body by itself and in all of them at once, in paths, queries and headers. Then every table, every
 * line of the log, and every byte that the database wrote to its disk are searched for it: what was
 * written for a moment and deleted again is found there too.
 */
const services = useServices();

const groups = ['4111', '1111', '1111', '1111'];
const written = ['', ' ', '-'].map((separator) => groups.join(separator));
/** The number however it is written, and the bytes of it as PostgreSQL shows them. */
const anyForm = /4111[\s\S]{0,3}1111[\s\S]{0,3}1111[\s\S]{0,3}1111/;
const anyBytes = /34313131(?:..){0,3}31313131(?:..){0,3}31313131(?:..){0,3}31313131/;

test('a card number that is sent anywhere is in no table and no line of the log', async () => {
  const service = await services.start({ env: { LOG_LEVEL: 'debug' } });
  const merchant = await createMerchant(service);
  const basic = `Basic ${btoa(`${merchant.disputes_username}:${merchant.disputes_password}`)}`;
  const bearer = `Bearer ${service.operatorToken}`;
  const ports = [
    [service.recoveryUrl, await recoveryOpenApi(), { 'x-api-key': merchant.recovery_api_key }],
    [service.disputesUrl, await disputesOpenApi(), { authorization: basic }],
    [service.operatorUrl, await operatorOpenApi(), { authorization: bearer }],
  ] as const;
  const answered: number[] = [];
  for (const [url, document, credentials] of ports) {
    for (const operation of operationsOf(document)) {
      answered.push(...(await sendAll(url, operation, credentials, merchant.id)));
    }
  }
  // Not all were refused at the door: what is searched for was let in with its digits masked.
  expect(answered.filter((status) => status < 300).length).toBeGreaterThan(50);
  expect(answered.filter((status) => status >= 500)).toEqual([]);
  await operatorApi(service).post('/api/sandbox/clock', { advance: 'P8D' });
  await service.stop();

  const { stdout, stderr } = service.output();
  expect(anyForm.exec(stdout + stderr)?.[0]).toBeUndefined();
  const found = await searchDatabase(service.dataDir);
  expect(found.rows).toBeGreaterThan(100);
  expect(found.columns).toEqual([]);
  expect(found.files).toEqual([]);
});

interface NewMerchant {
  readonly id: string;
  readonly recovery_api_key: string;
  readonly disputes_username: string;
  readonly disputes_password: string;
}

async function createMerchant(service: Service): Promise<NewMerchant> {
  const body = {
    name: 'Loom',
    retry_status_url: `${service.demoUrl}/retry/{invoice_id}`,
    webhook_url: `${service.demoUrl}/webhooks`,
    psps: [{ psp: 'sandbox' }],
  };
  const { status, json } = await operatorApi(service).post('/api/merchants', body);
  expect(status).toBe(201);
  return json;
}

async function sendAll(
  url: string,
  operation: ApiOperation,
  credentials: Readonly<Record<string, string>>,
  merchantId: string,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  if (neverEnding.includes(operation.operationId)) return statuses;
  for (const { card, inPath, ...init } of requestsOf(operation)) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      inPath ? encodeURIComponent(card) : (known[name] ?? merchantId),
    );
    const query = inPath ? `?search=${encodeURIComponent(card)}` : '';
    const { status } = await call(`${url}${path}${query}`, {
      ...init,
      method: operation.method,
      headers: { ...credentials, ...init.headers },
    });
    statuses.push(status);
  }
  return statuses;
}

/** Streams. */
const neverEnding = ['followEvents', 'followLive'];

/** Values of paths' parameters that let the body be looked at; others are the merchant's id. */
const known: Readonly<Record<string, string>> = {
  psp: 'sandbox',
  invoice_id: 'in_1001',
  day: '2026-06-01',
};

interface Sent {
  readonly card: string;
  readonly inPath: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Those of an operation: with the number in its path, then in each place of its body. */
function requestsOf({ body, method }: ApiOperation): readonly Sent[] {
  const example = body && withAllMembers(body.schema as Shape, body.examples[0]?.value);
  const last = example === undefined ? 0 : placesOf(example);
  return [inPathOnly, ...Array(last + 1).keys()].map((place, index) => {
    const card = written[index % written.length] ?? '';
    return {
      card,
      inPath: place === inPathOnly,
      headers: {
        'user-agent': `Mozilla ${card}`,
        'request-id': card,
        ...(method === 'POST' && place % 5 === 1
          ? { 'idempotency-key': `key-${card.replaceAll(' ', '.')}` }
          : {}),
        ...(body === undefined ? {} : { 'content-type': body.mediaType }),
      },
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(withCard(asNew(example, index), card, place - 1)) }),
    };
  });
}

const inPathOnly = -1;

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
}

/** The example with the optional members that it goes without, so that each place is tried. */
function withAllMembers(shape: Shape, example: unknown): unknown {
  if (Array.isArray(example)) {
    return example.map((item) => withAllMembers(shape.items ?? {}, item));
  }
  const { properties, type } = shape;
  if (typeof example === 'object' && example !== null && properties !== undefined) {
    const members = Object.entries(properties).map(([name, of]) => [
      name,
      withAllMembers(of, Reflect.get(example, name)),
    ]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }
  if (example !== undefined) return example;
  if (properties !== undefined) return withAllMembers(shape, {});
  if ([shape.enum, shape.format, shape.pattern].some((of) => of !== undefined)) return undefined;
  if (type === 'string') return 'text';
  if (type === 'array') return [withAllMembers(shape.items ?? {}, undefined) ?? 'text'];
  return type === 'object' ? { note: 'text' } : undefined;
}

/**
 * The value as if it came now, of the processor that is connected, and with ids of its own: so it is taken
 * and nothing in it is known from the request before.
 */
function asNew(value: unknown, index: number): unknown {
  return JSON.parse(JSON.stringify(value), (name, part: unknown) => {
    if (typeof part !== 'string') return part;
    if (name === 'psp' && part !== 'paypal') return 'sandbox';
    if (name === 'psp_transaction_created_at') return new Date().toISOString();
    return /^(?:ch|cus|in|pm|sub|txn)_\w+$/.test(part) ? `${part}_${index}` : part;
  });
}

/** How many texts there are in a value. */
function placesOf(value: unknown): number {
  let count = 0;
  JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === 'string') count += 1;
    return part;
  });
  return count;
}

/** The value with a card's number at one of its texts, counted from 0, or behind each (-1). */
function withCard(value: unknown, card: string, place: number): unknown {
  let count = -1;
  const put = (part: unknown): unknown => {
    if (typeof part === 'string') {
      count += 1;
      if (place === -1) return `${part} ${card}`;
      return count === place ? card : part;
    }
    if (Array.isArray(part)) return part.map(put);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, put(each)]));
  };
  return put(value);
}

async function searchDatabase(dataDir: string) {
  const random = { bytes: (count: number) => randomBytes(count) };
  const log = { info() {}, warn() {} };
  const server = await startEmbeddedServer({ log, random }, { dataDir });
  try {
    const tables = await searchTables(server.connectionString);
    return { ...tables, files: await searchFiles(server.dataPath) };
  } finally {
    await server.stop();
  }
}

/** What stands around the number in each file that holds it. */
async function searchFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name), 'latin1');
    const index = anyForm.exec(bytes)?.index;
    if (index !== undefined) found.push(`${entry.name}: ${bytes.slice(index - 100, index + 100)}`);
  }
  return found;
}

/** The columns of all schemas that hold the number, with how many rows were read. */
async function searchTables(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables`,
    );
    const columns = new Set<string>();
    let count = 0;
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${name} t`,
      );
      count += rows.length;
      for (const { row } of rows) {
        for (const [column, value] of Object.entries(row)) {
          const text = JSON.stringify(value);
          if (anyForm.test(text) || anyBytes.test(text)) columns.add(`${name}.${column}`);
        }
      }
    }
    return { rows: count, columns: [...columns] };
  } finally {
    await client.end();
  }
}
