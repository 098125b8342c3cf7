import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isServed, isServer, namesIn, serverPid, sql, World } from './world.ts';

/** A limit for what hangs: a start of the server on a busy machine takes many seconds. */
const slow = { timeout: 90_000 };
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let world: World;
const strangers: ChildProcess[] = [];
beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const stranger of strangers.splice(0)) stranger.kill();
  await world.end();
});

describe('a process that was killed', () => {
  it('leaves a server that the next one adopts and stops', async () => {
    const dataDir = await world.dataDir();
    const child = world.child({ dataDir });
    const left = await child.answer();
    await sql(left.connectionString, 'create table adopted as select 1 as one');
    const pid = await serverPid(left.dataPath);
    child.process.kill('SIGKILL');
    await child.ended;

    const server = await world.start({ dataDir });
    expect(server.adopted).toBe(true);
    expect(server.connectionString).toBe(left.connectionString);
    expect(await serverPid(server.dataPath)).toBe(pid);
    expect(await sql(server.connectionString, 'select one from adopted')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(await isServer(server.dataPath, pid)).toBe(false);
  });

  it('loses nothing that was committed when its server is killed too', async () => {
    const dataDir = await world.dataDir();
    const child = world.child({ dataDir });
    const left = await child.answer();
    await sql(
      left.connectionString,
      'create table crashed as select generate_series(1, 10000) as n',
    );
    process.kill(await serverPid(left.dataPath), 'SIGKILL');
    child.process.kill('SIGKILL');
    await child.ended;

    const server = await world.start({ dataDir });
    expect(await sql(server.connectionString, 'select sum(n)::int as sum from crashed')).toEqual([
      { sum: 50_005_000 },
    ]);
  });

  it('leaves a postmaster.pid whose id may now be anyone’s', async () => {
    const dataDir = await world.dataDir();
    const dataPath = join(dataDir, 'database', 'cluster');
    const { uid, gid } = await stat(dataPath);
    // The server's own user, since PostgreSQL itself looks away from other users' processes.
    const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/' });
    strangers.push(stranger);
    const file = join(dataPath, 'postmaster.pid');
    const lines = [stranger.pid, dataPath, 1, 20_001, '', '127.0.0.1', '1 1', 'ready   ', ''];
    await writeFile(file, lines.join('\n'));
    const lock = join(dataDir, 'database', 'sockets', '.s.PGSQL.20001.lock');
    await writeFile(lock, lines.join('\n'));

    const second = await world.start({ dataDir });
    expect(second.adopted).toBe(false);
    expect(await sql(second.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBeNull();
  });

  it('leaves a half-made database that the next one removes', async () => {
    const dataDir = await world.folder();
    const child = world.child({ dataDir });
    while (!(await readdir(dataDir)).some((name) => name.startsWith('database.new-'))) {
      expect(child.process.exitCode).toBeNull();
    }
    child.process.kill('SIGKILL');
    await child.ended;
    await (await world.start({ dataDir })).stop();
    // Its initdb may still have been writing; a later start finds it ended.
    const leftAfterStart = async () => {
      await (await world.start({ dataDir })).stop();
      return namesIn(dataDir);
    };
    await expect.poll(leftAfterStart, slow).toEqual(['database', 'postgres.log']);
  });
});

describe('a running process', () => {
  it('starts its server again when that is killed, where the pools find it', async () => {
    const server = await world.start({ dataDir: await world.dataDir() });
    const pool = new pg.Pool({ connectionString: server.connectionString });
    pool.on('error', () => {});
    try {
      await pool.query('create table pooled as select 1 as one');
      for (let round = 1; round <= 3; round += 1) {
        const pid = await serverPid(server.dataPath);
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => restarts(world), slow).toBe(round);
        expect(await serverPid(server.dataPath)).not.toBe(pid);
        expect((await pool.query('select one from pooled')).rows).toEqual([{ one: 1 }]);
      }
      expect(world.messages.join()).toContain('ended unexpectedly');
    } finally {
      await pool.end();
    }
  });

  it('takes its folder again when only the connection that holds it breaks', async () => {
    const server = await world.start({ dataDir: await world.dataDir() });
    const pid = await serverPid(server.dataPath);
    await sql(
      server.connectionString,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = 'postgres' and backend_type = 'client backend'`,
    );
    await expect.poll(() => restarts(world), slow).toBe(1);
    expect(await serverPid(server.dataPath)).toBe(pid);
    expect(
      await sql(server.connectionString, `select from pg_locks where locktype = 'advisory'`),
    ).toHaveLength(1);
  });

  it('can stop while it is starting its server again', async () => {
    const server = await world.start({ dataDir: await world.dataDir() });
    process.kill(await serverPid(server.dataPath), 'SIGKILL');
    await expect.poll(() => world.messages.join(), slow).toContain('ended unexpectedly');
    await server.stop();
    await expect.poll(() => isServed(server.dataPath), slow).toBe(false);
  });
});

function restarts(of: World): number {
  return of.messages.filter((message) => message.includes('runs again')).length;
}
