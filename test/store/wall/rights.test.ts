import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  apiRights,
  doorColumns,
  insertedTables,
  intakeRights,
  merchantsSetting,
  sharedTables,
} from '../../../src/store/wall/rights.ts';
import { allRoles, type Role, roles } from '../../../src/store/wall/roles.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  for (const id of ['mer_a', 'mer_b']) {
    await client.query(
      `insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind, window_days,
         max_attempts, fixed_days, created_at, updated_at)
       values ($1, $1, 'u', 'u', 'fixed', 14, 4, '{1}', now(), now())`,
      [id],
    );
    await client.query(
      `insert into debt_identities (merchant_id, kind, value, invoice_id, channel, spent, created_at)
       values ($1, 'invoice', 'in_1', 'in_1', 'merchant', false, now())`,
      [id],
    );
    await addLine(id);
  }
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function addLine(merchantId: string): Promise<void> {
  await client.query(
    `insert into audit_log (merchant_id, actor, action, detail, at) values ($1, 'service', 'a', '{}', now())`,
    [merchantId],
  );
}

/** The rows of a statement that a role runs for these merchants, or the SQLSTATE that refuses it. */
async function as(role: Role, merchants: readonly string[], text: string): Promise<unknown> {
  await client.query(
    `begin; set local ${merchantsSetting} = '${merchants.join(' ')}'; set local role ${role}`,
  );
  try {
    return (await client.query(text)).rows;
  } catch (error) {
    return (error as pg.DatabaseError).code;
  } finally {
    await client.query('rollback');
  }
}

const denied = '42501';
const refusedOnNode = 'XX000';

describe('a role', () => {
  it.each(allRoles)('%s cannot log in, nor change the schema, nor empty a table', async (role) => {
    // From one node of Citus to another they do: docs/operating.md.
    const mayLogIn = await isOnCitus(client);
    const { rows } = await client.query(
      'select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = $1',
      [role],
    );
    expect(rows).toEqual([
      { rolcanlogin: mayLogIn, rolsuper: false, rolbypassrls: false, rolcreaterole: false },
    ]);
    for (const text of [
      'create table mine ()',
      'alter table payments disable row level security',
      'alter table audit_log disable trigger all',
      'drop policy within_merchant on payments',
      'drop table payments',
      'truncate payments',
      'create or replace function chain_audit_line() returns trigger language sql as $$ select null $$',
      `insert into migrations (name, applied_at) values ('x', now())`,
    ]) {
      // Of functions a node of Citus asks first where it is, and not who asks.
      const isOfNode = mayLogIn && text.includes(' function ');
      const refused = [text, isOfNode ? refusedOnNode : denied];
      expect([text, await as(role, ['mer_a'], text)]).toEqual(refused);
    }
  });

  it.each(allRoles)('%s can neither change nor remove what the audit log says', async (role) => {
    for (const text of [
      `update audit_log set actor = 'somebody'`,
      'delete from audit_log',
      'update audit_heads set line = 0',
      'delete from audit_heads',
    ]) {
      expect([text, await as(role, ['mer_a'], text)]).toEqual([text, denied]);
    }
  });

  it('of merchants’ calls adds lines of its merchant to the audit log, and reads none', async () => {
    const line = (id: string) =>
      `insert into audit_log (merchant_id, actor, action, detail, at) values ('${id}', 'merchant', 'a', '{}', now())`;
    expect(await as(roles.api, ['mer_a'], line('mer_a'))).toEqual([]);
    expect(await as(roles.api, ['mer_a'], line('mer_b'))).toBe(denied);
    expect(await as(roles.api, ['mer_a'], 'select from audit_log')).toBe(denied);
  });

  it.each([
    'operators',
    'operator_tokens',
    'operator_sessions',
    'operator_identities',
    'portal_sessions',
  ])('but the operator’s reads nothing of %s', async (table) => {
    const read = (role: Role) => as(role, ['mer_a'], `select * from ${table}`);
    expect(await read(roles.operator)).toEqual([]);
    for (const role of [roles.api, roles.intake, roles.worker]) {
      expect(await read(role)).toBe(denied);
    }
  });

  it('of merchants’ calls makes, finds and revokes links to the portal of its merchant alone', async () => {
    const add = (id: string) =>
      `insert into portal_links (link_id, merchant_id, hash, created_at, expires_at)
       values ('plk_${id}', '${id}', sha256('${id}'), now(), now() + interval '1 day')`;
    const read = 'select merchant_id from portal_links';
    for (const text of [add('mer_a'), read, 'delete from portal_links']) {
      expect([text, await as(roles.api, ['mer_a'], text)]).toEqual([text, []]);
    }
    for (const text of [add('mer_b'), 'update portal_links set hash = hash']) {
      expect([text, await as(roles.api, ['mer_a'], text)]).toEqual([text, denied]);
    }
    for (const role of [roles.intake, roles.worker]) {
      expect(await as(role, ['mer_a'], read)).toBe(denied);
    }
  });

  it.each(['service_keys', 'key_rotations', 'trainings', 'audit_heads', 'control_totals'])(
    'that serves merchants reads nothing of %s',
    async (table) => {
      for (const role of [roles.api, roles.intake]) {
        expect(await as(role, ['mer_a'], `select * from ${table}`)).toBe(denied);
      }
    },
  );

  it('that finds whose a key is sees of credentials what tells that, and no secret', async () => {
    const columns = doorColumns.credentials?.join(', ');
    expect(await as(roles.intake, [], `select ${columns} from credentials`)).toEqual([]);
    for (const text of [
      'select * from credentials',
      'select * from secrets',
      'select * from data_keys',
    ]) {
      expect([text, await as(roles.intake, ['mer_a'], text)]).toEqual([text, denied]);
    }
  });
});

