import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/domain/clock.ts';
import { failedEvent } from '../kits/billing-events.ts';
import { type FakeMerchant, type FakeWebhook, startFakeMerchant } from '../kits/fake-merchant.ts';
import { readLedgerFile } from '../kits/ledger-file.ts';
import { runCli } from '../kits/run-cli.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  brokenPromises,
  call,
  createMerchant,
  expectStatus,
  listDeliveries,
  type OwnMerchant,
  operatorApi,
  type PaymentJson,
  recoveryApi,
  serviceNow,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
const servers: FakeMerchant[] = [];
let service: Service;
/** When all of this file's payments failed. */
let from: Date;

afterAll(() => Promise.all(servers.map((server) => server.close())));

type MerchantOptions = Parameters<typeof createMerchant>[2];

async function ownMerchant(options: MerchantOptions = {}): Promise<OwnMerchant> {
  const server = await startFakeMerchant();
  servers.push(server);
  return createMerchant(service, server, { end_of_dunning: true, ...options });
}

/** Reports a payment that failed when the time line begins; where it stands is asked with what this gives. */
async function submit(
  invoiceId: string,
  method: string,
  apiKey = service.apiKey,
): Promise<() => Promise<PaymentJson>> {
  const api = recoveryApi(service, apiKey);
  const event = failedEvent({ invoiceId, methods: [method], at: from });
  await expectStatus(api.post('/recover/payments', event), 200);
  return () => showPayment(api, invoiceId);
}

/** Days from the failure to each attempt; none may start early, or more than a minute late. */
function daysOf(payment: PaymentJson): readonly number[] {
  return payment.attempts.map((attempt) => {
    const afterMs = Date.parse(attempt.started_at) - Date.parse(payment.failed_at);
    expect(afterMs % dayMs).toBeLessThan(minuteMs);
    return Math.floor(afterMs / dayMs);
  });
}

/** What the webhooks of an invoice told, in the order of their arrival. */
function toldOf(server: FakeMerchant, invoiceId: string): readonly string[] {
  return bodiesOf(server)
    .filter((body) => body.invoice_id === invoiceId)
    .map((body) => ('recovered' in body ? `ended ${body.recovered}` : `success ${body.success}`));
}

function bodiesOf(server: FakeMerchant): readonly Record<string, unknown>[] {
  expect(server.webhooks.every((webhook) => webhook.isSigned)).toBe(true);
  return server.webhooks.map((webhook) => webhook.json as Record<string, unknown>);
}

async function advanceByCli(duration: string): Promise<string> {
  const env = { OPERATOR_URL: service.operatorUrl, DATA_DIR: service.dataDir };
  const run = await runCli('recoup', ['clock', 'advance', duration], { env });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return run.stdout;
}

/** Moves time to so many days after the beginning. */
async function untilDay(days: number): Promise<void> {
  const leftMs = from.getTime() + days * dayMs - (await serviceNow(service)).getTime();
  await advance(service, `PT${Math.ceil(leftMs / secondMs)}S`);
}

/** An hour less than three days, so that what comes on the third day, to the second, finds it up. */
const downMs = 3 * dayMs - hourMs;

/** What answers as a server that is down for three days from its first webhook on. */
function answerOnceUp(server: FakeMerchant): { readonly failures: () => number } {
  const down = [
    { status: 500, body: { detail: 'Server is unavailable' } },
    { status: 503 },
    { status: 302, headers: { location: server.webhookUrl } },
    { status: 404 },
    { status: 204, body: '' },
    { kind: 'hang' },
  ] as const;
  let firstMs: number | undefined;
  let failures = 0;
  server.answerWebhooks((webhook) => {
    firstMs ??= sentMs(webhook);
    if (sentMs(webhook) >= firstMs + downMs) return { body: { detail: 'OK' } };
    failures += 1;
    return down[failures % down.length] ?? { status: 500 };
  });
  return { failures: () => failures };
}

