import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../kits/database.ts';
import { queryOnce } from '../kits/query-once.ts';
import { runCli } from '../kits/run-cli.ts';

it('brings an older schema to its version, and says before what it lacks', async () => {
  const { schemaString: connectionString, drop } = await createTestDatabase();
  onTestFinished(() => drop());
  await queryOnce(
    connectionString,
    `delete from migrations where name = '0235_replays_in_archive.sql'`,
  );
  await queryOnce(connectionString, 'alter table replays drop column archived_delivered');
  await queryOnce(connectionString, 'alter table replays drop column archived_exhausted');
  const run = (...args: string[]) =>
    runCli('recoup', ['migrate', ...args], { env: { DATABASE_URL: connectionString } });
  const checked = await run('--check');
  expect(checked).toMatchObject({
    code: 1,
    stdout: 'Not run yet:\n  0235_replays_in_archive.sql\n',
  });
  expect(checked.stderr).toBe('recoup: 1 migrations have not run yet.\n');
  const migrated = await run('--json');
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(migrated.stdout)).toEqual({ applied: ['0235_replays_in_archive.sql'] });
  const after = { code: 0, stdout: 'The schema is of this version.\n', stderr: '' };
  expect(await run('--check')).toEqual(after);
  expect(await run()).toEqual(after);
});

it('leaves an embedded database to the start', async () => {
  const { code, stderr } = await runCli('recoup', ['migrate']);
  expect(stderr).toContain('DATABASE_URL is not set');
  expect(code).toBe(2);
});

it('says what a database refuses', async () => {
  const env = { DATABASE_URL: 'postgres://recoup:secret@127.0.0.1:1/recoup' };
  const { code, stderr } = await runCli('recoup', ['migrate', '--check'], { env });
  expect(stderr).toContain('Nothing takes connections at 127.0.0.1:1.');
  expect(stderr).not.toContain('secret');
  expect(code).toBe(1);
});
