import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { judgeMonth, monthOf } from '../../src/domain/disputes/monitoring/judge-month.ts';
import { fakeDelivery, fakePayment } from '../kits/fake-operator-api.ts';
import {
  noDisputes,
  type OperatorKit,
  operatorKit,
  operatorToken,
} from '../kits/operator-server.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';
import { openReportDatabase } from '../store/reports/report-database.ts';
import { seedMerchant } from '../store/reports/seed.ts';

let kit: OperatorKit;
let url: string;

beforeEach(async () => {
  kit = operatorKit();
  url = await kit.server.listen({ host: '127.0.0.1', port: 0 });
});

/** Runs `recoup` against the kit's server; words are separated by single blanks. */
function recoup(line: string, more: { stdin?: string } = {}): Promise<CliRun> {
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  return runCli('recoup', line.split(' '), { env, ...more });
}

const create =
  'merchants create --name Acme --psp sandbox --retry-status-url https://a.example/{invoice_id} --webhook-url https://a.example/w';

describe('recoup merchants', () => {
  it('creates, lists, shows and changes one', async () => {
    const created = await recoup(`${create} --window-days 14 --fixed-days 1,3,9 --end-of-dunning`);
    expect(created.stderr).toBe('');
    expect(created.code).toBe(0);
    expect(created.stdout).toContain(
      'Shown this once; keep them:\nrecovery_api_key   rk_test_first\n',
    );
    expect(kit.api.inputs[0]).toMatchObject({
      name: 'Acme',
      psps: [{ psp: 'sandbox', credentials: {} }],
      policy: { kind: 'fixed', windowDays: 14, maxAttempts: 8, fixedDays: [1, 3, 9] },
      endOfDunning: true,
    });

    const listed = await recoup('merchants list');
    expect(listed.stdout).toMatch(/^MERCHANT {2}NAME {2}PSPS {5}POLICY .* CREATED\n/);
    expect(listed.stdout).toContain(
      'mer_1     Acme  sandbox  fixed (days 1, 3, 9), 8 tries in 14 days  2026',
    );

    const changed = await recoup('merchants update mer_1 --max-attempts 4 --no-end-of-dunning');
    expect(changed.code).toBe(0);
    expect(kit.api.inputs[1]).toMatchObject({ policy: { maxAttempts: 4 }, endOfDunning: false });
    expect(kit.api.inputs[1]).not.toHaveProperty('name');

    const shown = await recoup('merchants show mer_1 --json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'mer_1', policy: { max_attempts: 4 } });
  });

  it('reads secrets from standard input, and lets options win', async () => {
    const stdin = JSON.stringify({
      name: 'From the file',
      retry_status_url: 'https://a.example/{invoice_id}',
      webhook_url: 'https://a.example/w',
      auth: { type: 'api_key', api_key: 'hunter2' },
      psps: [{ psp: 'stripe', secret_key: 'sk_hunter2' }],
      policy: { window_days: 10, max_attempts: 3 },
    });
    const run = await recoup('merchants create --from - --name Option --max-attempts 5', { stdin });
    expect(run.code).toBe(0);
    expect(kit.api.inputs[0]).toMatchObject({
      name: 'Option',
      auth: { type: 'api_key', api_key: 'hunter2' },
      psps: [{ psp: 'stripe', credentials: { secret_key: 'sk_hunter2' } }],
      policy: { windowDays: 10, maxAttempts: 5 },
    });
    expect(run.stdout).not.toContain('hunter2');
  });

  it.each([
    ['{"name":"hunter2"', 'recoup: The file does not hold one JSON object.\n'],
    ['["hunter2"]', 'recoup: The file does not hold one JSON object.\n'],
  ])('refuses %j as a file without repeating it', async (stdin, stderr) => {
    expect(await recoup('merchants create --from -', { stdin })).toEqual({
      code: 2,
      stdout: '',
      stderr,
    });
  });

  it('says in one line which fields are at fault', async () => {
    expect(
      await recoup('merchants create --name Acme --webhook-url nowhere --psp sandbox'),
    ).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'recoup: The request is not valid: retry_status_url: Field required. [invalid_request]\n',
    });
  });
});

