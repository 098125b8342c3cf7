import { createHash } from 'node:crypto';
import type pg from 'pg';
import { rightsSql } from './rights.ts';
import { createRoleSql, type Role, type Roles } from './roles.ts';

/** Whether the roles are there with their rights; `lacks` says what keeps them away. */
export type Wall = { readonly kind: 'up' } | { readonly kind: 'down'; readonly lacks: string };

/** Views that answer with the rights of who asks came with 15. */
const oldestVersion = 150_000;

/**
 * Gives the roles their rights and turns row-level security on, where that was not done yet by this
 * version; makes the roles where the login may. Within the transaction of the migrations, after them.
 */
export async function raiseWall(
  client: pg.Client,
  { roles, at }: { readonly roles: Roles; readonly at: Date },
): Promise<Wall> {
  const list = listOf(roles);
  const { version, schema, isCitus } = await readServer(client);
  if (version < oldestVersion) return { kind: 'down', lacks: 'PostgreSQL 15 or later' };
  const missing = await missingRoles(client, roles);
  if (missing.length > 0 && !(await tried(client, missing.map(createRoleSql)))) {
    return { kind: 'down', lacks: `the roles ${missing.join(', ')}` };
  }
  const mute = isCitus ? await mayNotLogIn(client, roles) : [];
  if (
    !(await tried(
      client,
      mute.map((role) => `alter role ${role} login`),
    ))
  ) {
    return { kind: 'down', lacks: loginOf(mute) };
  }
  if (!(await mayAct(client, roles)) && !(await tried(client, [`grant ${list} to current_user`]))) {
    return { kind: 'down', lacks: `that its login is a member of ${list}` };
  }
  if (!(await mayAct(client, roles)))
    return { kind: 'down', lacks: `that its login may act as ${list}` };
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const statements = rightsSql({ schema: quoted, isCitus }, roles);
  await raise(client, { roles, statements, at, isCitus });
  return { kind: 'up' };
}

/** Whether the roles may be acted as, without changing anything. */
export async function readWall(client: pg.Client, roles: Roles): Promise<Wall> {
  const { version, isCitus } = await readServer(client);
  if (version < oldestVersion) return { kind: 'down', lacks: 'PostgreSQL 15 or later' };
  const missing = await missingRoles(client, roles);
  if (missing.length > 0) return { kind: 'down', lacks: `the roles ${missing.join(', ')}` };
  const mute = isCitus ? await mayNotLogIn(client, roles) : [];
  if (mute.length > 0) return { kind: 'down', lacks: loginOf(mute) };
  if (await mayAct(client, roles)) return { kind: 'up' };
  return { kind: 'down', lacks: `that its login may act as ${listOf(roles)}` };
}

function listOf(roles: Roles): string {
  return allOf(roles).join(', ');
}

function allOf(roles: Roles): readonly Role[] {
  return Object.values(roles);
}

interface Server {
  readonly version: number;
  readonly schema: string;
  readonly isCitus: boolean;
}

async function readServer(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version_num')::int as version, current_schema() as schema,
            exists (select from pg_extension where extname = 'citus') as "isCitus"`,
  );
  return rows[0] ?? { version: 0, schema: '', isCitus: false };
}

async function missingRoles(client: pg.Client, roles: Roles) {
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1)',
    [allOf(roles)],
  );
  const there = new Set(rows.map(({ rolname }) => rolname));
  return allOf(roles).filter((role) => !there.has(role));
}

/**
 * What a statement of several parts found so far goes to the other nodes of Citus by connections of whom it acts as. So
 * there the roles may log in; without a password, nobody does from where pg_hba.conf asks for one.
 */
async function mayNotLogIn(client: pg.Client, roles: Roles): Promise<readonly string[]> {
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1) and not rolcanlogin order by 1',
    [allOf(roles)],
  );
  return rows.map(({ rolname }) => rolname);
}

function loginOf(roles: readonly string[]): string {
  return `that between the nodes of Citus ${roles.join(', ')} may log in`;
}

/** Whether the login may take each role; since 16 that is a right apart from membership. */
async function mayAct(client: pg.Client, roles: Roles): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select bool_and(pg_has_role(current_user, role, case
       when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)) as may
     from unnest($1::text[]) as role`,
    [allOf(roles)],
  );
  return rows[0]?.may === true;
}

/** SQLSTATE of a right that the login does not have. */
const insufficientPrivilege = '42501';

/** Whether the login may run the statements; where it may not, nothing of them remains. */
async function tried(client: pg.Client, statements: readonly string[]): Promise<boolean> {
  await client.query('savepoint wall');
  try {
    for (const statement of statements) await client.query(statement);
    return true;
  } catch (error) {
    await client.query('rollback to savepoint wall');
    if ((error as { code?: string }).code === insufficientPrivilege) return false;
    throw error;
  }
}

/** What was raised, and whether it stands: a restore may leave rights out. */
interface Raised {
  readonly roles: string;
  readonly migrations: string;
  readonly digest: string | null;
  readonly has_rights: boolean;
}

async function raise(
  client: pg.Client,
  input: {
    readonly roles: Roles;
    readonly statements: readonly string[];
    readonly at: Date;
    readonly isCitus: boolean;
  },
): Promise<void> {
  const { roles, statements, at, isCitus } = input;
  // One role has another number on each node.
  const identity = isCitus ? 'rolname' : 'oid::text';
  const { rows } = await client.query<Raised>(
    `select string_agg(${identity}, ' ' order by rolname) as roles,
            (select string_agg(name, ' ' order by name) from migrations) as migrations,
            (select encode(digest, 'hex') from wall) as digest,
            has_table_privilege('${roles.worker}', 'payments', 'select')
              and has_table_privilege('${roles.api}', 'payments', 'select') as has_rights
     from pg_roles where rolname = any($1)`,
    [allOf(roles)],
  );
  const [was] = rows;
  const all = `${was?.roles}\n${was?.migrations}\n${statements.join(';\n')}`;
  const digest = createHash('sha256').update(all).digest();
  if (was?.has_rights === true && was.digest === digest.toString('hex')) return;
  for (const statement of statements) await client.query(statement);
  await client.query(
    `insert into wall (digest, raised_at) values ($1, $2)
     on conflict (singleton) do update set digest = excluded.digest, raised_at = excluded.raised_at`,
    [digest, at],
  );
}
