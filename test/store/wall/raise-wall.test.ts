import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../../src/store/embedded/binaries.ts';
import { runProgram } from '../../../src/store/embedded/system/run-program.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { allRoles } from '../../../src/store/wall/roles.ts';
import { World } from '../embedded/world.ts';

const clock = { now: () => new Date('2026-03-01T12:00:00.000Z') };
const world = new World();
let dataDir: string;
beforeAll(async () => {
  dataDir = await world.folder();
});
afterAll(() => world.end());

/** Statements of the superuser, one a line, while no server runs. */
async function alone(dataPath: string, statements: readonly string[]): Promise<void> {
  const { postgres } = await findBinaries();
  const { uid, gid } = await stat(dataPath);
  const user = uid === process.getuid?.() ? undefined : { uid, gid, name: 'the owner' };
  const input = `${statements.join('\n')}\n`;
  const done = await runProgram(
    postgres,
    ['--single', '-D', dataPath, '-c', 'exit_on_error=on', 'postgres'],
    { user, cwd: dataPath, input },
  );
  if (!done.ok) throw new Error(done.output);
}

/** As a folder of a version that had no roles. */
async function withoutRoles(dataPath: string): Promise<void> {
  await alone(dataPath, [`drop role ${allRoles.join(', ')}`]);
  await rm(join(dataPath, '..', 'roles'));
}

async function rowsOf(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a data folder of an earlier version', () => {
  it('gets the roles when it is started', async () => {
    const first = await world.start({ dataDir });
    await first.stop();
    await withoutRoles(first.dataPath);
    const server = await world.start({ dataDir });
    const { connectionString } = server;
    expect((await migrate({ connectionString, clock })).wall).toEqual({ kind: 'up' });
    await server.stop();
  });

  it('gets them also where its server was left behind running', async () => {
    const first = await world.start({ dataDir });
    await first.stop();
    const left = world.child({ dataDir });
    const { dataPath } = await left.answer();
    await rm(join(dataPath, '..', 'roles'));
    left.process.kill('SIGKILL');
    await left.ended;
    const server = await world.start({ dataDir });
    expect(server.adopted).toBe(false);
    expect(await readFile(join(dataPath, '..', 'roles'), 'utf8')).toBe(`${allRoles.join('\n')}\n`);
    await server.stop();
  });
});

describe('a server of one’s own', () => {
  it('is raised as far as its login may, and says what it lacks', async () => {
    const first = await world.start({ dataDir });
    await first.stop();
    const rules = join(first.dataPath, '..', 'pg_hba.conf');
    await alone(first.dataPath, [
      'drop database recoup',
      `drop role ${allRoles.join(', ')}`,
      `create role plain login password 'plain'`,
      'create database plain owner plain',
    ]);
    await writeFile(rules, 'host all all 127.0.0.1/32 scram-sha-256\n');
    const up = () => world.start({ dataDir });
    const server = await up();
    const url = new URL(server.connectionString);
    Object.assign(url, { username: 'plain', password: 'plain', pathname: '/plain' });
    const connectionString = url.href;
    const walled = async () => (await migrate({ connectionString, clock })).wall;
    expect(await walled()).toEqual({ kind: 'down', lacks: `the roles ${allRoles.join(', ')}` });
    expect(await rowsOf(connectionString, 'select 1 as one from wall')).toEqual([]);
    await server.stop();

    await alone(
      first.dataPath,
      allRoles.map((role) => `create role ${role}`),
    );
    const again = await up();
    url.port = new URL(again.connectionString).port;
    expect(await migrate({ connectionString: url.href, clock })).toEqual({
      applied: [],
      wall: { kind: 'down', lacks: `that its login is a member of ${allRoles.join(', ')}` },
    });
    await again.stop();

    await alone(first.dataPath, [
      `drop role ${allRoles.join(', ')}`,
      'alter role plain createrole',
    ]);
    const last = await up();
    url.port = new URL(last.connectionString).port;
    const address = { connectionString: url.href, clock };
    expect((await migrate(address)).wall).toEqual({ kind: 'up' });
    // A cell has roles of its own, which see nothing of another.
    for (const schema of ['north', 'south']) {
      expect((await migrate({ ...address, schema })).wall).toEqual({ kind: 'up' });
    }
    const may = await rowsOf(
      url.href,
      `select name, has_table_privilege('recoup_worker_north', name, 'select') as north,
              has_table_privilege('recoup_worker', name, 'select') as none
       from unnest('{north.payments,south.payments,public.payments}'::text[]) as name`,
    );
    expect(may).toEqual([
      { name: 'north.payments', north: true, none: false },
      { name: 'south.payments', north: false, none: false },
      { name: 'public.payments', north: false, none: true },
    ]);
    await last.stop();
  });
});