describe('recoup credentials', () => {
  it('issues, rotates, lists and revokes', async () => {
    await recoup(create);
    const issued = await recoup('credentials issue mer_1 recovery_api_key');
    expect(issued.stdout).toContain('Shown this once; keep it:\nrk_test_secret_of_cred_2\n');
    const rotated = await recoup('credentials rotate mer_1 signing_secret --overlap P2D --json');
    expect(JSON.parse(rotated.stdout)).toMatchObject({ id: 'cred_3', kind: 'signing_secret' });
    expect(kit.api.calls.at(-1)?.input).toMatchObject({ overlapMs: 2 * 86_400_000 });
    const revoked = await recoup('credentials revoke mer_1 cred_2');
    expect(revoked).toEqual({ code: 0, stdout: 'cred_2 is revoked.\n', stderr: '' });
    const listed = await recoup('credentials list mer_1');
    expect(listed.stdout).toMatch(
      /^CREDENTIAL {2}KIND .*\ncred_2 .* revoked 2026-03-01 09:30:00Z\n/,
    );
    expect(listed.stdout).not.toContain('rk_test_secret');
  });
});

describe('recoup payments', () => {
  beforeEach(() => {
    kit.api.payments.set('mer_1', [
      fakePayment('in/1', 'scheduled'),
      fakePayment('in_2', 'stopped'),
    ]);
  });

  it('lists them, the money first', async () => {
    const run = await recoup('payments list --status scheduled --search cus_82');
    expect(run.stdout.split('\n')[1]).toMatch(/^42\.00 USD {2}scheduled {2}in\/1 {5}cus_82/);
    expect(kit.api.calls.at(-1)?.input).toMatchObject({ status: 'scheduled', search: 'cus_82' });
  });

  it('tells one as a story', async () => {
    const run = await recoup('payments show mer_1 in/1');
    expect(run.stdout).toContain("because      the fixed schedule's next time\n");
    expect(run.stdout).toMatch(
      / 1 {2}2026-03-02 09:30:00Z {2}declined {2}pm_1 {4}ch_2 .* later \(51\)/,
    );
    expect(run.stdout).toContain('evt_1  retry_result  pending');
  });

  it('shows what a network’s rule refused, and until when', async () => {
    const payment = fakePayment('in_3', 'scheduled');
    const refusal = {
      payment_method_id: 'pm_2',
      rule: 'visa.reattempts_30d',
      until: '2026-03-20T09:30:00.000Z',
    };
    const attempts = payment.attempts.map((attempt) => ({
      ...attempt,
      blockedCharges: [refusal],
    }));
    kit.api.payments.set('mer_1', [{ ...payment, attempts }]);
    const run = await recoup('payments show mer_1 in_3');
    expect(run.stdout).toMatch(
      / 1 {2}2026-03-02 09:30:00Z {2}blocked {3}pm_2 .* visa\.reattempts_30d until 2026-03-20 09:30:00Z/,
    );
  });

  it('retries, and says why not', async () => {
    const tried = await recoup('payments retry mer_1 in/1 --at 2026-03-02T06:00:00Z');
    expect(tried.stdout).toBe('It is tried at 2026-03-02 06:00:00Z.\n');
    expect(await recoup('payments retry mer_1 in_2')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'recoup: The payment is already stopped. Read the present state and decide again. [conflict]\n',
    });
  });

  it('stops one', async () => {
    const run = await recoup('payments stop mer_1 in/1 --reason asked');
    expect(run.stdout).toBe('It is stopped; nothing is charged after this.\n');
    expect(kit.api.calls.at(-1)?.input).toMatchObject({ reason: 'asked' });
  });

  it('lets no text of others reach the terminal as commands', async () => {
    const payment = { ...fakePayment('in_3', 'stopped'), stopDetail: '\u001b[2J\u202eevil' };
    kit.api.payments.set('mer_1', [payment]);
    const run = await recoup('payments show mer_1 in_3');
    expect(run.stdout).toContain('stopped because  ?[2J?evil\n');
    expect(run.stdout).not.toContain('\u001b');
  });
});

describe('recoup deliveries', () => {
  beforeEach(async () => {
    await recoup(create);
    kit.api.deliveries.set('mer_1', [fakeDelivery('evt_1', 'exhausted')]);
  });

  it('lists and replays', async () => {
    const listed = await recoup('deliveries list mer_1 --status exhausted');
    expect(listed.stdout.split('\n')[1]).toContain('exhausted      1  The server answered 500.');
    expect((await recoup('deliveries replay mer_1 evt_1')).stdout).toBe('evt_1 is queued.\n');
    const all = await recoup('deliveries replay-exhausted mer_1 --since 2026-03-01T00:00:00Z');
    expect(all.stdout).toBe('Queued: 1.\n');
    const looks = [3, 1, 0];
    kit.api.countExhausted = async (input) => {
      kit.api.calls.push({ name: 'countExhausted', input });
      return { exhausted: 0, waiting: looks.shift() ?? 0, failing: 2 };
    };
    const waited = await recoup(
      'deliveries replay-exhausted mer_1 --since 2026-03-01T00:00:00Z --wait',
    );
    expect(waited.stdout).toMatch(/^Sent again: 1\. Not taken: 2 of that time; each is sent again/);
    expect(looks).toEqual([]);
    expect(kit.api.calls.at(-1)?.input).toMatchObject({ until: expect.any(Date) });
  });
});

