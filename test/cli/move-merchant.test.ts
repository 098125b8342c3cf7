import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDataDir, removeDataDir } from '../kits/data-dirs.ts';
import { createTestDatabase, type TestDatabase } from '../kits/database.ts';
import { makeCell } from '../kits/moving.ts';
import { runCli } from '../kits/run-cli.ts';

let database: TestDatabase;
let folder: string;
let file: string;
let source: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await makeDataDir();
  const { connectionString } = database;
  const cell = await makeCell(connectionString, 'cell_2');
  source = { DATABASE_URL: connectionString, ENCRYPTION_KEY: '01'.repeat(32) };
  file = `${folder}/cell_2.env`;
  const lines = [
    '# The other cell.',
    `DATABASE_URL=${cell.connectionString}`,
    'DATABASE_SCHEMA=cell_2',
    `ENCRYPTION_KEY=${'02'.repeat(32)}`,
  ];
  await writeFile(file, lines.join('\n'));
});
afterAll(async () => {
  await removeDataDir(folder);
  await database.drop();
});

const way = ['--recovery-url', 'http://10.0.2.1:8080', '--disputes-url', 'http://10.0.2.1:8081'];
const move = (args: readonly string[], env = source) =>
  runCli('recoup', ['merchants', 'move', 'mer_none', '--to', file, ...args], { env });

it('a merchant that is not there is refused, with what to do', async () => {
  const run = await move(way);
  expect([run.code, run.stdout]).toEqual([1, '']);
  expect(run.stderr).toMatch(/This cell has no merchant with this id\. .*\[merchant_not_here\]/);
});

it('a move that there is none of is neither taken back nor cleared', async () => {
  for (const args of [['--back'], ['--clear']]) {
    const run = await move(args);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('[move_unknown]')]);
  }
});

it('addresses, and the keys of both cells, have to be given', async () => {
  const withoutAddress = await move([]);
  expect([withoutAddress.code, withoutAddress.stderr]).toEqual([
    2,
    expect.stringContaining('--recovery-url'),
  ]);
  const noAddress = await move(['--recovery-url', 'cell_2', '--disputes-url', 'cell_2']);
  expect(noAddress.code).toBe(2);
  const { DATABASE_URL = '' } = source;
  const withoutKey = await move(way, { DATABASE_URL });
  expect([withoutKey.code, withoutKey.stderr]).toEqual([
    2,
    expect.stringContaining('not both set in the environment'),
  ]);
  const withoutFile = await runCli('recoup', ['merchants', 'move', 'mer_none', '--to', '/none'], {
    env: source,
  });
  expect(withoutFile.code).toBe(2);
});