/** All histories pass on one time line, since a month of many takes no longer than that of one. */
async function liveThroughAll() {
  service = await services.start({ env: { WEBHOOK_TIMEOUT: '500ms' } });
  from = await serviceNow(service);
  const plain = await ownMerchant();
  const days = await ownMerchant({ policy: { kind: 'fixed', fixed_days: [2, 3, 10] } });
  const even = await ownMerchant({ policy: { kind: 'even', window_days: 12, max_attempts: 4 } });
  const stopping = await ownMerchant();
  const down = await ownMerchant({
    policy: { kind: 'fixed', fixed_days: [1, 2, 3, 4], window_days: 5 },
  });
  const silent = await ownMerchant();
  const { failures } = answerOnceUp(down.server);
  silent.server.answerWebhooks({ status: 500 });
  const shown = {
    runsOut: await submit('in_runs_out', 'pm_sandbox_decline_51', plain.apiKey),
    third: await submit('in_third', 'pm_sandbox_success_after_3', plain.apiKey),
    days: await submit('in_days', 'pm_sandbox_decline_05', days.apiKey),
    even: await submit('in_even', 'pm_sandbox_decline_05', even.apiKey),
    forgiven: await submit('inv_forgiven_1', 'pm_sandbox_success'),
    unknown: await submit('inv_unknown_1', 'pm_sandbox_success'),
    stopped: await submit('in_stopped', 'pm_sandbox_decline_51', stopping.apiKey),
  };
  await submit('in_down', 'pm_sandbox_decline_51', down.apiKey);
  for (const id of ['in_month_1', 'in_month_2', 'in_month_3']) {
    await submit(id, 'pm_sandbox_decline_61', silent.apiKey);
  }

  const cli = await advanceByCli('P1D');
  const dayOne = await shown.runsOut();
  await untilDay(2);
  const reason = 'The customer cancelled.';
  const stop = recoveryApi(service, stopping.apiKey).post('/recover/payments/in_stopped/stop', {
    reason,
  });
  await expectStatus(stop, 200);
  const askedBeforeStop = stopping.server.lookups.length;
  await untilDay(9);
  const dayNine = await shown.runsOut();
  await untilDay(36);
  const merchants = { plain, stopping, down, silent };
  return { shown, merchants, cli, dayOne, dayNine, reason, askedBeforeStop, failures };
}

let lived: Awaited<ReturnType<typeof liveThroughAll>>;
beforeAll(async () => {
  lived = await liveThroughAll();
});

describe('the schedule', () => {
  test('of a payment that never succeeds is 1, 3, 5, 7, and ends with its window', async () => {
    const { shown, merchants, cli, dayOne, dayNine } = lived;
    expect(cli).toMatch(/^It is .*, after \d+ jumps?\.\n$/);
    expect(daysOf(dayOne)).toEqual([1]);
    expect(daysOf(dayNine)).toEqual([1, 3, 5, 7]);
    const decision = { kind: 'wait_for_update', at: dayNine.window_ends_at };
    expect(dayNine).toMatchObject({ status: 'scheduled', decision });
    expect(dayNine).not.toHaveProperty('next_attempt_at');
    const ended = await shown.runsOut();
    expect(ended).toMatchObject({ status: 'exhausted', attempt_count: 4 });
    const lateMs = Date.parse(ended.updated_at) - Date.parse(ended.window_ends_at);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(minuteMs);
    const results = Array.from({ length: 4 }, () => 'success false');
    expect(toldOf(merchants.plain.server, 'in_runs_out')).toEqual([...results, 'ended false']);
  });

  test('is the one that the merchant chose', async () => {
    const { shown } = lived;
    expect(daysOf(await shown.days())).toEqual([2, 3, 10]);
    expect(daysOf(await shown.even())).toEqual([3, 6, 9, 12]);
    expect(await shown.even()).toMatchObject({ status: 'exhausted' });
  });

  test('goes on until the third try succeeds', async () => {
    const { shown, merchants } = lived;
    const payment = await shown.third();
    expect(daysOf(payment)).toEqual([1, 3, 5]);
    expect(payment).toMatchObject({ status: 'recovered', attempt_count: 3 });
    expect(toldOf(merchants.plain.server, 'in_third')).toEqual([
      'success false',
      'success false',
      'success true',
      'ended true',
    ]);
  });
});

describe('a merchant that stops', () => {
  test('is not charged for, by its word at the final check', async () => {
    const { shown } = lived;
    expect(await shown.forgiven()).toMatchObject({
      status: 'stopped',
      stop_reason: 'merchant_declined_retry',
      stop_detail: 'User Outstanding Invoice Forgiven',
      attempt_count: 0,
      attempts: [{ status: 'not_attempted', transactions: [] }],
    });
    expect(await shown.unknown()).toMatchObject({
      status: 'stopped',
      stop_reason: 'invoice_not_found',
      stop_detail: 'An invoice with the provided ID cannot be found',
    });
    const charged = (await readLedgerFile(service.dataDir)).map((charge) => charge.invoice);
    expect(charged).not.toContain('inv_forgiven_1');
    expect(charged).not.toContain('inv_unknown_1');
    const { json: received } = await call(`${service.demoUrl}/received`);
    const told = received.filter(
      (each: { event: { invoice_id: string } }) => each.event.invoice_id === 'inv_forgiven_1',
    );
    expect(told).toMatchObject([{ type: 'end_of_dunning', event: { recovered: false } }]);
  });

  test('is not asked again once its stop is acknowledged', async () => {
    const { shown, merchants, askedBeforeStop, reason } = lived;
    const { server } = merchants.stopping;
    expect(server.lookups).toHaveLength(askedBeforeStop);
    const stopped = { status: 'stopped', stop_reason: 'merchant_stop', stop_detail: reason };
    expect(await shown.stopped()).toMatchObject({ ...stopped, attempt_count: 1 });
    expect(toldOf(server, 'in_stopped')).toEqual(['success false', 'ended false']);
  });
});

