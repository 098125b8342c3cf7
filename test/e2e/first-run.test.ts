import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findDatabase, removeDataDir } from '../kits/data-dirs.ts';
import { createTestDatabase } from '../kits/database.ts';
import type { Exit } from '../kits/program.ts';
import { type Service, useServices } from '../kits/service.ts';
import { call, recoveryApi, serviceNow, showPayment } from '../kits/service-calls.ts';

const services = useServices({ begin: 'empty' });
/** For what is not about making a database: it takes longer than all else of a start. */
const made = useServices();
const isRoot = process.getuid?.() === 0;
const day = 86_400_000;

async function bash(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line], { timeout: 120_000 });
  return stdout;
}

/** That a start failed as a user may see it: one line with the error's code, and nothing left. */
function expectOneLine(exit: Exit, code: string, exitCode = 1): void {
  expect(exit.stdout).not.toContain('Recoup is running');
  expect(exit.stderr.trimEnd().split('\n')).toEqual([expect.any(String)]);
  expect(exit.stderr).toMatch(new RegExp(`^\\S.*\\. \\[${code}\\]\\n$`));
  expect([exit.code, exit.signal]).toEqual([exitCode, null]);
}

describe('npm start on an empty folder', () => {
  test('recovers a payment by the lines that it prints, and keeps all of it', async () => {
    const first = await services.start({ command: 'npm' });
    expect(first.curlLines).toHaveLength(4);
    const [submit = '', move = '', show = '', analyticsRecord = ''] = first.curlLines;
    expect(JSON.parse(await bash(submit))).toEqual({
      message: 'Request submitted for processing',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}:\d{56}:\d{12}$/),
    });
    // Jobs come round at 0, 6, 12 and 18 o'clock: four days have sixteen such stops, and the attempt's own.
    const { jumps } = JSON.parse(await bash(move));
    expect(jumps).toBeGreaterThan(0);
    expect(jumps).toBeLessThanOrEqual(24);
    const recovered = JSON.parse(await bash(show));
    expect(recovered).toMatchObject({ status: 'recovered', amount: 42.5, attempt_count: 1 });
    expect(JSON.parse(await bash(analyticsRecord))).toEqual({
      id: expect.stringMatching(/^ana_\w{24}$/),
    });
    await first.printed(
      /\[demo merchant\] webhook verified: retry_result of inv_\w+: recovered 42.5 USD/,
    );
    await first.printed(/webhook verified: end_of_dunning of inv_\w+: recovery ended, recovered/);
    expect((await call(`${first.demoUrl}/received`)).json).toMatchObject([
      { type: 'end_of_dunning', event: { invoice_id: recovered.invoice_id, recovered: true } },
      { type: 'retry_result', event: { invoice_id: recovered.invoice_id, success: true } },
    ]);
    const ended = await first.stop();
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(await findDatabase(first.dataDir)).toBeUndefined();

    const second = await services.start({ dataDir: first.dataDir });
    const kept = ['apiKey', 'merchantId', 'signingSecret', 'operatorToken'] as const;
    for (const name of kept) expect(second[name]).toBe(first[name]);
    expect(await showPayment(recoveryApi(second), recovered.invoice_id)).toEqual(recovered);
    expect((await serviceNow(second)).getTime()).toBeGreaterThan(Date.now() + 0.9 * day);
    await recoverAnother(second);
    expect(await second.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  });

  test('by two at once leaves one of them running', async () => {
    const dataDir = await services.dataDir();
    const starts = await Promise.allSettled([
      services.start({ dataDir }),
      services.start({ dataDir }),
    ]);
    const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []));
    expect(running).toHaveLength(1);
    expect(String(refused[0])).toMatch(/Another Recoup is running .*\[data_dir_in_use\]$/);
    for (const service of running) await recoverAnother(service);
  });
});

/** Pastes the lines of a service that has run before. */
async function recoverAnother(service: Service): Promise<void> {
  for (const line of service.curlLines.slice(0, 2)) await bash(line);
  const shown = JSON.parse(await bash(service.curlLines[2] ?? ''));
  expect(shown).toMatchObject({ status: 'recovered', attempt_count: 1 });
}

