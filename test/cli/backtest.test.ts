import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../kits/run-cli.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recoup-backtest-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function backtest(text: string, args: readonly string[] = []) {
  const path = join(folder, 'history');
  await writeFile(path, text);
  return await runCli('recoup', ['backtest', path, '--windows', '28', '--tries', '4', ...args]);
}

const stripe = [
  'id,Created date (UTC),Amount,Currency,Decline Reason,Status,Customer ID,Invoice ID,Description',
  ...Array.from({ length: 60 }, (_, at) => [
    `ch_${at}a,2026-03-0${1 + (at % 9)} 10:00:00,20.00,usd,insufficient_funds,Failed,cus_${at},in_${at},"a, ""b""\nc"`,
    `ch_${at}b,2026-03-1${at % 9} 10:00:00,20.00,usd,,${at % 3 === 0 ? 'Paid' : 'Failed'},cus_${at},in_${at},x`,
  ]).flat(),
  'ch_x,soon,20.00,usd,,Paid,cus_x,in_x,x',
  'ch_y,2026-03-01 10:00:00,20.00',
].join('\r\n');

describe('recoup backtest', () => {
  it("reads Stripe's export, tells of bad rows by line, and refuses what cannot be claimed", async () => {
    const { code, stdout, stderr } = await backtest(stripe, ['--policies', 'every_3,every_7']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Read as stripe csv: 120 attempts, 2 bad rows\.\n/);
    expect(stdout).toContain('  line 182: the time is not ISO 8601 or Unix time from 2000 to 2100');
    expect(stdout).toContain('  line 183: it has 3 fields, and the header 9');
    expect(stdout).toMatch(/60 recoveries with 60 tries/);
    expect(stdout).toMatch(/\nWarning: the history gives no propensities/);
    expect(stdout).toMatch(/\nWOULD HAVE DONE +DECISIONS +TRIES AGAIN/);
    expect(stdout).toMatch(
      /every_7, next try: There are \d+ decisions; at least 100 are asked for/,
    );
  });

  it('reads charge objects in lines, and prints all as JSON', async () => {
    const lines = [0, 3].map((day) =>
      JSON.stringify({
        object: 'charge',
        id: `ch_${day}`,
        invoice: 'in_1',
        customer: 'cus_1',
        created: 1_772_359_200 + day * 86_400,
        amount: 2_000,
        currency: 'usd',
        status: 'failed',
        outcome: { network_decline_code: '51', reason: 'insufficient_funds' },
        payment_method_details: { card: { brand: 'visa', funding: 'debit' } },
      }),
    );
    const text = [...lines, '{"object":', '[]'].join('\n');
    const { code, stdout } = await backtest(text, ['--json', '--policies', 'daily']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: {
        shape: 'stripe',
        format: 'ndjson',
        rows: 2,
        badRows: 2,
        reasons: { 'it is not a JSON object': 2 },
        firstFaults: [{ line: 3 }, { line: 4 }],
      },
      counts: { failures: 1, tries: 1 },
      runs: [{ windowDays: 28, maxAttempts: 4, policies: [{ policy: 'daily', wouldTry: 2 }] }],
    });
  });

  const header = 'attempt_id,invoice_id,customer_id,occurred_at,amount,currency,outcome\n';
  it.each([
    ['', [], 1, 'has no rows'],
    [`${header}a,b,c,d,e,f,g`, [], 1, 'has no usable row. Line 2: the time is not'],
    [`${header}a,b,c,2026-01-01,1,USD,paid`, [], 1, 'No invoice in it begins with a declined'],
    ['attempt_id,amount\n1,2', [], 2, 'read as generic, lacks columns: invoice_id or payment_id;'],
    [header, ['--shape', 'xml'], 2, '--shape must be stripe, generic or auto.'],
    [header, ['--policies', 'best'], 2, '--policies takes daily,'],
    [header, ['--windows', '0'], 2, '--windows takes whole numbers from 1 to 60.'],
  ])('ends %j with %j by saying why', async (text, args, exitCode, words) => {
    const { code, stderr } = await backtest(text, args);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(words)]);
  });

  it('says that a file cannot be read', async () => {
    const { code, stderr } = await runCli('recoup', ['backtest', join(folder, 'nothing.csv')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read (ENOENT)')]);
  });
});