describe('row-level security', () => {
  const read = 'select merchant_id from debt_identities order by 1';
  const a = { merchant_id: 'mer_a' };
  const b = { merchant_id: 'mer_b' };

  it('shows a merchant its own rows, and nobody any where none is named', async () => {
    expect(await as(roles.api, ['mer_a'], read)).toEqual([a]);
    expect(await as(roles.api, [], read)).toEqual([]);
    expect(await as(roles.api, ['mer_a', 'mer_b'], read)).toEqual([]);
    expect(await as(roles.intake, ['mer_b'], read)).toEqual([b]);
    expect(await as(roles.intake, ['mer_a', 'mer_b'], read)).toEqual([a, b]);
    expect(await as(roles.intake, [], read)).toEqual([]);
  });

  it('changes, removes and adds nothing of another', async () => {
    const touched = `with t as (%) select count(*)::int as count from t`;
    const count = (text: string) => as(roles.api, ['mer_a'], touched.replace('%', text));
    const given = 'returning merchant_id';
    expect(await count(`update debt_identities set spent = true ${given}`)).toEqual([{ count: 1 }]);
    expect(await count(`delete from debt_identities ${given}`)).toEqual([{ count: 1 }]);
    expect(await count(`delete from debt_identities where merchant_id = 'mer_b' ${given}`)).toEqual(
      [{ count: 0 }],
    );
    expect(await as(roles.api, ['mer_a'], `update debt_identities set merchant_id = 'mer_b'`)).toBe(
      denied,
    );
  });

  it.each(insertedTables())(
    'adds nothing of another to %s, however the rows are made',
    async (table) => {
      for (const rows of [`values ('mer_b')`, `select 'mer_b' from generate_series(1, 1)`]) {
        const add = `insert into ${table} (merchant_id) ${rows}`;
        expect([add, await as(roles.api, ['mer_a'], add)]).toEqual([add, denied]);
        expect([add, await as(roles.intake, ['mer_a'], add)]).toEqual([add, denied]);
      }
    },
  );

  it('leaves all rows to those who serve all', async () => {
    expect(await as(roles.worker, [], read)).toEqual([a, b]);
    expect(await as(roles.operator, [], read)).toEqual([a, b]);
  });

  it('is on for every table that the roles of merchants reach, whatever is added later', async () => {
    const { rows } = await client.query<{ name: string; open: boolean }>(
      `select distinct c.relname as name, not c.relrowsecurity as open
       from pg_class c cross join unnest($1::text[]) as role
       where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
         and has_any_column_privilege(role, c.oid, 'select, insert, update')`,
      [[roles.api, roles.intake]],
    );
    const open = rows.filter((row) => row.open).map((row) => row.name);
    expect(open).toEqual(Object.keys(sharedTables));
    const named = [apiRights, intakeRights, doorColumns, sharedTables].flatMap(Object.keys);
    expect(new Set(rows.map((row) => row.name))).toEqual(new Set(named));
  });

  it('is not gone round by a view', async () => {
    const { rows } = await client.query(
      `select relname from pg_class
       where relkind in ('v', 'm') and relnamespace = current_schema()::regnamespace
         and not coalesce('security_invoker=true' = any (reloptions), false)`,
    );
    expect(rows).toEqual([]);
  });
});
