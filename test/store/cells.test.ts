import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startJobQueue } from '../../src/jobs/job-queue.ts';
import { applicationName, jobsSchemaOf } from '../../src/store/cell.ts';
import { openDatabase } from '../../src/store/database.ts';
import { databaseFault } from '../../src/store/database-fault.ts';
import { migrate } from '../../src/store/migrate.ts';
import { migrationFiles } from '../../src/store/migrating/migration-files.ts';
import { createTestDatabase, type TestDatabase } from '../kits/database.ts';
import { queryOnce } from '../kits/query-once.ts';

const clock = { now: () => new Date('2026-03-01T12:00:00.000Z') };
const cells = ['north', 'south'] as const;

let database: TestDatabase;
let connectionString: string;
beforeAll(async () => {
  database = await createTestDatabase();
  connectionString = database.schemaString;
});
afterAll(() => database.drop());

const tablesOf = async (schema: string) =>
  (
    await queryOnce(
      connectionString,
      `select tablename from pg_tables where schemaname = ${schema} order by 1`,
    )
  ).map(({ tablename }) => tablename);

it('cells beside each other, and beside a Recoup that is none, have every table each', async () => {
  const files = await migrationFiles();
  const migrated = await Promise.all(
    cells.map((schema) => migrate({ connectionString, schema, clock })),
  );
  expect(migrated.map(({ applied }) => applied)).toEqual([files, files]);
  const all = await tablesOf('current_schema()');
  expect(all.length).toBeGreaterThan(60);
  expect(await tablesOf(`'north'`)).toEqual(all);
  expect(await tablesOf(`'south'`)).toEqual(all);
  expect(await migrate({ connectionString, schema: 'north', clock })).toMatchObject({
    applied: [],
  });
});

it('no function, view or default of a cell reaches out of it', async () => {
  const foreign = await queryOnce(
    connectionString,
    `select distinct classid::regclass, pg_describe_object(classid, objid, objsubid) as what
     from pg_depend d join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid
     where c.relnamespace in ('public'::regnamespace, 'south'::regnamespace)
       and (pg_identify_object(d.classid, d.objid, d.objsubid)).identity like '%north.%'`,
  );
  expect(foreign).toEqual([]);
  const named = await queryOnce(
    connectionString,
    `select proname from pg_proc where pronamespace = 'north'::regnamespace and prosrc ~ 'public\\.'`,
  );
  expect(named).toEqual([]);
});

it('what is written through one is in no other', async () => {
  const db = openDatabase(
    { log: { warn() {} } },
    { connectionString, schema: 'north', poolSize: 2 },
  );
  onTestFinished(() => db.close());
  const move = { name: 'move', text: 'update sandbox_clock set offset_ms = 7' };
  await db.transaction((tx) => tx.query(move, []));
  await db.query(
    {
      name: 'line',
      text: `insert into audit_log (merchant_id, actor, action, detail, at)
             values ('mer_a', 'service', 'a', '{}', now())`,
    },
    [],
  );
  const counts = (schema: string) =>
    queryOnce(
      connectionString,
      `select offset_ms, (select count(*)::int from ${schema}.audit_log) as lines,
              (select count(*)::int from ${schema}.audit_heads where line > 0) as heads
       from ${schema}.sandbox_clock`,
    );
  const [own] = await queryOnce(connectionString, 'select current_schema() as name');
  expect(await counts('north')).toEqual([{ offset_ms: '7', lines: 1, heads: 1 }]);
  expect(await counts('south')).toEqual([{ offset_ms: '0', lines: 0, heads: 0 }]);
  expect(await counts(String(own?.name))).toEqual([{ offset_ms: '0', lines: 0, heads: 0 }]);
  const called = { name: 'called', text: `select current_setting('application_name') as name` };
  expect(await db.query(called, [])).toEqual([{ name: 'recoup north' }]);
});

it('each has a job queue of its own', async () => {
  const log = { info() {}, warn() {}, error() {} };
  const job = { name: 'bulk', onDemand: true as const, async run() {} };
  const queues = await Promise.all(
    cells.map((schema) =>
      startJobQueue(
        { clock, log, databaseFault },
        {
          connectionString,
          schema: jobsSchemaOf(schema),
          applicationName: applicationName('recoup jobs', schema),
          jobs: [job],
          work: false,
        },
      ),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(queues.map((queue) => queue.stop()));
  });
  await queues[0]?.request('bulk', { input: {}, key: 'one' });
  const count = (schema: string) =>
    queryOnce(connectionString, `select count(*)::int as jobs from ${schema}.job`);
  expect(await count('north_jobs')).toEqual([{ jobs: 1 }]);
  expect(await count('south_jobs')).toEqual([{ jobs: 0 }]);
  expect(jobsSchemaOf(undefined)).toBe('pgboss');
});