describe('recoup dispute-ratios and recovery', () => {
  it('show an estimate for each programme, and what is left of a recovery', async () => {
    const month = monthOf('2026-06') ?? expect.fail('a month');
    const visa = { settled: 10_000, settledBefore: 0, fraudReports: 1_500, disputes: 10 };
    const mastercard = { settled: 0, settledBefore: 4_000, fraudReports: 0, disputes: 50 };
    const verdicts = judgeMonth({ visa, mastercard }, month, new Date('2026-06-11T00:00:00Z'));
    const unknown = { unknownDisputes: 0, unknownSettled: 0 };
    const counted = { recoveredCount: 5, openCount: 1, lostCount: 2 };
    const money = { recoveredMinor: 5_000, openMinor: 700, lostMinor: 1_100 };
    const { server } = operatorKit({
      disputes: {
        ...noDisputes,
        ratios: async () => [{ merchantId: 'mer_1', visa, mastercard, ...unknown, verdicts }],
        netRecovery: async () => [{ merchantId: 'mer_1', currency: 'EUR', ...money, ...counted }],
      },
    });
    url = await server.listen({ host: '127.0.0.1', port: 0 });
    const ratios = await recoup('dispute-ratios --month 2026-06 --merchant mer_1');
    expect(ratios.stdout).toMatch(/visa_vamp +1510 +10000 +15\.10 % +1500, 1\.50 % +reached/);
    expect(ratios.stdout).toMatch(/mastercard_ecm +50 +4000 +1\.25 % +100, 1\.50 % +10\n/);
    const recovery = await recoup('recovery');
    expect(recovery.stdout).toMatch(/mer_1 +50\.00 EUR +5 +7\.00 EUR +11\.00 EUR +39\.00 EUR/);
  });
});

describe('recoup fees', () => {
  it('sums what was charged and what was avoided', async () => {
    const db = await openReportDatabase();
    onTestFinished(() => db.close());
    await seedMerchant(db, 'mer_1');
    for (const day of ['2026-02-01', '2026-03-01', '2026-03-02', '2026-03-03']) {
      await db.pool.query(
        `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros,
           currency, at)
         values ('mer_1', $1, 'mastercard.advice_never', 'avoided', 'mastercard', 30000, 'USD', $2)`,
        [day, `${day}T00:00:00Z`],
      );
    }
    const { server } = operatorKit({ db, api: kit.api });
    url = await server.listen({ host: '127.0.0.1', port: 0 });
    await recoup(create);
    const run = await recoup('fees mer_1 --from 2026-03-01T00:00:00Z');
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^NETWORK {5}RULE .* EXPECTED {2}TIMES {3}AVOIDED {2}TIMES\n/);
    expect(run.stdout).toMatch(/mastercard\.advice_never {2}0\.00 USD {6}0 {2}0\.09 USD {6}3\n/);
    const json = await recoup('fees mer_1 --json');
    expect(JSON.parse(json.stdout).items).toMatchObject([{ avoided: 0.12, avoided_count: 4 }]);
  });
});

describe('recoup clock', () => {
  it('shows and moves the time', async () => {
    expect((await recoup('clock show')).stdout).toBe('It is 2026-03-01 09:30:00Z.\n');
    expect((await recoup('clock advance P1D')).stdout).toBe(
      'It is 2026-03-02 09:30:00Z, after 3 jumps.\n',
    );
    const moved = await recoup('clock to 2026-04-01T00:00:00Z --json');
    expect(JSON.parse(moved.stdout)).toMatchObject({ now: '2026-04-01T00:00:00.000Z', jumps: 3 });
  });
});

describe('recoup status and invariants', () => {
  it('end well while all is well', async () => {
    expect(await recoup('status')).toEqual({
      code: 0,
      stdout: `service     ${url}\nready       yes\ninvariants  2 of 2 hold\n`,
      stderr: '',
    });
    expect((await recoup('invariants')).code).toBe(0);
  });

  it('end with 1 when a promise is broken', async () => {
    kit.api.breaches = 2;
    for (const command of ['status', 'invariants']) {
      const run = await recoup(command);
      expect([run.code, run.stderr]).toEqual([1, 'recoup: Broken: one_success_per_invoice.\n']);
    }
  });
});