/** The settings of a service whose database is another's. */
async function elsewhere(): Promise<Readonly<Record<string, string>>> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return {
    DATABASE_URL: database.connectionString,
    SANDBOX: 'true',
    ENCRYPTION_KEY: 'ab'.repeat(32),
    OPERATOR_TOKEN: 'cd'.repeat(16),
  };
}

describe('a start that cannot succeed', () => {
  test('is refused while another runs on the folder, which goes on', async () => {
    const running = await made.start();
    const { dataDir } = running;
    expectOneLine(await services.run({ dataDir }), 'data_dir_in_use');
    await recoverAnother(running);

    await running.stop();
  });

  const ports = ['RECOVERY', 'DISPUTES', 'OPERATOR', 'DEMO_MERCHANT', 'SANDBOX_PSP'];
  test.each(ports.map((name) => `${name}_PORT`))(
    'names the port when that of %s is taken',
    async (name) => {
      const holder = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void holder.close());
      await once(holder, 'listening');
      const { port } = holder.address() as AddressInfo;
      const dataDir = await services.dataDir();
      // One of them with a server of its own, which has to end; starting it takes most of the time.
      const database = name === 'RECOVERY_PORT' ? {} : await elsewhere();
      const exit = await services.run({ dataDir, env: { ...database, [name]: `${port}` } });
      expectOneLine(exit, 'port_taken');
      expect(exit.stderr).toContain(`${port}`);
      expect(await findDatabase(dataDir)).toBeUndefined();
    },
  );

  test('names every faulty setting, and no secret', async () => {
    const exit = await services.run({
      env: {
        RECOVERY_PORT: '70000',
        DATABASE_POOL: '',
        ATTEMPT_LEASE: '2 minutes\nand more',
        OPERATOR_TOKEN: 'short secret',
        LOG_LEVEL: 'loud',
      },
    });
    expectOneLine(exit, 'config_invalid', 2);
    for (const name of ['RECOVERY_PORT', 'DATABASE_POOL', 'ATTEMPT_LEASE', 'LOG_LEVEL']) {
      expect(exit.stderr).toContain(name);
    }
    expect(exit.stderr).toContain('OPERATOR_TOKEN');
    expect(exit.stderr).not.toContain('short secret');
  });

  test('says when no database answers, without its password', async () => {
    // A port that was free a moment ago.
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const exit = await services.run({
      env: {
        DATABASE_URL: `postgres://recoup:not-for-the-log@127.0.0.1:${port}/recoup`,
        ENCRYPTION_KEY: 'ab'.repeat(32),
        OPERATOR_TOKEN: 'cd'.repeat(16),
      },
    });
    expectOneLine(exit, 'database_refused', 10);
    expect(exit.stderr).not.toContain('not-for-the-log');
  });

  test('says when the folder is a file, or the key is another', async () => {
    const first = await made.start();
    await first.stop();
    const { dataDir } = first;
    await writeFile(join(dataDir, 'file'), '');
    expectOneLine(await services.run({ dataDir: join(dataDir, 'file') }), 'data_dir_unusable');

    const otherKey = { ENCRYPTION_KEY: 'ef'.repeat(32) };
    expectOneLine(await services.run({ dataDir, env: otherKey }), 'encryption_key_wrong');
    await writeFile(join(dataDir, 'encryption-key'), 'half a k');
    expectOneLine(await services.run({ dataDir }), 'data_dir_unusable');
    expect(await findDatabase(dataDir)).toBeUndefined();
  });
});

// PostgreSQL does not run as root, and its own user cannot pass through such a folder.
test.runIf(isRoot)('root starts it in a folder that is closed to all others', async () => {
  const away = '/var/lib/recoup';
  const before = await readdir(away).catch(() => undefined);
  const dataDir = await services.dataDir(0o700);
  onTestFinished(async () => {
    await removeDataDir(dataDir);
    if (before === undefined) await rm(away, { recursive: true, force: true });
  });
  const first = await services.start({ dataDir });
  expect((await lstat(join(dataDir, 'database'))).isSymbolicLink()).toBe(true);
  await recoverAnother(first);
  await first.stop();
  const second = await services.start({ dataDir });
  expect(second.apiKey).toBe(first.apiKey);
  await recoverAnother(second);
  expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });
});
