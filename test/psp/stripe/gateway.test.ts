import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChargeRequest } from '../../../src/recovery/psp-ports.ts';
import { restrictedKey } from '../../kits/psps/stripe/keys.ts';
import { brokenPsp, rawPsp } from '../broken-psp.ts';
import { describeGateway, type GatewayUnderTest } from '../conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { gatewayTo, openGateway, serverTime, stripe, testClock } from './stripe-kit.ts';

describeGateway('Stripe', startUnderTest, { pspCustomerId: 'cus_1' });
describeOperations('Stripe', startUnderTest, { pspCustomerId: 'cus_1' });

async function startUnderTest(): Promise<GatewayUnderTest> {
  const server = await stripe();
  return {
    gateway: gatewayTo(server),
    gatewayAt: (baseUrl, deadlineMs) =>
      openGateway(baseUrl, { deadlineMs, credentials: server.credentials }),
    refused: gatewayTo(server, { credentials: server.refusedCredentials }),
    methods: server.methods,
    refusal: (message) => ({
      status: 400,
      text: JSON.stringify({ error: { type: 'invalid_request_error', message } }),
    }),
    chargesOf: async (invoiceId) => server.charges(invoiceId),
    everythingWritten: async () => server.written(),
  };
}

const request: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'inv_1',
  idempotencyKey: 'att_1-0',
  amountMinor: 1_999,
  currency: 'USD',
  paymentMethodId: 'pm_success',
  pspCustomerId: 'cus_1',
};

describe('what is sent', () => {
  it('is an off-session intent of the pinned API version, and no telemetry', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    await gateway.charge(request);
    await gateway.charge(request);
    for (const { headers, body } of server.requests) {
      expect(headers).toMatchObject({
        'idempotency-key': 'att_1-0',
        'stripe-version': '2026-10-28.endive',
        'content-type': 'application/x-www-form-urlencoded',
      });
      expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
      expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
        amount: '1999',
        currency: 'usd',
        customer: 'cus_1',
        payment_method: 'pm_success',
        confirm: 'true',
        off_session: 'true',
        error_on_requires_action: 'true',
        'metadata[recoup_idempotency_key]': 'att_1-0',
        'metadata[recoup_invoice_id]': 'inv_1',
      });
    }
  });

  it('names the connected account of a platform', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server, { credentials: { account: 'acct_connected' } });
    expect(await gateway.charge(request)).toMatchObject({ kind: 'succeeded' });
    expect(server.requests[0]?.headers['stripe-account']).toBe('acct_connected');
  });

  it('asks for the customer of a payment method that came without one', async () => {
    const server = await stripe();
    const { pspCustomerId: _, ...unowned } = request;
    const ofOther = { ...unowned, paymentMethodId: 'pm_success_of_other' };
    expect(await gatewayTo(server).charge(ofOther)).toMatchObject({ kind: 'succeeded' });
    expect(server.world.all('charge')).toMatchObject([{ customer: 'cus_2' }]);
  });

  it('leaves the customer out for a payment method of nobody', async () => {
    const server = await stripe();
    const { pspCustomerId: _, ...unowned } = request;
    const ofNobody = { ...unowned, paymentMethodId: 'pm_success_of_nobody' };
    expect(await gatewayTo(server).charge(ofNobody)).toMatchObject({ kind: 'succeeded' });
    expect(server.world.all('charge')).toMatchObject([{ customer: null }]);
  });

  it('cuts metadata to what Stripe takes, and never its own', async () => {
    const server = await stripe();
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`many_${at}`, at]));
    const metadata = {
      recoup_idempotency_key: 'of the merchant',
      long: 'x'.repeat(600),
      nested: { a: [1, true] },
      'brackets[a]': 'out',
      ['k'.repeat(41)]: 'out',
      nothing: null,
      // Without a name it would be sent as a list, for which Stripe refuses the whole charge.
      '': 'out',
      ...many,
    };
    expect(await gatewayTo(server).charge({ ...request, metadata })).toMatchObject({
      kind: 'succeeded',
    });
    const [sent] = server.charges('inv_1');
    expect(Object.keys(sent?.metadata ?? {})).toHaveLength(50);
    expect(sent?.metadata).toMatchObject({
      recoup_idempotency_key: 'att_1-0',
      long: 'x'.repeat(500),
      nested: '{"a":[1,true]}',
      many_0: '0',
    });
    expect(sent?.metadata).not.toHaveProperty('nothing');
    expect(server.written()).not.toContain('metadata[]');
  });
});

