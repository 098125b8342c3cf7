import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dayMs, minuteMs, secondMs } from '../../src/domain/clock.ts';
import { startSandboxPsp } from '../../src/psp/sandbox/server/sandbox-server.ts';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { createTestDatabase } from '../kits/database.ts';
import { readLedger, sandboxApiKey } from '../kits/engine-faults.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { startHeldProxy } from '../kits/held-proxy.ts';
import { startStripeServer } from '../kits/psps/stripe-server.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  call,
  createMerchant,
  expectStatus,
  operatorApi,
  recoveryApi,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
const lifeline = new URL('../kits/lifeline.ts', import.meta.url).href;
const shiftedClock = new URL('../kits/shifted-clock.ts', import.meta.url).href;

/** A clock for a process, and what gives it to it. */
async function machineClock(aheadMs: number) {
  const file = join(await services.dataDir(), 'ahead-ms');
  const set = (ms: number) => writeFile(file, String(ms));
  await set(aheadMs);
  const NODE_OPTIONS = `--import=${lifeline} --import=${shiftedClock}`;
  return { env: { SHIFTED_CLOCK: file, NODE_OPTIONS }, set };
}

/** Payments that are due within a day, at a PSP whose way there is slow. */
async function slowWorld(count: number) {
  const random = { bytes: (length: number) => randomBytes(length) };
  const psp = await startSandboxPsp(
    { clock: { now: () => new Date() }, random },
    { host: '127.0.0.1', port: 0, apiKey: sandboxApiKey },
  );
  const proxy = await startHeldProxy(psp.url, count);
  const database = await createTestDatabase();
  const server = await startFakeMerchant();
  onTestFinished(async () => {
    await Promise.all([server.close(), proxy.close(), psp.close()]);
    await database.drop();
  });
  const env = {
    DATABASE_URL: database.connectionString,
    ENCRYPTION_KEY: '7'.repeat(64),
    OPERATOR_TOKEN: randomBytes(24).toString('hex'),
    SANDBOX: 'true',
    SANDBOX_PSP_URL: proxy.url,
  };
  const invoices = Array.from({ length: count }, (_, index) => `in_${index + 1}`);
  async function submit(service: Service): Promise<ReturnType<typeof recoveryApi>> {
    const merchant = await createMerchant(service, server, {
      policy: { kind: 'fixed', fixed_days: [1], window_days: 3, max_attempts: 3 },
    });
    const api = recoveryApi(service, merchant.apiKey);
    for (const invoiceId of invoices) {
      const event = failedEvent({ invoiceId, methods: cardsOf(invoiceId), at: new Date() });
      await expectStatus(api.post('/recover/payments', event), 200);
    }
    return api;
  }
  return { psp, proxy, env, invoices, submit };
}

test('of two workers whose clocks are 130 s apart neither steals what the other charges', async () => {
  const { psp, proxy, env, invoices, submit } = await slowWorld(7);
  const service = await services.start({ env });
  const api = await submit(service);
  const advancing = advance(service, 'P2D');
  await proxy.written(7);
  const ahead = await machineClock(130 * secondMs);
  const other = await services.start({ env: { ...env, ...ahead.env, ROLES: 'worker' } });
  // A worker that steals looks for all of them at once, finds none, and charges again.
  const stolen = await Promise.race([
    other.printed(/no work is taken/).then(() => false),
    proxy.read(7).then(() => true),
  ]);
  if (stolen) await proxy.written(14);
  proxy.release();
  await advancing;
  const ledger = await readLedger(psp.url);
  const successes = ledger.filter((charge) => charge.status === 'succeeded');
  expect(successes.map((charge) => charge.invoice).sort()).toEqual([...invoices].sort());
  for (const invoiceId of invoices) {
    expect(await showPayment(api, invoiceId)).toMatchObject({ status: 'recovered' });
  }
  const { alerts } = await expectStatus(operatorApi(service).get('/api/overview'), 200);
  expect(alerts).toContainEqual(
    expect.objectContaining({
      kind: 'work_held_back',
      message: expect.stringContaining('130.0 s ahead of'),
    }),
  );
});

