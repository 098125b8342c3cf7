import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdDataDirLock } from '../../../src/store/embedded/data-dir-lock.ts';
import { serverPid, sql, World } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.end());

describe('two processes on one data folder', () => {
  it('the second is told so, and the first goes on', async () => {
    const dataDir = await world.dataDir();
    const first = await world.child({ dataDir }).answer();
    const pid = await serverPid(first.dataPath);
    const second = world.child({ dataDir });
    expect((await second.answer()).code).toBe('data_dir_in_use');
    await second.ended;
    expect(await serverPid(first.dataPath)).toBe(pid);
    expect(await sql(first.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('exactly one of two that start at the same moment on an empty folder runs', async () => {
    const dataDir = await world.folder();
    const children = [world.child({ dataDir }), world.child({ dataDir })];
    const answers = await Promise.all(children.map((child) => child.answer()));
    expect(answers.map((answer) => answer.code ?? 'runs').sort()).toEqual([
      'data_dir_in_use',
      'runs',
    ]);
    const winner = answers.find((answer) => answer.code === undefined);
    expect(await sql(winner?.connectionString ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('exactly one of three that find the server of a killed one runs', async () => {
    const dataDir = await world.dataDir();
    const killed = world.child({ dataDir });
    const { connectionString } = await killed.answer();
    await sql(connectionString, 'create table kept ()');
    killed.process.kill('SIGKILL');
    const children = [1, 2, 3].map(() => world.child({ dataDir }));
    const answers = await Promise.all(children.map((child) => child.answer()));
    expect(answers.map((answer) => answer.code ?? 'runs').sort()).toEqual([
      'data_dir_in_use',
      'data_dir_in_use',
      'runs',
    ]);
    await sql(connectionString, 'select from kept');
  });

  it('a server whose folder another process took meanwhile says so and leaves it alone', async () => {
    const dataDir = await world.dataDir();
    const server = await world.start({ dataDir });
    const exit = new Promise<string>((resolve) => server.onExit((cause) => resolve(cause.code)));
    const url = new URL(server.connectionString);
    url.pathname = '/postgres';
    // The other one waits for the lock on its own connection when ours breaks.
    const other = new pg.Client({ connectionString: url.href });
    other.on('error', () => {});
    await other.connect();
    try {
      const waiting = other.query('select pg_advisory_lock(1)');
      await sql(
        server.connectionString,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'recoup data folder lock'`,
      );
      await waiting;
      expect(await exit).toBe('data_dir_in_use');
      const pid = await serverPid(server.dataPath);
      await server.stop();
      expect(await serverPid(server.dataPath)).toBe(pid);
      expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await other.end();
    }
  });
});

/** Connections for which this process goes on, though it had nothing else to do. */
const awaited = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

describe('the lock of a data folder', () => {
  it('keeps no process alive, but one that waits for its end', async () => {
    const dataDir = await world.dataDir();
    const killed = world.child({ dataDir });
    const { connectionString, dataPath } = await killed.answer();
    killed.process.kill('SIGKILL');
    await killed.ended;
    const { port, username: user, password } = new URL(connectionString);
    const lock = await holdDataDirLock({ port: Number(port), user, password, dir: dataPath });
    const before = awaited();
    const released = lock.release();
    expect(awaited()).toBe(before + 1);
    await released;
  });
});
