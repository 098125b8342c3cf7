import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../../src/app/exit-code.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { createTestDatabase, testCluster } from '../kits/database.ts';
import { useServices } from '../kits/service.ts';

const services = useServices();

/** How a start on this database ends. */
async function startOn(url: URL, env: Readonly<Record<string, string>> = {}) {
  const startedAtMs = performance.now();
  const exit = await services.run({
    env: {
      DATABASE_URL: url.href,
      ENCRYPTION_KEY: '07'.repeat(32),
      OPERATOR_TOKEN: 'operator-token-of-the-test',
      ...env,
    },
  });
  return { ...exit, tookMs: performance.now() - startedAtMs };
}

async function database(): Promise<URL> {
  const made = await createTestDatabase();
  onTestFinished(() => made.drop());
  return new URL(made.connectionString);
}

async function query(url: URL | string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: String(url) });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Each makes its fault, and gives the address to start on. */
const faults: Readonly<Partial<Record<ErrorCode, () => Promise<URL>>>> = {
  async database_refused() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return new URL(`postgres://recoup:secret@127.0.0.1:${port}/recoup`);
  },
  async database_login_refused() {
    const url = await database();
    url.password = 'not-the-password';
    return url;
  },
  async database_unknown() {
    const url = new URL((await testCluster()).connectionString);
    url.pathname = '/nobody_made_this';
    return url;
  },
  async database_connections_exhausted() {
    const url = await database();
    await query(url, `alter database ${url.pathname.slice(1)} connection limit 0`);
    return url;
  },
  async database_silent() {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return new URL(`postgres://recoup:secret@127.0.0.1:${port}/recoup`);
  },
  async database_read_only() {
    const url = await database();
    await query(
      url,
      `alter database ${url.pathname.slice(1)} set default_transaction_read_only = on`,
    );
    return url;
  },
  async database_newer() {
    const url = await database();
    await query(url, `insert into migrations (name, applied_at) values ('9999_later.sql', now())`);
    return url;
  },
};

/** Where a login is let in all the same, and which. */
const letIn: ReadonlyMap<ErrorCode, string> = new Map([
  ['database_login_refused', 'the server asks for no password'],
  ['database_connections_exhausted', 'a superuser has no limit'],
]);

async function takesConnections(url: URL): Promise<boolean> {
  try {
    await query(url, 'select');
    return true;
  } catch {
    return false;
  }
}

it.for(Object.keys(faults) as ErrorCode[])(
  'a start that meets %s says so',
  async (code, { skip }) => {
    const url = (await faults[code]?.()) as URL;
    if (letIn.has(code)) skip(await takesConnections(url), letIn.get(code));
    const { code: ended, stderr, tookMs } = await startOn(url);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('secret');
    expect(ended).toBe(exitCodes[code]);
    expect(new Set(Object.values(exitCodes)).size).toBe(Object.keys(exitCodes).length);
    // Beside other tests a process needs seconds to start at all.
    if (code === 'database_silent') expect(tookMs).toBeLessThan(30_000);
  },
);

it('a start that is not to migrate says which schema it lacks', async () => {
  const url = await database();
  await query(url, `delete from migrations where name like '0059%'`);
  const { code, stderr } = await startOn(url, { MIGRATE_ON_START: 'false' });
  expect(stderr).toMatch(/^The database lacks 0059_replays\.sql: run recoup migrate\..*\n$/);
  expect(code).toBe(exitCodes.database_older);
});

it('a start from a backup of a time to come says so, and checks nothing', async () => {
  const url = await database();
  const { code, stderr } = await startOn(url, { RESTORED_FROM: '2999-01-01T00:00:00Z' });
  expect(stderr).toContain('RESTORED_FROM is 2999-01-01T00:00:00.000Z but must not be later than');
  expect(code).toBe(exitCodes.config_invalid);
});

it('a start tells of a variable that is all but a setting, without its value', async () => {
  const url = (await faults.database_refused?.()) as URL;
  const { stderr } = await startOn(url, { PSP_TIMEOUT_MS: '2500', TZ: 'UTC' });
  const [warning = '', ...rest] = stderr.trim().split('\n');
  expect(JSON.parse(warning)).toMatchObject({
    level: 40,
    variable: 'PSP_TIMEOUT_MS',
    meant: 'PSP_TIMEOUT',
    msg: 'a variable is no setting and is ignored: was this one meant?',
  });
  expect(stderr).not.toContain('2500');
  expect(rest).toEqual([expect.stringContaining('[database_refused]')]);
});

it('every exit code stands in the documentation', async () => {
  const doc = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  for (const [code, exit] of Object.entries(exitCodes)) {
    expect(doc).toMatch(new RegExp(`^\\| ${exit} \\| \\x60${code}\\x60 \\|`, 'm'));
  }
});

it('a sandbox on a database of one’s own makes its data folder, without a PSP in it too', async () => {
  const dataDir = `${await services.dataDir()}/new`;
  const env = {
    DATABASE_URL: (await database()).href,
    ENCRYPTION_KEY: '07'.repeat(32),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
    SANDBOX: 'true',
    ROLES: 'api,operator',
  };
  const service = await services.start({ dataDir, env });
  expect(await readFile(`${dataDir}/demo-merchant.json`, 'utf8')).toContain(service.merchantId);
  await service.stop();
});
