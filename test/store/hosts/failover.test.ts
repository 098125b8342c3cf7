import { execFileSync } from 'node:child_process';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { byTcp } from '../../kits/by-tcp.ts';
import { queryOnce } from '../../kits/query-once.ts';
import { World } from '../embedded/world.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const world = new World();
afterAll(() => world.end());

const portOf = { name: 'port_of_the_test', text: `select current_setting('port') as port` };

/** Two servers of one user and password, as a primary and its standby are; nothing is replicated. */
async function twoServers() {
  const dataDir = await world.dataDir();
  const folder = await world.folder();
  // With the owner, as which PostgreSQL runs.
  execFileSync('cp', ['-a', `${dataDir}/.`, folder]);
  const [first, second] = [await world.start({ dataDir }), await world.start({ dataDir: folder })];
  const [url, other] = [new URL(first.connectionString), new URL(second.connectionString)];
  const hosts = `127.0.0.1:${other.port},127.0.0.1:${url.port}`;
  const several = byTcp(first.connectionString).replace(url.host, hosts);
  return { first, second, url, other, several };
}

function open(connectionString: string): Database {
  const db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 3 });
  onTestFinished(() => db.close());
  return db;
}

it('the server that takes writes is found, and the other one when it takes them over', async () => {
  const { first, second, url, other, several } = await twoServers();
  const database = other.pathname.slice(1);
  await queryOnce(
    second.connectionString,
    `alter database ${database} set default_transaction_read_only = on`,
  );
  const db = open(several);
  const asked = () => db.query<{ port: string }>(portOf, []);
  expect(await asked()).toEqual([{ port: url.port }]);

  await first.stop();
  // The only one that is there takes no writes yet; the first failure may be that of a broken connection.
  await expect.poll(() => asked().catch(({ code }) => code)).toBe('database_read_only');
  // As a promotion does.
  await queryOnce(
    second.connectionString.replace(/\?.*$/, '?options=-c%20default_transaction_read_only%3Doff'),
    `alter database ${database} reset default_transaction_read_only`,
  );
  await expect
    .poll(() => asked().catch(({ code }) => code), { timeout: 30_000 })
    .toEqual([{ port: other.port }]);
});
