import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { write } from 'node:fs';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SandboxLedger } from '../../../src/psp/sandbox/server/ledger.ts';
import { openLedgerFile } from '../../../src/psp/sandbox/server/ledger-file.ts';
import { createSandboxServer } from '../../../src/psp/sandbox/server/sandbox-server.ts';
import {
  apiKey,
  call,
  charge,
  clock,
  folder,
  gatewayTo,
  ledgerText,
  random,
  sandbox,
} from './sandbox-kit.ts';

it('remembers charges, keys and tries over a restart', async () => {
  const ledgerDir = await folder();
  const third = { payment_method: 'pm_sandbox_success_after_3', token: { id: 'tok_1' } };
  const before = await sandbox({ ledgerDir });
  const first = await charge(before.url, third, 'key-a');
  await charge(before.url, third, 'key-b');
  await before.close();

  const after = await sandbox({ ledgerDir });
  const again = await charge(after.url, third, 'key-a');
  expect(again).toMatchObject({ status: 402, headers: { 'idempotent-replayed': 'true' } });
  expect(again.body).toEqual(first.body);
  expect(await charge(after.url, third, 'key-c')).toMatchObject({ status: 200 });
  expect((await call(after.url, 'GET', '/v1/charges')).body.data).toHaveLength(3);
});

it('holds every answered charge after a kill -9', async () => {
  const ledgerDir = await folder();
  const answered: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const script = join(import.meta.dirname, 'ledger-process.ts');
    const child = spawn(process.execPath, [script, ledgerDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(child.stdout, 'data');
    const gateway = gatewayTo(String(line).trim(), { connections: 16 });
    let running = true;
    const charging = Array.from({ length: 16 }, async (_, lane) => {
      for (let at = 0; running; at += 1) {
        const key = `${round}-${lane}-${at}`;
        const result = await gateway.charge({
          merchantId: 'mer_1',
          invoiceId: key,
          idempotencyKey: key,
          amountMinor: 100,
          currency: 'USD',
          paymentMethodId: 'pm_sandbox_success',
        });
        if (result.kind === 'succeeded') answered.push(key);
        else running = false;
        if (answered.length >= 300 * (round + 1)) child.kill('SIGKILL');
      }
    });
    await Promise.all(charging);
  }
  const { charges, sink } = await openLedgerFile(ledgerDir);
  onTestFinished(() => sink.close());
  const kept = charges.map((item) => item.idempotency_key);
  expect(new Set(kept).size).toBe(kept.length);
  expect(answered.length).toBeGreaterThanOrEqual(900);
  expect(answered.filter((key) => !kept.includes(key))).toEqual([]);
});

it('cuts a torn last line off and goes on', async () => {
  const ledgerDir = await folder();
  const before = await sandbox({ ledgerDir });
  await charge(before.url, { invoice: 'in_1' });
  await before.close();
  await appendFile(join(ledgerDir, 'charges.ndjson'), '{"id":"ch_sandbox_torn","mer');

  const after = await sandbox({ ledgerDir });
  await charge(after.url, { invoice: 'in_2' });
  await after.close();
  const lines = (await ledgerText(ledgerDir)).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).invoice)).toEqual(['in_1', 'in_2']);
});

it.each(['oops', '{}', 'null', '[1]', '{"id":7}', ''])(
  'refuses a ledger with the line %j in it',
  async (line) => {
    const ledgerDir = await folder();
    await writeFile(join(ledgerDir, 'charges.ndjson'), `${line}\n`);
    await expect(sandbox({ ledgerDir })).rejects.toMatchObject({
      code: 'data_dir_unusable',
      detail: expect.stringContaining('Line 1'),
    });
  },
);

it('refuses a folder that is a file', async () => {
  const path = join(await folder(), 'taken');
  await writeFile(path, '');
  await expect(sandbox({ ledgerDir: path })).rejects.toMatchObject({ code: 'data_dir_unusable' });
});

it('keeps the ledger for its owner alone', async () => {
  const ledgerDir = await folder();
  await sandbox({ ledgerDir });
  const { mode } = await stat(join(ledgerDir, 'charges.ndjson'));
  expect(mode & 0o077).toBe(0);
});

