import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isServer, namesIn, serverPid, sql, World } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.end());

describe('an embedded server', () => {
  it('keeps its data from one run to the next', async () => {
    const dataDir = await world.folder();
    const first = await world.start({ dataDir });
    await sql(first.connectionString, 'create table kept (word text)');
    await sql(first.connectionString, `insert into kept values ('grüße')`);
    const pid = await serverPid(first.dataPath);
    await first.stop();
    expect(await isServer(first.dataPath, pid)).toBe(false);

    const second = await world.start({ dataDir });
    expect(second.adopted).toBe(false);
    expect(await sql(second.connectionString, 'select word from kept')).toEqual([
      { word: 'grüße' },
    ]);
    expect(await namesIn(dataDir)).toEqual(['database', 'postgres.log']);
  });

  it('commits to disk, speaks UTF-8 and gives us a role without a superuser’s power', async () => {
    const { connectionString, dataPath } = await world.start({ dataDir: await world.dataDir() });
    const settings = ['fsync', 'synchronous_commit', 'data_checksums', 'server_encoding', 'jit'];
    const rows = await sql<{ name: string; setting: string }>(
      connectionString,
      `select name, setting from pg_settings where name in ('${settings.join("','")}')`,
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      jit: 'off',
    });
    expect(await sql(connectionString, 'show data_directory')).toEqual([
      { data_directory: dataPath },
    ]);
    expect(await sql(connectionString, 'show is_superuser')).toEqual([{ is_superuser: 'off' }]);
    await expect(sql(connectionString, `copy (select 1) to program 'cat'`)).rejects.toThrow(
      'permission denied',
    );
  });

  it('lets nobody in without the password, and keeps that to its owner', async () => {
    const dataDir = await world.dataDir();
    const { connectionString } = await world.start({ dataDir });
    const url = new URL(connectionString);
    for (const user of ['recoup', 'postgres']) {
      for (const password of ['', 'wrong']) {
        url.username = user;
        url.password = password;
        await expect(sql(url.href, 'select 1')).rejects.toThrow();
      }
    }
    const password = await stat(join(dataDir, 'database', 'password'));
    expect(password.mode & 0o777).toBe(0o600);
  });

  it('tells the server none of our environment', async () => {
    const secrets = { ENCRYPTION_KEY: 'sesame-key', PGOPTIONS: '-c jit=on', PGSSLMODE: 'require' };
    const child = world.child({ dataDir: await world.dataDir() }, undefined, secrets);
    const { dataPath, connectionString } = await child.answer();
    expect(await sql(connectionString, 'show jit')).toEqual([{ jit: 'off' }]);
    const pid = await serverPid(dataPath);
    if (process.platform !== 'linux') return;
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('sesame');
  });

  it('does not log the values of a failed statement', async () => {
    const dataDir = await world.dataDir();
    const { connectionString } = await world.start({ dataDir });
    await expect(sql(connectionString, `select 'ada@example.com'::int`)).rejects.toThrow();
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('ada@example.com');
  });

  it('tries another port when the chosen one is taken', async () => {
    const holder = createServer();
    const taken = 0x6000;
    await new Promise<void>((resolve) => holder.listen(taken, '127.0.0.1', () => resolve()));
    try {
      const deps = world.deps();
      let ports = 0;
      const bytes = (count: number) => {
        if (count !== 2) return deps.random.bytes(count);
        ports += 1;
        const offset = taken - 20_000 + (ports === 1 ? 0 : 1);
        return Uint8Array.of(offset >> 8, offset & 0xff);
      };
      const server = await world.start({ dataDir: await world.dataDir() }, world.deps(bytes));
      expect(ports).toBe(2);
      expect(new URL(server.connectionString).port).toBe(String(taken + 1));
    } finally {
      holder.close();
    }
  });

  it('starts a new log beside one that has grown large', async () => {
    const dataDir = await world.dataDir();
    await writeFile(join(dataDir, 'postgres.log'), 'old\n');
    await truncate(join(dataDir, 'postgres.log'), 11 * 1024 * 1024);
    await world.start({ dataDir });
    expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(10_000);
    expect(await readFile(join(dataDir, 'postgres.log.1'), 'utf8')).toMatch(/^old\n/);
  });

  it('replaces a password that was lost', async () => {
    const dataDir = await world.dataDir();
    const first = await world.start({ dataDir });
    await sql(first.connectionString, 'create table kept ()');
    await first.stop();
    await rm(join(dataDir, 'database', 'password'));

    const second = await world.start({ dataDir });
    await sql(second.connectionString, 'select from kept');
    expect(new URL(second.connectionString).password).not.toBe(
      new URL(first.connectionString).password,
    );
    await expect(sql(first.connectionString, 'select 1')).rejects.toThrow();
  });
});
