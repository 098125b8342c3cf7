import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queryable, Statement } from '../../src/store/database.ts';
import { listPayments } from '../../src/store/views/payment-views.ts';
import { createTestDatabase } from '../kits/database.ts';
import { listFiles, readText } from '../kits/source-files.ts';
import type { CollectedStatement } from '../kits/statements/collect.ts';
import {
  type DescribedColumn,
  type DescribedStatement,
  describeStatement,
} from '../kits/statements/describe.ts';
import {
  type ColumnType,
  readTypedQueries,
  type TypedQuery,
} from '../kits/statements/query-types.ts';

/**
 * Every statement of the store is prepared on the real schema, and what PostgreSQL says of its
 * columns is compared with the row type that its query names: the names, the types, and whether a
 * column of a table may be null. Of an expression PostgreSQL does not say whether it may be.
 */

/** Columns of tables that may be null, though never in what these statements find. */
const neverNullHere: Readonly<Record<string, readonly string[]>> = {
  // Of subjects that are not erased: the where-clause asks for their key.
  find_known_analytics: ['sealed_key', 'key_version'],
  lock_analytics_subjects: ['sealed_key'],
  find_sealed_analytics: ['sealed', 'sealed_key', 'key_version'],
  find_erased_analytics_subject: ['erased_at', 'erased_records'],
  // Of deliveries, payments, charges, incidents and requests in a state in which their CHECKs ask for it.
  find_evidence_deliveries: ['delivered_at'],
  find_evidence_refunds: ['resolved_at', 'refund_id'],
  claim_due_deliveries: ['next_attempt_at'],
  claim_due_endpoint_deliveries: ['next_attempt_at'],
  read_claimed_payments: ['due_action', 'next_attempt_at'],
  read_payments_left_attempting: ['due_action', 'next_attempt_at'],
  claim_unknown_charges: ['next_attempt_at'],
  claim_due_requests: ['body'],
  // The where-clause compares them.
  find_expiring_cards: ['card_ends_at', 'renews_at'],
  // Of files that are whole, and of those whose PSP was given them.
  list_dispute_attachments: ['bytes'],
  find_dispute_attachment: ['bytes'],
  find_dispute_attachment_by_sha: ['bytes'],
  read_dispute_attachment: ['bytes'],
  list_removed_dispute_attachments: ['psp_reference'],
  take_due_disputes: ['respond_by', 'warned_days'],
  read_issuer_health: ['bin'],
  find_missing_charges: ['missing'],
  list_missing_charges: ['missing'],
  read_active_models: ['activated_at'],
  alert_drifted_models: ['distrust', 'activated_at'],
};

/** What these statements give beyond what is read, for their own order or for another reader. */
const unread: Readonly<Record<string, readonly string[]>> = {
  find_match_candidates: ['email_index'],
  begin_charges: ['n'],
  list_operator_unknown_charges: ['ordinal'],
  // One list of columns for all reads of the checks; these two say where a check goes on.
  list_restore_checks: ['phase', 'place'],
  find_marked_restore_check: ['phase', 'place'],
};