it("keeps no card verification number and nobody's address", async () => {
  const ledgerDir = await folder();
  const { url } = await sandbox({ ledgerDir });
  const answer = await charge(url, {
    token: { id: 'tok_1', expiration_month: '04', card_validation_number: '4711' },
    billing_address: { zip: '94107', name: 'Canary Doe' },
  });
  const kept = { id: 'tok_1', expiration_month: '04', card_code_given: true };
  expect(answer.body).toMatchObject({ token: kept, billing_address_fields: ['name', 'zip'] });
  const text = await ledgerText(ledgerDir);
  expect(text).toContain('tok_1');
  expect(text).not.toMatch(/4711|Canary|94107/);
  expect(JSON.stringify(answer.body)).not.toMatch(/4711|Canary|94107/);
});

it('answers nothing for certain once its ledger cannot be written', async () => {
  const logged: string[] = [];
  const full = new Error('ENOSPC');
  const ledger = new SandboxLedger({
    append: () => Promise.reject(full),
    settled: () => Promise.reject(full),
    close: () => Promise.resolve(),
  });
  const log = { error: (_fields: object, message: string) => void logged.push(message) };
  const server = createSandboxServer({ clock, random, ledger, apiKey, log });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const gateway = gatewayTo(`http://127.0.0.1:${port}`);
  const request = {
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    idempotencyKey: 'key-a',
    amountMinor: 100,
    currency: 'USD',
    paymentMethodId: 'pm_sandbox_success',
  };
  const result = await gateway.charge(request);
  expect(result).toMatchObject({ kind: 'unknown' });
  expect(await gateway.lookUp({ ...request, sentAt: new Date() })).toMatchObject({
    kind: 'unknown',
  });
  expect(logged).toEqual(Array(2).fill('The sandbox PSP could not answer.'));
});

it('keeps the order of lines that come at once', async () => {
  const ledgerDir = await folder();
  const { sink } = await openLedgerFile(ledgerDir);
  const lines = Array.from({ length: 1_000 }, (_, at) => `${at}\n`);
  await Promise.all(lines.map((line) => sink.append(line)));
  expect(await readFile(join(ledgerDir, 'charges.ndjson'), 'utf8')).toBe(lines.join(''));
  await sink.settled();
  await sink.close();
});

/** Writes that a full disk takes some of, or nothing. */
function fullDisk() {
  const disk = { isFull: true, refused: Promise.withResolvers<void>() };
  const put = promisify(write);
  const writeSome = async (fd: number, bytes: Buffer) => {
    if (!disk.isFull) return (await put(fd, bytes)).bytesWritten;
    if (bytes.length > 6) return (await put(fd, bytes.subarray(0, 2))).bytesWritten;
    disk.refused.resolve();
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  return { disk, writeSome };
}

it('waits for room on a full disk, and then holds each line whole and once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ledgerDir = await folder();
  const { disk, writeSome } = fullDisk();
  const { sink } = await openLedgerFile(ledgerDir, writeSome);
  const kept = [sink.append('one 1\n'), sink.append('two\n')];
  await disk.refused.promise;
  expect(await ledgerText(ledgerDir)).toBe('one ');
  kept.push(sink.append('three\n'));
  disk.isFull = false;
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(kept);
  expect(await ledgerText(ledgerDir)).toBe('one 1\ntwo\nthree\n');
  await sink.close();
});

it('gives up what waits for room when it is closed', async () => {
  const ledgerDir = await folder();
  const { disk, writeSome } = fullDisk();
  const { sink } = await openLedgerFile(ledgerDir, writeSome);
  const kept = expect(sink.append('one\n')).rejects.toThrow('no space left');
  await disk.refused.promise;
  await sink.close();
  await kept;
  expect(await ledgerText(ledgerDir)).toBe('');
});

it('rejects every line after a write that failed', async () => {
  const ledgerDir = await folder();
  const { sink } = await openLedgerFile(ledgerDir);
  await sink.append('one\n');
  await sink.close();
  await expect(sink.append('two\n')).rejects.toThrow('"fd"');
  await expect(sink.append('three\n')).rejects.toThrow('"fd"');
  await expect(sink.settled()).rejects.toThrow('"fd"');
  expect(await ledgerText(ledgerDir)).toBe('one\n');
});
