import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { networkRules } from '../../src/domain/network-rules/rules.ts';
import { createReplayStore } from '../../src/store/replays/replay-store.ts';
import { makeStatements } from '../../src/store/statements/make-statements.ts';
import { seedDecidedDisputes } from '../kits/dashboard-world/seed-decided-disputes.ts';
import { disputedAt, disputeOf } from '../kits/dispute-cases.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { pdfText } from '../kits/pdf-text.ts';
import { putMove } from '../kits/put-move.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

let service: OperatorService;
let url: string;

beforeEach(async () => {
  service = await operatorService();
  url = await service.server.listen({ host: '127.0.0.1', port: 0 });
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
    expect([created.code, created.stderr]).toEqual([0, '']);
    expect(created.stdout).toMatch(
      /Shown this once; keep them:\nrecovery_api_key {3}rk_test_\S+\n/,
    );
    const [id = ''] = /mer_[0-9a-z]{24}/.exec(created.stdout) ?? [];

    const listed = await recoup('merchants list');
    expect(listed.stdout).toMatch(/^MERCHANT +NAME {2}PSPS {5}POLICY .* CREATED\n/);
    expect(listed.stdout).toContain(
      `${id}  Acme  sandbox  fixed (days 1, 3, 9), 8 tries in 14 days  2026`,
    );

    const changed = await recoup(`merchants update ${id} --max-attempts 4 --no-end-of-dunning`);
    expect(changed.code).toBe(0);
    const shown = await recoup(`merchants show ${id} --json`);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      id,
      name: 'Acme',
      psps: [{ psp: 'sandbox' }],
      policy: { kind: 'fixed', window_days: 14, max_attempts: 4, fixed_days: [1, 3, 9] },
      end_of_dunning: false,
    });
  });

  it('says of one that it is in another cell, or on its way there', async () => {
    const id = await service.merchant();
    expect((await recoup(`merchants show ${id}`)).stdout).not.toContain('cell');
    await putMove(service.db, id, 'draining');
    expect((await recoup('merchants list')).stdout).toContain(`${id}  Acme (moving)  `);
    await putMove(service.db, id, 'moved');
    expect((await recoup('merchants list')).stdout).toContain(`${id}  Acme (moved)  `);
    const shown = await recoup(`merchants show ${id}`);
    expect(shown.stdout).toMatch(/\ncell {22}moved to cell_2, since 2026-03-01 08:10:00Z\n/);
    const changed = await recoup(`merchants update ${id} --name Other`);
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringContaining('It has moved to cell_2. Send the request there'),
    ]);
  });

  it('reads secrets from standard input, and lets options win', async () => {
    const stdin = JSON.stringify({
      name: 'From the file',
      retry_status_url: 'https://a.example/{invoice_id}',
      webhook_url: 'https://a.example/w',
      auth: { type: 'api_key', api_key: 'hunter2' },
      psps: [{ psp: 'stripe', secret_key: 'sk_hunter2', webhook_secret: 'wh_hunter2' }],
      policy: { window_days: 10, max_attempts: 3 },
    });
    const run = await recoup('merchants create --from - --name Option --max-attempts 5', { stdin });
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).not.toContain('hunter2');
    expect((await service.ask('GET', '/api/merchants')).json.items).toMatchObject([
      {
        name: 'Option',
        auth: { type: 'api_key' },
        psps: [{ psp: 'stripe' }],
        policy: { window_days: 10, max_attempts: 5 },
      },
    ]);
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

describe('recoup merchants portal-link', () => {
  it('creates a link for as long as is said, and revokes all', async () => {
    const merchantId = await service.merchant();
    const link = await recoup(
      `merchants portal-link ${merchantId} --valid-for 3600 --embed-origin https://app.example.com`,
    );
    expect(link.stdout).toMatch(/\/portal\/plk_[0-9a-z]{24}#portal_test_[0-9a-z]{45}\n$/);
    const [, ends = ''] = /ends +(\S+ \S+Z)/.exec(link.stdout) ?? [];
    const leftMs = new Date(ends).getTime() - service.clock.at.getTime();
    expect(Math.round(leftMs / 60_000)).toBe(60);
    const revoked = await recoup(`merchants revoke-portal-links ${merchantId}`);
    expect(revoked).toEqual({ code: 0, stdout: 'Revoked: 1.\n', stderr: '' });
    const wrong = await recoup(`merchants portal-link ${merchantId} --valid-for 5`);
    expect(wrong.code).toBe(2);
  });
});

describe('recoup credentials', () => {
  it('issues, rotates, lists and revokes', async () => {
    const merchantId = await service.merchant();
    service.clock.at = new Date('2026-03-01T09:31:00Z');
    const issued = await recoup(`credentials issue ${merchantId} recovery_api_key`);
    expect(issued.stdout).toMatch(/Shown this once; keep it:\nrk_test_\S+\n/);
    const rotating = `credentials rotate ${merchantId} signing_secret --overlap P2D --json`;
    const rotated = JSON.parse((await recoup(rotating)).stdout);
    expect(rotated).toMatchObject({ kind: 'signing_secret' });
    const [id = ''] = /cred_[0-9a-z]{24}/.exec(issued.stdout) ?? [];
    const revoked = await recoup(`credentials revoke ${merchantId} ${id}`);
    expect(revoked).toEqual({ code: 0, stdout: `${id} is revoked.\n`, stderr: '' });
    const listed = await recoup(`credentials list ${merchantId}`);
    expect(listed.stdout).toMatch(/^CREDENTIAL +KIND /);
    expect(listed.stdout).toMatch(new RegExp(`\n${id} .* revoked 2026-03-01 09:31:00Z\n`));
    expect(listed.stdout).toMatch(/ signing_secret .*2026-03-03 09:31:00Z/);
    const [text = ''] = /rk_test_\S+/.exec(issued.stdout) ?? [];
    expect(listed.stdout).not.toContain(text);
  });
});

describe('recoup payments', () => {
  let merchantId: string;
  beforeEach(async () => {
    merchantId = await service.merchant();
  });
  const seed = (invoiceId: string, columns: object = {}) =>
    seedPayment(service.db, {
      merchantId,
      invoiceId,
      amount_minor: 4_200,
      currency: 'USD',
      decision: { kind: 'attempt', because: "the fixed schedule's next time" },
      first_decline: { category: 'later', code: '51' },
      ...columns,
    });
  const declined = async (invoiceId: string) => {
    const told = { number: 1, state: 'declined', sequence: 3, delivery: 'pending' } as const;
    await seedAttempt(service.db, { merchantId, invoiceId, ...told });
  };

  it('lists them, the money first', async () => {
    await seed('in/1');
    await seed('in_2', { state: 'stopped', stop_reason: 'merchant_stop' });
    const run = await recoup('payments list --status scheduled --search cus_of_in/1');
    expect(run.stdout.split('\n')[1]).toMatch(/^42\.00 USD {2}scheduled {2}in\/1 {5}cus_of_in\/1/);
  });

  it('lists those that only their customer can move, in those words', async () => {
    await seed('in/1');
    await seed('in_2', { due_action: 'expire' });
    const run = await recoup('payments list --waiting-for customer');
    expect(run.stdout.split('\n').slice(1).join()).toMatch(/waiting for the customer {2}in_2/);
    expect(run.stdout).not.toContain('in/1');
  });

  it('names those that are tried no more until a person decides', async () => {
    await seed('in_1', { next_attempt_at: null, frozen_at: new Date() });
    await seed('in_2', {
      next_attempt_at: null,
      set_aside_at: new Date(),
      set_aside_reason: 'down',
    });
    const { stdout } = await recoup('payments list');
    expect(stdout).toMatch(/frozen by an incident {2}in_1/);
    expect(stdout).toMatch(/set aside {2,}in_2/);
    await seed('in_3');
    const held = await recoup('payments list --held-by any');
    expect(held.stdout).toContain('in_1');
    expect(held.stdout).toContain('in_2');
    expect(held.stdout).not.toContain('in_3');
    const counted = await recoup(`payments bulk retry ${merchantId} --held-by set_aside --preview`);
    expect(counted.stdout).toBe('Payments of these filters: 1.\n');
  });

  it('tells one as a story', async () => {
    await seed('in/1');
    await declined('in/1');
    await service.db.pool.query(`update psp_transactions set decline = $1`, [
      { category: 'later', code: '51', networkCode: '51', waitMs: 86_400_000, sources: [] },
    ]);
    const run = await recoup(`payments show ${merchantId} in/1`);
    expect(run.stdout).toContain("because      the fixed schedule's next time\n");
    expect(run.stdout).toMatch(
      / 1 {2}2026-03-01 00:01:00Z {2}declined {2}pm_1 +ch_att_in\/1_1 .* later \(51\)/,
    );
    expect(run.stdout).toContain('evt_att_in/1_1  retry_result  pending');
  });

  it('shows what a network’s rule refused, and until when', async () => {
    await seed('in_3');
    await declined('in_3');
    const refusal = {
      payment_method_id: 'pm_2',
      rule: 'visa.reattempts_30d',
      until: '2026-03-20T09:30:00.000Z',
    };
    await service.db.pool.query(`update attempts set blocked_charges = $1`, [
      JSON.stringify([refusal]),
    ]);
    const run = await recoup(`payments show ${merchantId} in_3`);
    expect(run.stdout).toMatch(
      / 1 {2}2026-03-01 00:01:00Z {2}blocked {3}pm_2 .* visa\.reattempts_30d until 2026-03-20 09:30:00Z/,
    );
  });

  it('shows why a charge was not made', async () => {
    await seed('in_9');
    await declined('in_9');
    await service.db.pool.query(
      `update psp_transactions
       set state = 'not_made', decline = null, hard_decline = null, reason = 'HTTP 404: resource_missing'
       where invoice_id = 'in_9'`,
    );
    const run = await recoup(`payments show ${merchantId} in_9`);
    expect(run.stdout).toMatch(
      / 1 {2}2026-03-01 00:01:00Z {2}not_made {2}pm_1 .* HTTP 404: resource_missing/,
    );
  });

  it('retries, and says why not', async () => {
    await seed('in/1');
    await seed('in_2', { state: 'stopped', stop_reason: 'merchant_stop' });
    const tried = await recoup(`payments retry ${merchantId} in/1 --at 2026-03-02T06:00:00Z`);
    expect(tried.stdout).toBe('It is tried at 2026-03-02 06:00:00Z.\n');
    expect(await recoup(`payments retry ${merchantId} in_2`)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'recoup: The payment is already stopped. Read the current state and decide again. [conflict]\n',
    });
  });

  it('stops one', async () => {
    await seed('in/1');
    const run = await recoup(`payments stop ${merchantId} in/1 --reason asked`);
    expect(run.stdout).toBe('It is stopped; nothing is charged after this.\n');
    const shown = await recoup(`payments show ${merchantId} in/1`);
    expect(shown.stdout).toContain('stopped because  merchant_stop: asked\n');
  });

  it('lets no text of others reach the terminal as commands', async () => {
    const stop = { stop_reason: 'merchant_stop', stop_detail: '\u001b[2J\u202eevil' };
    await seed('in_3', { state: 'stopped', ...stop });
    const run = await recoup(`payments show ${merchantId} in_3`);
    expect(run.stdout).toContain('stopped because  merchant_stop: ?[2J?evil\n');
    expect(run.stdout).not.toContain('\u001b');
  });
});

describe('recoup deliveries', () => {
  it('lists and replays', async () => {
    const merchantId = await service.merchant();
    const key = { merchantId, invoiceId: 'in_1' };
    await seedPayment(service.db, { ...key, state: 'exhausted' });
    const told = { number: 1, state: 'declined', sequence: 3, delivery: 'exhausted' } as const;
    await seedAttempt(service.db, { ...key, ...told });
    const listed = await recoup(`deliveries list ${merchantId} --status exhausted`);
    expect(listed.stdout.split('\n')[1]).toContain('exhausted      1  server_error: 500');
    const replay = `deliveries replay-all ${merchantId} --from 2026-03-01T00:00:00Z`;
    expect((await recoup(`${replay} --preview`)).stdout).toBe('Would be sent again: 1.\n');
    // The worker queues it, and the merchant's server does not take it.
    service.onRequested('replay', async () => {
      await createReplayStore(service.db).step({ merchantId, at: minute(9_000), limit: 9 });
    });
    let looks = 0;
    service.onAnswered(async ({ url }) => {
      if (!url.includes('/replays/')) return;
      looks += 1;
      if (looks === 2)
        await service.db.pool.query('update deliveries set window_started_at = now()');
    });
    const waited = await recoup(`${replay} --wait`);
    expect(waited.stdout).toMatch(/^Sent again: 1\. Not accepted: 1; each is sent again every 12/);
    expect(looks).toBe(3);
    const none = await recoup(`${replay} --type incident`);
    expect(none.stdout).toMatch(/^rpl_\w+ sends 0 again\.\n$/);
    const again = await recoup(`deliveries replay ${merchantId} evt_att_in_1_1`);
    expect(again.stdout).toBe('evt_att_in_1_1 is queued.\n');
  });
});

describe('recoup statement', () => {
  it("shows a merchant's month, and gives it as CSV", async () => {
    const merchantId = await service.merchant();
    const of = { merchantId, invoiceId: 'in_1' };
    await seedPayment(service.db, { ...of, state: 'attempting' });
    await seedAttempt(service.db, { ...of, number: 1, state: 'declined', sequence: 1 });
    const unstated = await recoup(`statement ${merchantId} 2026-03`);
    expect([unstated.code, unstated.stderr]).toEqual([
      1,
      expect.stringContaining('has no statement'),
    ]);
    await makeStatements(service.db, { at: minute(1_440 + 60), after: '' });
    const { stdout } = await recoup(`statement ${merchantId} 2026-03`);
    expect(stdout).toMatch(/sandbox 1 +declined +1 +10\.00 EUR\n/);
    expect(stdout).toContain('Days that are stated: 1, with corrections until 2026-03-01 (');
    const csv = await recoup(`statement ${merchantId} 2026-03 --csv`);
    expect(csv.stdout).toContain('\r\n2026-03,sandbox,1,EUR,attempts,1,10.00\r\n');
    const months = await recoup(`statement ${merchantId}`);
    expect(months.stdout).toMatch(/^MONTH +DAYS +STATED\n2026-03 +1 +in part\n$/);
  });

  it('writes the PDF into a file, and wants the month of it', async () => {
    const merchantId = await service.merchant();
    await seedPayment(service.db, { merchantId, invoiceId: 'in_1', state: 'attempting' });
    const of = { merchantId, invoiceId: 'in_1' };
    await seedAttempt(service.db, { ...of, number: 1, state: 'declined', sequence: 1 });
    await makeStatements(service.db, { at: minute(1_440 + 60), after: '' });
    const folder = await mkdtemp(join(tmpdir(), 'recoup-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'march.pdf');
    const written = await recoup(`statement ${merchantId} 2026-03 --pdf ${file}`);
    expect(written.stdout).toBe(`Written to ${file}.\n`);
    expect(pdfText(await readFile(file)).replaceAll('\n', ' ')).toContain(
      'Declined: attempts less successes 1 10.00 EUR',
    );
    const unnamed = await recoup(`statement ${merchantId} --pdf ${file}`);
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('Name the month')]);
    const twice = await recoup(`statement ${merchantId} 2026-03 --csv --pdf ${file}`);
    expect(twice.code).toBe(2);
  });
});

describe('recoup payments bulk', () => {
  it('says how many, wants a reason, and waits for the result', async () => {
    const merchantId = await service.merchant();
    await seedPayment(service.db, { merchantId, invoiceId: 'in_1' });
    const stop = `payments bulk set-aside ${merchantId}`;
    expect((await recoup(`${stop} --preview`)).stdout).toBe('Payments of these filters: 1.\n');
    const unsaid = await recoup(stop);
    expect([unsaid.code, unsaid.stderr]).toEqual([2, expect.stringContaining('--reason')]);
    const begun = await recoup(`${stop} --reason moved`);
    expect(begun.stdout).toMatch(/^blk_\w+ is at work on 1\.\n$/);
    service.onRequested('bulk', async () => {
      await service.db.pool.query(
        `update bulk_actions set state = 'done', ended_at = requested_at, refused = '{"Held": 1}'`,
      );
    });
    const waited = await recoup(`${stop} --reason moved --wait`);
    expect(waited.stdout).toBe('Done: 0 of 1.\nNot done: 1. Held.\n');
  });
});

describe('recoup dispute-ratios and recovery', () => {
  it('show an estimate for each programme, and what is left of a recovery', async () => {
    const merchantId = await service.merchant();
    const key = { merchantId, invoiceId: 'in_1' };
    await seedPayment(service.db, { ...key, state: 'recovered' });
    await seedAttempt(service.db, { ...key, number: 1, state: 'succeeded' });
    const money = { amountMinor: 700, currency: 'EUR' };
    const dispute = disputeOf({ paymentIds: ['ch_att_in_1_1'], openedAt: minute(60), money });
    const occurredAt = minute(60);
    await service.ingestDispute({ merchantId, psp: 'sandbox', dispute, occurredAt });
    const stated = '--visa-settled 100 --mastercard-settled-before 4000';
    const ratios = await recoup(
      `dispute-ratios --month 2026-03 --merchant ${merchantId} ${stated}`,
    );
    expect(ratios.stderr).toBe('');
    expect(ratios.stdout).toMatch(/visa_vamp +1 +100 +1\.00 % +1500, 2\.20 % +-/);
    expect(ratios.stdout).toMatch(/mastercard_ecm +0 +4000 +0\.00 % +100, 1\.50 % +-/);
    const recovery = await recoup('recovery');
    expect(recovery.stdout).toMatch(/mer_\S+ +10\.00 EUR +1 +7\.00 EUR +0\.00 EUR +10\.00 EUR/);
    const outcomes = await recoup(`dispute-outcomes --merchant ${merchantId}`);
    expect(outcomes.stdout).toMatch(/mer_\S+ +visa +\S.* 1 +1 +0 +0 +0 +0 +0 +-\n/);
    // Of one decided dispute the share says nothing.
    const end = (status: string) =>
      service.db.pool.query('update disputes set status = $2 where merchant_id = $1', [
        merchantId,
        status,
      ]);
    await end('lost');
    const few = await recoup(`dispute-outcomes --merchant ${merchantId}`);
    expect(few.stdout).toMatch(/ 0 +1 +0 +0 +0 +0 of 1, too few\n/);
    await seedDecidedDisputes(service.db, { merchantIds: [merchantId], now: disputedAt });
    const enough = await recoup(`dispute-outcomes --merchant ${merchantId}`);
    expect(enough.stdout).toMatch(/ 18 +13 .* 58 % \[39, 75\]\n/);
  });
});

describe('recoup fees', () => {
  it('sums what was charged and what was avoided', async () => {
    const merchantId = await service.merchant();
    for (const day of ['2026-02-01', '2026-03-01', '2026-03-02', '2026-03-03']) {
      await service.db.pool.query(
        `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros,
           currency, at)
         values ($1, $2, 'mastercard.advice_never', 'avoided', 'mastercard', 30000, 'USD', $3)`,
        [merchantId, day, `${day}T00:00:00Z`],
      );
    }
    const run = await recoup(`fees ${merchantId} --from 2026-03-01T00:00:00Z`);
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^NETWORK {5}RULE .* EXPECTED {2}TIMES {3}AVOIDED {2}TIMES\n/);
    expect(run.stdout).toMatch(/mastercard\.advice_never {2}0\.00 USD {6}0 {2}0\.09 USD {6}3\n/);
    expect(run.stdout).toContain(
      `\n\nmastercard.advice_never: ${networkRules['mastercard.advice_never'].words}\n\nBy the rules`,
    );
    const json = await recoup(`fees ${merchantId} --json`);
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
    const key = { merchantId: await service.merchant(), invoiceId: 'in_1' };
    // A charge that succeeded, of a payment that was not recovered by it.
    await seedPayment(service.db, { ...key, state: 'stopped', stop_reason: 'merchant_stop' });
    await seedAttempt(service.db, { ...key, number: 1, state: 'succeeded' });
    for (const command of ['status', 'invariants']) {
      const run = await recoup(command);
      expect([run.code, run.stderr]).toEqual([1, 'recoup: Broken: successes_agree.\n']);
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
      "recoup: This is not the operator token. Send the service's OPERATOR_TOKEN as Authorization: Bearer. If none was set, it is in the file operator-token in the data folder. [operator_unauthorized]\n",
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
    await service.server.close();
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
