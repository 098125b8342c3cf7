import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import { canSwitchUser, nobody, World } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.end());

async function refusal(start: Promise<unknown>): Promise<AppError> {
  const error = await start.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`Expected an AppError, got ${error}`);
  expect(error.message).not.toContain('\n');
  return error;
}

describe('a data folder that cannot be used is refused in one line', () => {
  it('a file where the folder should be', async () => {
    const path = join(await world.folder(), 'data');
    await writeFile(path, 'mine');
    for (const dataDir of [path, join(path, 'below')]) {
      const error = await refusal(world.start({ dataDir }));
      expect(error.code).toBe('data_dir_unusable');
      expect(error.detail).toBe(
        `The data folder ${dataDir} cannot be used: it is, or lies below, a file.`,
      );
    }
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  it('a database of another major version, which stays as it is', async () => {
    const dataDir = await world.dataDir();
    const version = join(dataDir, 'database', 'cluster', 'PG_VERSION');
    await writeFile(version, '17\n');
    const error = await refusal(world.start({ dataDir }));
    expect(error.code).toBe('data_dir_unusable');
    expect(error.detail).toContain('is of PostgreSQL 17; this version brings 18.');
    await writeFile(version, '18\n');
    await world.start({ dataDir });
  });

  it('something else under the name of the database', async () => {
    const dataDir = await world.folder();
    await mkdir(join(dataDir, 'database'));
    await writeFile(join(dataDir, 'database', 'notes.txt'), 'mine');
    const error = await refusal(world.start({ dataDir }));
    expect(error.code).toBe('data_dir_unusable');
    expect(error.detail).toContain('holds no readable database');
    expect(await readFile(join(dataDir, 'database', 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('a password that the server does not take', async () => {
    const dataDir = await world.dataDir();
    const file = join(dataDir, 'database', 'password');
    const password = await readFile(file, 'utf8');
    await writeFile(file, 'wrong');
    const error = await refusal(world.start({ dataDir }));
    expect(error.code).toBe('data_dir_unusable');
    expect(error.detail).toContain('refuses the password that lies beside it');
    await writeFile(file, password);
  });

  it('an installation without the programs', async () => {
    const dataDir = await world.folder();
    const packageDir = await world.folder();
    const error = await refusal(world.start({ dataDir, packageDir }));
    expect(error.code).toBe('database_start_failed');
    expect(error.detail).toBe(`There is no PostgreSQL in ${packageDir}.`);
  });

  it.runIf(canSwitchUser)('a folder that we may not write', async () => {
    const dataDir = await world.folder();
    const answer = await world.child({ dataDir }, nobody).answer();
    expect(answer.code).toBe('data_dir_unusable');
    expect(answer.message).toContain('EACCES');
  });

  it.runIf(canSwitchUser)('a database of another user', async () => {
    const dataDir = await world.dataDir();
    await chown(dataDir, nobody.uid, nobody.gid);
    const answer = await world.child({ dataDir }, nobody).answer();
    await chown(dataDir, 0, 0);
    expect(answer.code).toBe('data_dir_unusable');
    expect(answer.message).toMatch(/belongs to the user with id \d+; start as that/);
  });

  it('a damaged database', async () => {
    const dataDir = await world.dataDir();
    const control = join(dataDir, 'database', 'cluster', 'global', 'pg_control');
    await rename(control, `${control}.away`);
    const error = await refusal(world.start({ dataDir }));
    expect(error.code).toBe('database_start_failed');
    expect(error.detail).toContain('The embedded database did not start:');
  });
});
