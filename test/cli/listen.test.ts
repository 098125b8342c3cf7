import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';
import { minute, seedAttempt, seedLogged, seedPayment } from '../store/reports/seed.ts';

const bodies = [
  { success: false, amount_collected: 42.5, currency: 'USD' },
  { success: true, amount_collected: 42.5, currency: 'USD' },
  { recovered: true },
].map((body) => JSON.stringify(body));

let service: OperatorService;
let url: string;
let merchantIds: string[];
/** The command has asked where the log ends. */
let begun: Promise<void>;
beforeEach(async () => {
  service = await operatorService();
  merchantIds = [];
  const asked = Promise.withResolvers<void>();
  begun = asked.promise;
  service.onAnswered(async ({ url }) => {
    if (url.endsWith('/events')) asked.resolve();
  });
  url = await service.server.listen({ host: '127.0.0.1', port: 0 });
});

function listen(...args: readonly string[]): Promise<CliRun> {
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  return runCli('recoup', ['listen', ...args], { env });
}

async function withMerchants(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) merchantIds.push(await service.merchant());
}

/** Writes the events evt_1, evt_2 and evt_3 of the only merchant. */
async function writeEvents(): Promise<void> {
  const [merchantId = ''] = merchantIds;
  const key = { merchantId, invoiceId: 'in_1' };
  await seedPayment(service.db, key);
  await seedAttempt(service.db, { ...key, number: 1, state: 'declined' });
  await seedAttempt(service.db, { ...key, number: 2, state: 'succeeded' });
  for (const [index, body] of bodies.entries()) {
    const sequence = index + 1;
    const isEnd = body.includes('recovered');
    await seedLogged(service.db, {
      ...key,
      eventId: `evt_${sequence}`,
      sequence,
      type: isEnd ? 'end_of_dunning' : 'retry_result',
      ...(isEnd ? {} : { attemptId: `att_in_1_${sequence}` }),
      body,
      at: minute(570),
    });
  }
}

describe('recoup listen', () => {
  test('prints events in their order, from now on', async () => {
    await withMerchants(1);
    const listening = listen('--count', '3');
    await begun;
    await writeEvents();
    const run = await listening;
    expect(run.code).toBe(0);
    expect(run.stdout).toBe(
      '2026-03-01 09:30:00Z  retry_result  in_1  declined 42.5 USD  evt_1\n' +
        '2026-03-01 09:30:00Z  retry_result  in_1  paid 42.5 USD  evt_2\n' +
        '2026-03-01 09:30:00Z  end_of_dunning  in_1  recovered  evt_3\n',
    );
    const [merchantId] = merchantIds;
    expect(run.stderr).toBe(`Listening to ${merchantId} after event 0. End with Ctrl-C.\n`);
  });

  test('forwards them as signed webhooks, and says how each was answered', async () => {
    await withMerchants(1);
    await writeEvents();
    const fake = await startFakeMerchant({ signingSecret: 'secret-of-this-machine' });
    onTestFinished(() => fake.close());
    fake.answerWebhooks({ status: 200 }, { status: 500 });
    const run = await listen(
      ...['--count', '2', '--after', '0', '--secret', 'secret-of-this-machine'],
      ...['--forward-to', fake.webhookUrl],
    );
    expect(run.stdout).toMatch(/evt_1 {2}-> 200\n.*evt_2 {2}-> 500\n$/);
    expect(run.stderr).toContain('signed with secret-of-this-machine');
    expect(fake.webhooks).toMatchObject([
      { isSigned: true, isExpired: false, type: 'retry_result', json: { success: false } },
      { isSigned: true, isExpired: false, type: 'retry_result', json: { success: true } },
    ]);
    expect(fake.webhooks[0]?.rawBody.toString()).toBe(bodies[0]);
    const headers = fake.webhooks[0]?.headers;
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1' });
    expect(headers?.['webhook-signature']).toMatch(/^v1,\S{44}$/);
  });

  test('goes on when nobody answers, and gives lines of JSON', async () => {
    await withMerchants(1);
    await writeEvents();
    const args = ['--count', '2', '--after', '0', '--json', '--forward-to', 'http://127.0.0.1:9/'];
    const run = await listen(...args);
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event_id: 'evt_1', payload: bodies[0], forwarded: 'no answer (ECONNREFUSED)' },
      { event_id: 'evt_2' },
    ]);
    expect(run.stderr).toMatch(/signed with whsec_local_\S{32}\n/);
  });

  test.each([
    [0, [], 'There is no merchant yet. Name one: --merchant <merchant>.'],
    [2, [], 'There are several merchants. Name one: --merchant <merchant>.'],
    [1, ['--forward-to', 'localhost'], '--forward-to must begin with http:// or https://.'],
    [1, ['--count', 'many'], '--count must be a whole number from 1.'],
  ])('with %i merchants and %j is wrong usage', async (merchants, args, words) => {
    await withMerchants(merchants);
    expect(await listen(...args)).toEqual({ code: 2, stdout: '', stderr: `recoup: ${words}\n` });
  });
});