describe('exit codes', () => {
  it.each([
    ['nonsense', "recoup: unknown command 'nonsense'. See recoup --help.\n"],
    ['clock advance', "recoup: missing required argument 'duration'. See recoup --help.\n"],
    ['status --loud', "recoup: unknown option '--loud'. See recoup --help.\n"],
    [
      'merchants list --limit ten',
      "recoup: option '--limit <n>' argument 'ten' is invalid. It must be a whole number. See recoup --help.\n",
    ],
    [
      'merchants update mer_1 --fixed-days 1;2',
      "recoup: option '--fixed-days <days>' argument '1;2' is invalid. It must be days separated by commas, such as 7,14,21,28. See recoup --help.\n",
    ],
    [
      'merchants create --from /no/such/file',
      'recoup: The file /no/such/file cannot be read (ENOENT).\n',
    ],
  ])('2 for the wrong usage %j', async (line, stderr) => {
    expect(await recoup(line)).toEqual({ code: 2, stdout: '', stderr });
    expect(kit.api.calls).toEqual([]);
  });

  it('2 with the help when no command is given', async () => {
    const run = await runCli('recoup', []);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3');
  });

  it('2 for a faulty setting', async () => {
    const run = await runCli('recoup', ['status'], { env: { OPERATOR_URL: 'nonsense' } });
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(
      /^recoup: OPERATOR_URL is "nonsense" but must be a URL .*\[config_invalid\]\n$/,
    );
  });

  it('0 for help, which shows examples', async () => {
    for (const args of [['--help'], ['clock', '--help'], ['payments', '--help']]) {
      const run = await runCli('recoup', args);
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect(run.stdout).toContain('Examples:\n  $ recoup ');
    }
  });

  it('1 for a wrong token, and where to look when there is none', async () => {
    const env = { OPERATOR_URL: url, DATA_DIR: '/no/such/folder' };
    const wrong = await runCli('recoup', ['merchants', 'list'], {
      env: { ...env, OPERATOR_TOKEN: 'another-token-of-someone' },
    });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'recoup: The operator token is missing or wrong. Send the OPERATOR_TOKEN of the service as Authorization: Bearer; where nobody set one, it is in the file operator-token of its data folder. [operator_unauthorized]\n',
    ]);
    const none = await runCli('recoup', ['merchants', 'list'], { env });
    expect(none.stderr).toContain('No token was found; see recoup --help. [operator_unauthorized]');
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:1'],
    ['::', 'http://[::1]:1'],
    ['::1', 'http://[::1]:1'],
    ['localhost', 'http://localhost:1'],
  ])('3, and looks for a service that binds to %s at %s', async (host, address) => {
    const env = { HOST: host, OPERATOR_PORT: '1', OPERATOR_TOKEN: operatorToken };
    const run = await runCli('recoup', ['status'], { env });
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`did not answer at ${address} (`);
  });

  it('3 when nothing answers', async () => {
    await kit.server.close();
    const run = await recoup('merchants list');
    expect([run.code, run.stdout]).toEqual([3, '']);
    expect(run.stderr).toBe(
      `recoup: The service did not answer at ${url} (ECONNREFUSED). Start it with npm start, or set OPERATOR_URL and OPERATOR_TOKEN. [service_unreachable]\n`,
    );
  });

  it.each([
    [200, '<html>'],
    [200, '{"status":"up"}'],
    [404, '{"message":"Method/Path combination not found."}'],
    [302, ''],
  ])('3 when something else answers (%i %j)', async (status, body) => {
    const other = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const env = { OPERATOR_URL: `http://127.0.0.1:${address.port}` };
    const run = await runCli('recoup', ['status'], { env });
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`is not Recoup's operator API (status ${status}).`);
  });
});

it('finds the token that the service keeps in its data folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'recoup-cli-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await writeFile(join(dataDir, 'operator-token'), `${operatorToken}\n`);
  const env = { OPERATOR_PORT: new URL(url).port, DATA_DIR: dataDir };
  const run = await runCli('recoup', ['merchants', 'list'], { env });
  expect(run.stdout).toBe(
    'There are no merchants yet. recoup merchants create --help shows how to create one.\n',
  );
  expect(run.code).toBe(0);
});
