import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../../src/store/embedded/binaries.ts';
import { canSwitchUser, folderOf, isRoot, nobody, serverPid, sql, World } from './world.ts';

const packages = new World();
let packageDir: string;
let version: string;
let world: World;

beforeAll(async () => {
  const installed = await findBinaries();
  version = installed.version;
  packageDir = join(await packages.folder(), 'package');
  await cp(installed.packageDir, packageDir, { recursive: true, verbatimSymlinks: true });
});
afterAll(() => packages.end());

beforeEach(async () => {
  world = new World();
  // As npm leaves a package when it runs no install scripts.
  for (const { target } of await links()) await rm(join(packageDir, target), { force: true });
});
afterEach(() => world.end());

async function links(): Promise<{ target: string }[]> {
  return JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'));
}

describe('a package without its library links', () => {
  it('gets them', async () => {
    const server = await world.start({ dataDir: await world.folder(), packageDir });
    await sql(server.connectionString, 'select 1');
    for (const { target } of await links()) {
      expect((await lstat(join(packageDir, target))).isSymbolicLink()).toBe(true);
    }
  });

  it.runIf(canSwitchUser)('is copied where it cannot be written', async () => {
    const dataDir = await folderOf(nobody, await world.folder(), 'data');
    const answer = await world.child({ dataDir, packageDir }, nobody).answer();
    expect(await sql(answer.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).toEqual(['database', 'postgres.log', `postgresql-${version}`]);
  });
});

describe('a server of another installation', () => {
  it('is restarted from ours', async () => {
    const dataDir = await world.dataDir();
    const child = world.child({ dataDir, packageDir });
    const left = await child.answer();
    const pid = await serverPid(left.dataPath);
    await sql(left.connectionString, 'create table kept ()');
    child.process.kill('SIGKILL');
    await child.ended;

    const server = await world.start({ dataDir });
    expect(server.adopted).toBe(false);
    expect(await serverPid(server.dataPath)).not.toBe(pid);
    await sql(server.connectionString, 'select from kept');
  });
});

describe.runIf(canSwitchUser)('without being root', () => {
  it('everything is in the data folder and is ours', async () => {
    const dataDir = await folderOf(nobody, await world.folder(), 'data');
    const answer = await world.child({ dataDir }, nobody).answer();
    expect(answer.dataPath).toBe(join(dataDir, 'database', 'cluster'));
    for (const path of [answer.dataPath, join(dataDir, 'database')]) {
      const entry = await lstat(path);
      expect([entry.uid, entry.mode & 0o777]).toEqual([nobody.uid, 0o700]);
    }
  });
});

describe.runIf(isRoot)('as root', () => {
  it('the server runs as another user, in the data folder where that user reaches it', async () => {
    const dataDir = await world.dataDir();
    const server = await world.start({ dataDir });
    expect(server.dataPath).toBe(join(dataDir, 'database', 'cluster'));
    expect((await lstat(server.dataPath)).uid).not.toBe(0);
    expect((await lstat(join(dataDir, 'database', 'password'))).uid).toBe(0);
  });

  it('a data folder that its user cannot reach holds a link to the database', async () => {
    const dataDir = join(await world.folder(0o700), 'data');
    const awayDir = join(await world.folder(), 'away');
    const first = await world.start({ dataDir, awayDir });
    await sql(first.connectionString, 'create table kept ()');
    const place = await readlink(join(dataDir, 'database'));
    expect(place.startsWith(awayDir)).toBe(true);
    expect(first.dataPath).toBe(join(place, 'cluster'));
    expect(world.messages.join('\n')).toContain(`cannot reach ${dataDir}`);
    expect(world.messages.join('\n')).toContain(`data in ${place}`);
    expect((await lstat(join(dataDir, '..'))).mode & 0o777).toBe(0o700);
    await first.stop();

    const second = await world.start({ dataDir, awayDir });
    expect(second.dataPath).toBe(first.dataPath);
    await sql(second.connectionString, 'select from kept');
    await second.stop();

    await rename(place, `${place}.moved`);
    await expect(world.start({ dataDir, awayDir })).rejects.toThrow('is gone');
  });

  it('a deleted data folder gets a new database, and the earlier one is kept and named', async () => {
    const dataDir = join(await world.folder(0o700), 'data');
    const awayDir = join(await world.folder(), 'away');
    const first = await world.start({ dataDir, awayDir });
    await first.stop();
    await rm(dataDir, { recursive: true });
    const second = await world.start({ dataDir, awayDir });
    expect(second.dataPath).not.toBe(first.dataPath);
    expect(world.messages.join('\n')).toContain(
      `An earlier database of this data folder is still in ${join(first.dataPath, '..')}.`,
    );
  });

  it('programs that its user cannot reach are copied once, and opened in the copy alone', async () => {
    const parent = join(packageDir, '..');
    const postgres = join(packageDir, 'native', 'bin', 'postgres');
    // As installed below /root under umask 077.
    for (const path of [parent, join(packageDir, 'native', 'lib'), postgres]) {
      await chmod(path, 0o700);
    }
    const dataDir = await world.folder();
    const copy = join(dataDir, `postgresql-${version}`);
    await (await world.start({ dataDir, packageDir })).stop();
    const { ino } = await lstat(copy);
    await (await world.start({ dataDir, packageDir })).stop();
    expect((await lstat(copy)).ino).toBe(ino);
    expect((await lstat(postgres)).mode & 0o777).toBe(0o700);
    expect(world.messages.filter((message) => message.includes('was copied'))).toHaveLength(1);
  });

  it('a place that its user cannot reach either is refused', async () => {
    const closed = await world.folder(0o700);
    await mkdir(join(closed, 'away'));
    const start = world.start({ dataDir: join(closed, 'data'), awayDir: join(closed, 'away') });
    await expect(start).rejects.toThrow('reaches neither the data folder nor');
  });
});
