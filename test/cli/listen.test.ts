import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { FollowEvents, FollowedEvent } from '../../src/recovery/reports/follow-events.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import {
  newMerchant,
  type OperatorKit,
  operatorKit,
  operatorToken,
} from '../kits/operator-server.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';

const event = (sequence: string, payload: object): FollowedEvent => ({
  eventId: `evt_${sequence}`,
  sequence,
  type: 'recovered' in payload ? 'end_of_dunning' : 'retry_result',
  invoiceId: 'in_1',
  createdAt: new Date('2026-03-01T09:30:00Z'),
  payload: JSON.stringify(payload),
});
const log = [
  event('1', { success: false, amount_collected: 42.5, currency: 'USD' }),
  event('2', { success: true, amount_collected: 42.5, currency: 'USD' }),
  event('3', { recovered: true }),
];

let kit: OperatorKit;
let url: string;
let asked: FollowEvents[];
beforeEach(async () => {
  asked = [];
  kit = operatorKit({
    // What comes after the first event comes only when it is asked for again.
    async followEvents(input) {
      asked.push(input);
      if (input.after === undefined) return { items: [], cursor: '0' };
      const items = log.filter(({ sequence }) => sequence > (input.after ?? '')).slice(0, 2);
      return { items, cursor: items.at(-1)?.sequence ?? input.after };
    },
  });
  url = await kit.server.listen({ host: '127.0.0.1', port: 0 });
});

function listen(...args: readonly string[]): Promise<CliRun> {
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  return runCli('recoup', ['listen', ...args], { env });
}

async function withMerchants(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await kit.ask('POST', '/api/merchants', newMerchant);
}

describe('recoup listen', () => {
  test('prints events in their order, from now on', async () => {
    await withMerchants(1);
    const run = await listen('--count', '3');
    expect(run.code).toBe(0);
    expect(run.stdout).toBe(
      '2026-03-01 09:30:00Z  retry_result  in_1  declined 42.5 USD  evt_1\n' +
        '2026-03-01 09:30:00Z  retry_result  in_1  paid 42.5 USD  evt_2\n' +
        '2026-03-01 09:30:00Z  end_of_dunning  in_1  recovered  evt_3\n',
    );
    expect(run.stderr).toBe('Listening to mer_1 after event 0. End with Ctrl-C.\n');
    expect(asked.map(({ after }) => after)).toEqual([undefined, '0', '2']);
  });

  test('forwards them as signed webhooks, and says how each was answered', async () => {
    await withMerchants(1);
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
    expect(fake.webhooks[0]?.rawBody.toString()).toBe(log[0]?.payload);
    const headers = fake.webhooks[0]?.headers;
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1' });
    expect(headers?.['webhook-signature']).toMatch(/^v1,\S{44}$/);
  });

  test('goes on when nobody answers, and gives lines of JSON', async () => {
    await withMerchants(1);
    const args = ['--count', '2', '--after', '0', '--json', '--forward-to', 'http://127.0.0.1:9/'];
    const run = await listen(...args);
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event_id: 'evt_1', payload: log[0]?.payload, forwarded: 'no answer (ECONNREFUSED)' },
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