describe('idempotency', () => {
  it('is told apart from a new charge: other parameters are an unknown outcome', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    await gateway.charge(request);
    expect(await gateway.charge({ ...request, amountMinor: 2_000 })).toEqual({
      kind: 'unknown',
      reason: 'Stripe answered HTTP 400 idempotency_error',
    });
    expect(server.charges()).toHaveLength(1);
  });

  it('replays a stored 500, which stays unknown', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    const failing = { ...request, paymentMethodId: 'pm_500_after' };
    for (const _try of [1, 2]) {
      expect(await gateway.charge(failing)).toEqual({
        kind: 'unknown',
        reason: 'Stripe answered HTTP 500 api_error',
      });
    }
    expect(server.charges()).toHaveLength(1);
  });

  it('repeats a decline as it was', async () => {
    const gateway = gatewayTo(await stripe());
    const declined = { ...request, paymentMethodId: 'pm_decline' };
    const first = await gateway.charge(declined);
    expect(await gateway.charge(declined)).toEqual(first);
  });

  it('ends when the key has been forgotten', async () => {
    const clock = testClock();
    const server = await stripe(clock);
    const gateway = gatewayTo(server);
    await gateway.charge(request);
    clock.set(new Date(serverTime.getTime() + Number(gateway.capabilities.keyMemoryMs)));
    await gateway.charge(request);
    expect(server.charges()).toHaveLength(2);
  });
});