/** The sends of each event, by its deduplication id. */
function sendsByEvent(server: FakeMerchant): readonly (readonly FakeWebhook[])[] {
  return [...Map.groupBy(server.webhooks, (webhook) => webhook.deduplicationId).values()];
}

/** When a webhook was sent by the service's clock, in milliseconds: 300 s before it expires. */
function sentMs(webhook: FakeWebhook): number {
  return (Number(webhook.headers['x-service-webhook-expiration']) - 300) * secondMs;
}

/** That the sends of one event are the same event, each signed anew at its 12-hour mark. */
function expectRedeliveries(sends: readonly FakeWebhook[]): void {
  const [first] = sends;
  if (first === undefined) throw new Error('an event is sent at least once');
  for (const [index, send] of sends.entries()) {
    expect(send.rawBody.equals(first.rawBody)).toBe(true);
    expect(send.type).toBe(first.type);
    expect(send.isSigned).toBe(true);
    // Nobody moves this one: it is of the minutes that the test takes.
    const realMs = Number(send.headers['webhook-timestamp']) * secondMs;
    expect(Math.abs(Date.now() - realMs)).toBeLessThan(hourMs);
    const lateMs = sentMs(send) - sentMs(first) - index * 12 * hourMs;
    expect(lateMs).toBeGreaterThanOrEqual(-secondMs);
    expect(lateMs).toBeLessThan(minuteMs);
  }
  const signatures = sends.map((send) => send.headers['x-service-webhook-signature']);
  expect(new Set(signatures).size).toBe(sends.length);
}

describe('a webhook endpoint', () => {
  test('that is down for three days then gets its events, each once', async () => {
    const { merchantId, server } = lived.merchants.down;
    const events = sendsByEvent(server);
    for (const sends of events) expectRedeliveries(sends);
    // Results of days 1, 2, 3 and 4, and the end with day 5's window.
    expect(events.map((sends) => sends.length)).toEqual([7, 5, 3, 1, 1]);
    expect(lived.failures()).toBe(6 + 4 + 2);

    const deliveries = await listDeliveries(service, merchantId);
    expect(deliveries.map((delivery) => delivery.status)).toEqual(Array(5).fill('delivered'));
    const log = deliveries.flatMap((delivery) => delivery.log);
    expect(log.filter((send) => send.status === 200)).toHaveLength(5);
    const sent = server.webhooks.map(sentMs).sort((a, b) => a - b);
    const logged = log.map((send) => Math.floor(Date.parse(send.sent_at) / secondMs) * secondMs);
    expect(logged.sort((a, b) => a - b)).toEqual(sent);
  });

  test('that never answers is tried for seven days, and can have all of it again', async () => {
    const { merchantId, server } = lived.merchants.silent;
    const events = sendsByEvent(server);
    for (const sends of events) expectRedeliveries(sends);
    // Four results and one end for each payment; 14 redeliveries after each first send.
    expect(events.map((sends) => sends.length)).toEqual(Array(15).fill(15));
    const given = await listDeliveries(service, merchantId);
    expect(new Set(given.map((delivery) => delivery.status))).toEqual(new Set(['exhausted']));

    server.answerWebhooks({ body: {} });
    const path = `/api/merchants/${merchantId}/replays`;
    const body = { from: from.toISOString() };
    const begun = await expectStatus(operatorApi(service).post(path, body), 202);
    expect(begun).toMatchObject({ matched: 15 });
    await advance(service, 'PT1M');
    for (const sends of sendsByEvent(server)) {
      expect(sends).toHaveLength(16);
      expect(sends.every((send) => send.rawBody.equals(sends[0]?.rawBody ?? Buffer.alloc(0)))).toBe(
        true,
      );
    }
    await advance(service, 'P8D');
    expect(server.webhooks).toHaveLength(15 * 16);
  });
});

test('nothing was done twice, out of order, or against a promise', async () => {
  expect(await brokenPromises(service)).toEqual([]);
  const ledger = await readLedgerFile(service.dataDir);
  const keys = ledger.map((charge) => charge.idempotency_key);
  expect(new Set(keys).size).toBe(keys.length);
  const paid = ledger.filter((charge) => charge.status === 'succeeded');
  expect(paid.map((charge) => charge.invoice)).toEqual(['in_third']);
  const times = ledger.map((charge) => Date.parse(charge.created_at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const server of servers) {
    // What was sent at one moment may arrive in any order.
    const sent = server.webhooks.map(sentMs);
    for (const [index, at] of sent.entries()) {
      expect(at).toBeGreaterThanOrEqual((sent[index - 1] ?? 0) - secondMs);
    }
  }
  expect(await service.stop()).toMatchObject({ code: 0 });
});