/** Types of PostgreSQL, as the driver gives their values. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  int2: ['number'],
  int4: ['number'],
  int8: ['number'],
  float4: ['number'],
  float8: ['number'],
  numeric: ['text'],
  text: ['text'],
  varchar: ['text'],
  uuid: ['text'],
  bool: ['boolean'],
  bytea: ['bytes'],
  // An infinite one is a number.
  timestamptz: ['date', 'number'],
  json: ['json', 'list', 'text', 'number', 'boolean'],
  jsonb: ['json', 'list', 'text', 'number', 'boolean'],
};

const collector = join(import.meta.dirname, '..', 'kits', 'statements', 'collect.ts');
const collected: readonly CollectedStatement[] = JSON.parse(
  execFileSync(process.execPath, [collector], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 }),
);
// The start of a database and the choice of its server speak to the driver itself, before there is a
// pool; what is asked of a replica is asked by others.
const ownDriver =
  /^src\/store\/(migrate\.ts|migrating\/|hosts\/|reports-database\.ts|embedded\/|wall\/(raise-wall|rights-on-nodes)\.ts)/;
const queries = readTypedQueries(
  listFiles('src/store', '.ts').filter(
    (file) => !ownDriver.test(file) && /\bquery</.test(readText(file)),
  ),
);

let client: pg.Client;
let drop: () => Promise<void>;
let typeNames: ReadonlyMap<number, string>;
let nullable: ReadonlySet<string>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  const types = await client.query<{ oid: number; typname: string }>(
    'select oid, typname from pg_type',
  );
  typeNames = new Map(types.rows.map(({ oid, typname }) => [oid, typname]));
  // Of a view PostgreSQL does not know it.
  const columns = await client.query<{ name: string }>(
    `select a.attrelid || '.' || a.attnum as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind = 'r' and not a.attnotnull`,
  );
  nullable = new Set(columns.rows.map(({ name }) => name));
});
afterAll(async () => {
  await client.end();
  await drop();
});

describe('every statement of the store', () => {
  it('has a name of its own, and PostgreSQL understands it', async () => {
    // Two constants may hold one statement, and no two statements have one name.
    const texts = new Set(collected.map(({ name, text }) => JSON.stringify([name, text])));
    const names = [...new Set(collected.map(({ name }) => name))];
    expect(names.length).toBeGreaterThan(200);
    expect(names).toHaveLength(texts.size);
    expect(names.filter((name) => name.length > 63)).toEqual([]);
    for (const { text } of collected) await describeStatement(client, text);
  });

  it('gives what the row type of its query says', async () => {
    const wrong: string[] = [];
    for (const query of queries) {
      const made = await madeWhenCalled(query);
      const of = made.length > 0 ? made : statementsOf(query);
      if (of.length === 0) wrong.push(`${query.at}: no statement was found`);
      for (const { name, text } of of) {
        const described = await describeStatement(client, text);
        const faults = [...columnFaults(name, query, described), ...valueFaults(query, described)];
        wrong.push(...faults.map((fault) => `${query.at} ${name}: ${fault}`));
      }
    }
    expect(queries.length).toBeGreaterThan(120);
    expect(wrong).toEqual([]);
  });

  it('needs each exception that is made for it', async () => {
    const needless: string[] = [];
    for (const [name, columns] of Object.entries({ ...neverNullHere, ...unread })) {
      const statement = collected.find((one) => one.name === name);
      const described = statement && (await describeStatement(client, statement.text));
      for (const column of columns) {
        const found = described?.columns.find((one) => one.name === column);
        const isNeeded = found !== undefined && (name in unread || mayBeNull(found));
        if (!isNeeded) needless.push(`${name}.${column}`);
      }
    }
    expect(needless).toEqual([]);
  });
});

function columnFaults(name: string, query: TypedQuery, { columns }: DescribedStatement): string[] {
  const { every } = query;
  if (every !== undefined) return columns.flatMap((column) => typeFaults(column, every));
  const faults: string[] = [];
  const known = new Map(columns.map((column) => [column.name, column]));
  for (const [column, type] of Object.entries(query.columns)) {
    const found = known.get(column);
    if (found === undefined) {
      faults.push(`${column} is not given`);
      continue;
    }
    faults.push(...typeFaults(found, type));
    const isExcepted = neverNullHere[name]?.includes(column) === true;
    if (mayBeNull(found) && !type.isNullable && !isExcepted) faults.push(`${column} may be null`);
  }
  const extra = columns.filter((column) => !(column.name in query.columns));
  const excepted = unread[name] ?? [];
  faults.push(
    ...extra.filter((one) => !excepted.includes(one.name)).map((one) => `${one.name} is not read`),
  );
  return faults;
}

function typeFaults({ name, typeOid }: DescribedColumn, { kinds: said }: ColumnType): string[] {
  const type = typeNames.get(typeOid) ?? '';
  const right = type.startsWith('_') ? ['list'] : (kinds[type] ?? []);
  const isRight = said.every((kind) => kind === 'unknown' || right.includes(kind));
  return isRight ? [] : [`${name} is ${type}, and said to be ${said.join(' or ')}`];
}

function valueFaults({ values }: TypedQuery, { parameters }: DescribedStatement): string[] {
  if (values === undefined || values === parameters) return [];
  return [`it takes ${parameters} values, and is given ${values}`];
}

function mayBeNull({ table }: DescribedColumn): boolean {
  return table !== undefined && nullable.has(`${table.oid}.${table.column}`);
}

/** The statements that a query may run: of the nearest names that are any. */
function statementsOf(query: TypedQuery): readonly CollectedStatement[] {
  const imported = importsOf(query.file);
  for (const names of query.names) {
    const of = collected.filter(({ file, constant }) =>
      names.some((name) => {
        const from = imported.get(name) ?? { file: query.file, name };
        return from.file === file && from.name === constant;
      }),
    );
    if (of.length > 0) return of;
  }
  return [];
}

function importsOf(file: string): ReadonlyMap<string, { file: string; name: string }> {
  const lines = readText(file).matchAll(/^import \{([^}]*)\} from '(\.[^']*)';/gm);
  return new Map(
    [...lines].flatMap(([, names = '', path = '']) =>
      names.split(',').map((part) => {
        const [name = '', as = name] = part
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        return [as, { name, file: join(file, '..', path) }] as const;
      }),
    ),
  );
}

/** Statements that are put together from what is asked for: each way to ask, with its text. */
async function madeWhenCalled({ file, isMadeHere }: TypedQuery): Promise<readonly Statement[]> {
  if (!isMadeHere || file !== 'src/store/views/payment-views.ts') return [];
  const made: Statement[] = [];
  const db: Queryable = {
    query: async (statement) => {
      made.push(statement);
      return [];
    },
  };
  const at = new Date(0);
  const cursor = Buffer.from(JSON.stringify([at.toISOString(), 'in_1'])).toString('base64url');
  const filters = {
    status: 'scheduled',
    waitingFor: 'customer',
    customerId: 'c',
    createdFrom: at,
    createdTo: at,
    cursor,
  } as const;
  const names = Object.keys(filters) as (keyof typeof filters)[];
  for (let chosen = 0; chosen < 2 ** names.length; chosen += 1) {
    const some = names.filter((_, index) => (chosen & (1 << index)) !== 0);
    const asked = Object.fromEntries(some.map((name) => [name, filters[name]]));
    await listPayments(db, { merchantId: 'm', limit: 1, ...asked });
  }
  expect(new Set(made.map(({ name }) => name)).size).toBe(2 ** names.length);
  return made;
}