describe('an answer', () => {
  const intent = {
    id: 'pi_1',
    object: 'payment_intent',
    amount: 1_999,
    amount_received: 1_999,
    currency: 'usd',
    latest_charge: { id: 'ch_1', object: 'charge' },
    metadata: { recoup_idempotency_key: 'att_1-0' },
    status: 'succeeded',
    something_new: { nobody: ['knows'] },
  };

  it('is believed with fields that nobody knows', async () => {
    expect(await answered(200, intent)).toEqual({
      kind: 'succeeded',
      pspTransactionId: 'ch_1',
      told: { amountMinor: 1_999, currency: 'USD' },
    });
  });

  it.each([
    ['another key', { metadata: { recoup_idempotency_key: 'att_2-0' } }],
    ['no metadata', { metadata: null }],
    ['an amount that was not received', { amount: 1_998 }],
    ['another received amount', { amount_received: 1_000 }],
    ['no id', { id: '' }],
    ['an id that nobody can keep', { id: 'p'.repeat(300) }],
    ['a pending status', { status: 'processing' }],
    ['a status to come', { status: 'requires_something_new' }],
    ['an unconfirmed status', { status: 'requires_confirmation' }],
  ])('is not believed with %s', async (_what, change) => {
    expect(await answered(200, { ...intent, ...change })).toMatchObject({ kind: 'unknown' });
  });

  it('tells its own amount and currency, which are compared with what was sent', async () => {
    const other = { amount: 1_998, amount_received: 1_998, currency: 'eur' };
    expect(await answered(200, { ...intent, ...other })).toMatchObject({
      kind: 'succeeded',
      told: { amountMinor: 1_998, currency: 'EUR' },
    });
  });

  it('is not believed where its status is that of an error', async () => {
    expect(await answered(400, intent)).toMatchObject({ kind: 'unknown' });
    expect(await answered(402, { error: { type: 'card_error', code: 'card_declined' } })).toEqual({
      kind: 'unknown',
      reason: 'Stripe declined without naming our charge',
    });
    const crossed = { id: 'pi_2', metadata: { recoup_idempotency_key: 'att_9-0' } };
    expect(
      await answered(402, { error: { type: 'card_error', payment_intent: crossed } }),
    ).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['requires_payment_method', 'declined'],
    ['canceled', 'declined'],
    ['succeeded', 'unknown'],
    ['processing', 'unknown'],
    ['of_tomorrow', 'unknown'],
  ])('of a card error is held against the status of its intent: %s is %s', async (...of) => {
    const [status, kind] = of;
    const error = {
      type: 'card_error',
      code: 'card_declined',
      payment_intent: { ...intent, status },
    };
    expect(await answered(402, { error })).toMatchObject({ kind });
  });

  it('declines a charge for which the payer would have to act', async () => {
    expect(await answered(200, { ...intent, status: 'requires_action' })).toMatchObject({
      kind: 'declined',
      decline: { code: 'authentication_required' },
    });
  });

  it('repeats nothing of what Stripe said in its own words', async () => {
    const error = { type: 'invalid_request_error', code: 'no\nword', message: 'Jane Doe 4242' };
    expect(await answered(400, { error })).toEqual({
      kind: 'not_made',
      isRequestRefused: true,
      reason: 'Stripe answered HTTP 400 invalid_request_error',
    });
  });

  async function answered(status: number, body: unknown) {
    const psp = await brokenPsp((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    return charged(psp.url, request);
  }
});

describe('trouble', () => {
  it('is passed on with the wait that Stripe asks for', async () => {
    const limited = { ...request, paymentMethodId: 'pm_rate_limited' };
    expect(await gatewayTo(await stripe()).charge(limited)).toEqual({
      kind: 'not_made',
      reason: 'Stripe answered HTTP 429 invalid_request_error rate_limit',
      retryAfterMs: 7_000,
    });
  });

  it('never makes the SDK send a charge again after a reset', async () => {
    let connections = 0;
    const url = await rawPsp((socket) => {
      connections += 1;
      socket.resetAndDestroy();
    });
    expect(await charged(url, request)).toMatchObject({ kind: 'unknown' });
    expect(connections).toBe(1);
  });

  it('before the charge means that it was not made', async () => {
    const { pspCustomerId: _, ...unowned } = request;
    const hanging = await brokenPsp(() => undefined);
    expect(await charged(hanging.url, unowned, 300)).toEqual({
      kind: 'not_made',
      reason: 'the payment method was not read: no answer within 50 ms',
    });
    const gone = { ...unowned, paymentMethodId: 'pm_that_is_not_there' };
    const server = await stripe();
    expect(await gatewayTo(server).charge(gone)).toMatchObject({
      kind: 'not_made',
      isRequestRefused: true,
    });
    expect(server.charges()).toEqual([]);
  });

  it('says what a restricted key lacks', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server, {
      credentials: { secret_key: restrictedKey('charge_read') },
    });
    expect(await gateway.charge(request)).toEqual({
      kind: 'not_made',
      reason:
        'Stripe answered HTTP 403 invalid_request_error, the key lacks rak_payment_intent_write',
    });
  });

  it('of a key that no header can carry makes nothing', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server, { credentials: { secret_key: 'sk_test\n1' } });
    expect(await gateway.charge(request)).toMatchObject({ kind: 'not_made' });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['KWD', 12_345],
    ['ISK', 0],
    ['USD', 0],
    ['MGA', 150],
  ])('is foreseen: %s %i is not sent', async (currency, amountMinor) => {
    const server = await stripe();
    const refused = await gatewayTo(server).charge({ ...request, currency, amountMinor });
    expect(refused).toMatchObject({ kind: 'not_made', reason: expect.stringContaining(currency) });
    expect(server.requests).toEqual([]);
  });
});

async function charged(url: string, charge: ChargeRequest, deadlineMs = 1_000) {
  const gateway = openGateway(url, { deadlineMs, credentials: { secret_key: 'sk_test_1' } });
  onTestFinished(() => gateway.close());
  return gateway.charge(charge);
}