test('a process whose clock is wrong says that it is not ready, until it is set right', async () => {
  const clock = await machineClock(-5 * minuteMs);
  const service = await services.start({
    env: { ...clock.env, LOG_LEVEL: 'info', PSP_TIMEOUT: '1s' },
  });
  const ready = () => call(`${service.operatorUrl}/readyz`);
  await service.printed(/no work is taken/);
  expect(await ready()).toMatchObject({
    status: 503,
    json: { status: 'not_ready', code: 'clock_differs' },
  });
  const metrics = await call(`${service.operatorUrl}/metrics`);
  expect(metrics.text).toMatch(/recoup_clock_offset_seconds -(300|299\.9)/);
  expect(metrics.text).toContain('recoup_work_held_back{code="clock_differs"} 1');
  await clock.set(0);
  // A clock that is set jumps: what was sent before it is waited for first.
  await service.printed(/this machine's clock jumped/);
  await service.printed(/"msg":"work is taken again"/);
  expect((await ready()).status).toBe(200);
});

test('a charge is made once whose answer was lost while the service’s clock is days ahead of Stripe’s', async () => {
  const stripe = await startStripeServer();
  const server = await startFakeMerchant();
  onTestFinished(() => Promise.all([stripe.close(), server.close()]).then(() => undefined));
  const service = await services.start({ env: { STRIPE_URL: stripe.url, PSP_TIMEOUT: '5s' } });
  const merchant = await createMerchant(service, server, {
    psps: [{ psp: 'stripe', ...stripe.credentials }],
    policy: { kind: 'fixed', fixed_days: [1], window_days: 14, max_attempts: 4 },
  });
  const api = recoveryApi(service, merchant.apiKey);
  const event = failedEvent({
    invoiceId: 'inv_lost',
    psp: 'stripe',
    methods: ['pm_lost_success'],
    at: new Date(),
  });
  await expectStatus(api.post('/recover/payments', event), 200);
  await advance(service, 'P4D');
  expect(stripe.charges().filter((charge) => charge.succeeded)).toHaveLength(1);
  expect(await showPayment(api, 'inv_lost')).toMatchObject({ status: 'recovered' });
});

test('a Stripe invoice whose payment lost its answer is told once as recovered, our clock 10 s ahead', async () => {
  let movedMs = 0;
  const stripe = await startStripeServer({
    now: () => new Date(Date.now() + movedMs - 10 * secondMs),
  });
  const server = await startFakeMerchant({ now: () => new Date(Date.now() + movedMs) });
  onTestFinished(() => Promise.all([stripe.close(), server.close()]).then(() => undefined));
  const service = await services.start({ env: { STRIPE_URL: stripe.url, PSP_TIMEOUT: '5s' } });
  const merchant = await createMerchant(service, server, {
    psps: [{ psp: 'stripe', ...stripe.credentials }],
    policy: { kind: 'fixed', fixed_days: [1, 2, 3], window_days: 4, max_attempts: 4 },
  });
  const api = recoveryApi(service, merchant.apiKey);
  const { invoice } = stripe.failedSubscriptionInvoice();
  const event = failedEvent({
    invoiceId: invoice.id,
    pspCustomerId: 'cus_1',
    psp: 'stripe',
    methods: ['pm_lost_success'],
    amount: 20,
    at: new Date(),
  });
  await expectStatus(api.post('/recover/payments', event), 200);
  // The two clocks go on together; the whole window goes by.
  for (const days of [1, 1, 4]) {
    movedMs += days * dayMs;
    await advance(service, `P${days}D`);
  }
  expect(stripe.charges().filter((charge) => charge.succeeded)).toHaveLength(1);
  const payment = await showPayment(api, invoice.id);
  expect(payment).toMatchObject({ status: 'recovered', attempts: [{ status: 'succeeded' }] });
  expect(server.webhooks.map(({ json }) => json)).toMatchObject([
    { invoice_id: invoice.id, success: true },
  ]);
  const paid = stripe.requests.filter(({ path }) => path.endsWith('/pay'));
  expect(paid.length).toBeLessThanOrEqual(2);
});
