import { describe, expect, it } from 'vitest';
import { CardCode } from '../../../src/domain/card-code.ts';
import { brokenPsp } from '../broken-psp.ts';
import { describeGateway, type GatewayUnderTest } from '../conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { gatewayTo, now, request, sought, worldpay } from './worldpay-kit.ts';

describeGateway('Worldpay', startUnderTest);
describeOperations('Worldpay', startUnderTest);

async function startUnderTest(): Promise<GatewayUnderTest> {
  const psp = await worldpay();
  return {
    gateway: gatewayTo(psp.url, psp.credentials),
    gatewayAt: (baseUrl, deadlineMs) => gatewayTo(baseUrl, psp.credentials, deadlineMs),
    refused: gatewayTo(psp.url, psp.refusedCredentials),
    methods: psp.methods,
    refusal: (message) => ({
      status: 400,
      text: JSON.stringify({ errorName: 'bodyDoesNotMatchSchema', message }),
    }),
    chargesOf: async (invoiceId) => psp.charges(invoiceId),
    everythingWritten: async () => psp.written(),
  };
}

describe('a charge at Worldpay', () => {
  it('is a later payment of a subscription, settled at once', async () => {
    const psp = await worldpay();
    await gatewayTo(psp.url, psp.credentials).charge({
      ...request,
      networkTransactionId: 'MCCOLXT1C0104  ',
      token: { id: 'tok_1', cardCode: new CardCode('8731') },
    });
    expect(psp.payments.map((payment) => payment.request)).toEqual([
      {
        transactionReference: 'key-1',
        merchant: { entity: 'RecoupShop' },
        instruction: {
          method: 'card',
          paymentInstrument: {
            type: 'token',
            href: 'https://try.access.worldpay.com/tokens/tok_1',
            cvc: '8731',
          },
          customerAgreement: {
            type: 'subscription',
            storedCardUsage: 'subsequent',
            schemeReference: 'MCCOLXT1C0104',
          },
          narrative: { line1: 'RecoupShop' },
          value: { currency: 'EUR', amount: 500 },
          settlement: { auto: true },
        },
      },
    ]);
  });

  it("leaves the card verification number out where the token's own is meant", async () => {
    const psp = await worldpay();
    const token = { id: 'tok_1', cardCode: new CardCode('000') };
    await gatewayTo(psp.url, psp.credentials).charge({ ...request, token });
    const [payment] = psp.payments;
    expect(payment?.request.instruction.paymentInstrument).not.toHaveProperty('cvc');
  });

  it("takes a token by its whole address, and none of another server's", async () => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, psp.credentials);
    const whole = 'https://try.access.worldpay.com/tokens/tok_success';
    expect(await gateway.charge({ ...request, paymentMethodId: whole })).toMatchObject({
      kind: 'succeeded',
    });
    for (const paymentMethodId of [
      'https://access.worldpay.com/tokens/tok_success',
      'https://evil.example/tokens/tok_success',
      '../payments',
      '',
    ]) {
      const result = await gateway.charge({ ...request, idempotencyKey: 'key-2', paymentMethodId });
      expect(result, paymentMethodId).toMatchObject({ kind: 'not_made' });
    }
    expect(psp.payments).toHaveLength(1);
  });

  it.each([
    ['a reference that is too long', { idempotencyKey: 'k'.repeat(65) }],
    ['a reference of other letters', { idempotencyKey: 'key;1' }],
    ['nothing to charge', { amountMinor: 0 }],
  ])('is not made with %s', async (_what, other) => {
    const psp = await worldpay();
    const result = await gatewayTo(psp.url, psp.credentials).charge({ ...request, ...other });
    expect(result).toMatchObject({ kind: 'not_made' });
    expect(psp.written()).toBe('');
  });

  it('leaves a network reference out that Worldpay would refuse', async () => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, psp.credentials);
    await gateway.charge({ ...request, networkTransactionId: 'not a reference' });
    expect(psp.payments[0]?.request.instruction.customerAgreement).toEqual({
      type: 'subscription',
      storedCardUsage: 'subsequent',
    });
  });
});

describe('an answer of Worldpay', () => {
  const charged = async (paymentMethodId: string) => {
    const psp = await worldpay();
    return gatewayTo(psp.url, psp.credentials).charge({ ...request, paymentMethodId });
  };

  it('names the payment by the reference that it was sent with', async () => {
    expect(await charged('tok_authorized')).toEqual({
      kind: 'succeeded',
      pspTransactionId: 'key-1',
      networkTransactionId: '060720116005060',
      card: {
        fingerprint: '3001DBT34Q41D6J7PFC5W0UACOT4C',
        network: 'visa',
        credentialForm: 'pan',
      },
    });
  });

  it('tells the amount where a part of it was approved, which is no success of the whole', async () => {
    expect(await charged('tok_part')).toMatchObject({
      kind: 'succeeded',
      told: { amountMinor: 120, currency: 'EUR' },
    });
  });

  it.each([
    ['tok_device_data', 'customer_action'],
    ['tok_challenged', 'customer_action'],
    ['tok_fraud', 'review'],
    ['tok_cancelled', 'review'],
  ])('that ends a payment without money (%s) is a decline: %s', async (method, category) => {
    expect(await charged(method)).toMatchObject({ kind: 'declined', decline: { category } });
  });

  it('that is no known outcome leaves the charge unknown', async () => {
    expect(await charged('tok_new_word')).toMatchObject({ kind: 'unknown' });
  });

  it('passes the wait of a 429 on', async () => {
    expect(await charged('tok_too_many')).toEqual({
      kind: 'not_made',
      reason: 'HTTP 429, error tooManyRequests',
      retryAfterMs: 30_000,
    });
  });

  it('to another payment resolves nothing', async () => {
    const psp = await brokenPsp((_request, response) => {
      response.writeHead(201);
      response.end(JSON.stringify({ outcome: 'authorized', transactionReference: 'another' }));
    });
    const gateway = gatewayTo(psp.url, { username: 'u', password: 'p', entity: 'shop' });
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    [400, {}],
    [404, {}],
    [409, { errorName: 'conflict' }],
    [400, { errorName: 'duplicateReference' }],
    [400, { errorName: 'bad', validationErrors: [{ jsonPath: '$.transactionReference' }] }],
  ])('of %i with %j says nothing certain', async (status, body) => {
    const psp = await brokenPsp((_request, response) => {
      response.writeHead(status);
      response.end(JSON.stringify(body));
    });
    const gateway = gatewayTo(psp.url, { username: 'u', password: 'p', entity: 'shop' });
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
  });
});

describe("Worldpay's record", () => {
  it.each([
    ['tok_authorized', { kind: 'succeeded' }],
    ['tok_failed', { kind: 'declined', decline: { category: 'technical' } }],
    ['tok_cancelled', { kind: 'declined', decline: { category: 'review' } }],
    ['tok_timed_out', { kind: 'unknown' }],
    ['tok_challenged', { kind: 'unknown' }],
    ['tok_do_not_honor', { kind: 'declined', decline: { code: '5', networkCode: '05' } }],
  ])('says of %s: %j', async (paymentMethodId, result) => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, psp.credentials);
    await gateway.charge({ ...request, paymentMethodId });
    expect(await gateway.lookUp(sought)).toMatchObject(result);
  });

  it('trims the network reference that it pads', async () => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, psp.credentials);
    await gateway.charge(request);
    expect(await gateway.lookUp(sought)).toEqual({
      kind: 'succeeded',
      pspTransactionId: 'key-1',
      networkTransactionId: '060720116005060',
      told: { amountMinor: request.amountMinor, currency: request.currency },
    });
  });

  it('says nothing of a payment that it may not hold yet', async () => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, psp.credentials);
    const lagMs = gateway.capabilities.recordLagMs;
    const sentAt = (agoMs: number) => ({ ...sought, sentAt: new Date(now.getTime() - agoMs) });
    expect(await gateway.lookUp(sentAt(lagMs - 1))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp(sentAt(lagMs))).toEqual({ kind: 'not_found' });
  });

  it('is held for complete by no clock of ours alone', async () => {
    const theirs = new Date(now);
    const psp = await worldpay(() => theirs);
    const gateway = gatewayTo(psp.url, psp.credentials);
    const { recordLagMs } = gateway.capabilities;
    theirs.setTime(sought.sentAt.getTime() + recordLagMs - 1_001);
    expect(await gateway.lookUp(sought)).toMatchObject({ kind: 'unknown' });
    theirs.setTime(sought.sentAt.getTime() + recordLagMs);
    expect(await gateway.lookUp(sought)).toEqual({ kind: 'not_found' });
  });

  it('is held for complete by no answer without a time', async () => {
    const psp = await brokenPsp((_request, response) => {
      response.sendDate = false;
      response.end(JSON.stringify({ _embedded: { payments: [] } }));
    });
    const gateway = gatewayTo(psp.url, { username: 'u', password: 'p', entity: 'shop' });
    expect(await gateway.lookUp(sought)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['amount', { amountMinor: 501 }],
    ['currency', { currency: 'USD' }],
  ])('of another %s tells what it was made for', async (_what, other) => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, psp.credentials);
    await gateway.charge(request);
    expect(await gateway.lookUp({ ...sought, ...other })).toMatchObject({
      kind: 'succeeded',
      told: { amountMinor: request.amountMinor, currency: request.currency },
    });
  });

  it.each(['refundFailed', 'refundTimedOut'])(
    'of a payment that was taken and then has %s says that it was',
    async (lastEvent) => {
      const value = { currency: 'EUR', amount: 500 };
      const payment = { transactionReference: 'key-1', lastEvent, value };
      const psp = await brokenPsp((_request, response) => {
        response.end(JSON.stringify({ _embedded: { payments: [payment] } }));
      });
      const gateway = gatewayTo(psp.url, { username: 'u', password: 'p', entity: 'shop' });
      expect(await gateway.lookUp(sought)).toMatchObject({ kind: 'succeeded' });
    },
  );

  // In the shape of the guide's example (products/payment-queries, query by transaction reference).
  const summary = {
    timestamp: '2026-11-02T09:00:01.319Z',
    transactionReference: 'key-1',
    transactionType: 'recurring',
    authorizationType: 'authorization',
    entity: 'shop',
    value: { currency: 'EUR', amount: 500 },
    _links: { self: { href: '/paymentQueries/payments/pay9' } },
  };
  const event = (eventName: string, more: object = {}) => ({ eventName, commandId: 'c', ...more });

  it.each([
    [[event('authorizationSucceeded'), event('settlementRequested')], { kind: 'succeeded' }],
    [
      [event('authorizationRefused', { code: '65', description: 'Authentication Requested' })],
      { kind: 'declined', decline: { networkCode: '65' } },
    ],
    [[event('authorizationTimedOut')], { kind: 'unknown' }],
    [[], { kind: 'unknown' }],
  ])('without its last event in the list is read whole: %j', async (events, result) => {
    const whole = { ...summary, events: [event('authorizationRequested'), ...events] };
    const psp = await brokenPsp(({ url }, response) => {
      const isWhole = url === '/paymentQueries/payments/pay9';
      const list = { _embedded: { payments: [summary] } };
      response.end(JSON.stringify(isWhole ? whole : list));
    });
    const gateway = gatewayTo(psp.url, { username: 'u', password: 'p', entity: 'shop' });
    expect(await gateway.lookUp(sought)).toMatchObject(result);
  });

  it('that is about another payment when it is read whole resolves nothing', async () => {
    const whole = { ...summary, transactionReference: 'key-2', lastEvent: 'saleSucceeded' };
    const psp = await brokenPsp(({ url }, response) => {
      const isWhole = url === '/paymentQueries/payments/pay9';
      const list = { _embedded: { payments: [summary] } };
      response.end(JSON.stringify(isWhole ? whole : list));
    });
    const gateway = gatewayTo(psp.url, { username: 'u', password: 'p', entity: 'shop' });
    expect(await gateway.lookUp(sought)).toMatchObject({ kind: 'unknown' });
  });

  it('of several payments with one reference resolves nothing', async () => {
    const payment = { transactionReference: 'key-1', lastEvent: 'saleSucceeded' };
    const psp = await brokenPsp((_request, response) => {
      response.end(JSON.stringify({ _embedded: { payments: [payment, payment] } }));
    });
    const gateway = gatewayTo(psp.url, { username: 'u', password: 'p', entity: 'shop' });
    expect(await gateway.lookUp(sought)).toMatchObject({ kind: 'unknown' });
  });
});

describe('a connection to Worldpay', () => {
  const check = async (credentials: Record<string, string>) => {
    const psp = await worldpay();
    return gatewayTo(psp.url, { ...psp.credentials, ...credentials }).checkCredentials();
  };

  it('gives the entity, which Worldpay does not check', async () => {
    expect(await check({})).toMatchObject({ kind: 'accepted', account: 'RecoupShop' });
    expect(await check({ webhook_secret: '' })).toMatchObject({
      warnings: expect.arrayContaining([expect.stringContaining('webhook_secret')]),
    });
  });

  it.each([
    [{ environment: 'staging' }, 'environment'],
    [{ entity: 'no/entity' }, 'entity'],
    [{ entity: '' }, 'entity'],
    [{ password: '' }, 'password'],
    [{ narrative: 'more than twenty-four letters' }, 'narrative'],
  ])('names what to change of %j', async (credentials, word) => {
    expect(await check(credentials)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(word),
    });
  });

  it('with faulty credentials asks nothing of Worldpay', async () => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, { ...psp.credentials, environment: 'staging' });
    expect(await gateway.charge(request)).toMatchObject({ kind: 'not_made' });
    expect(await gateway.lookUp(sought)).toMatchObject({ kind: 'unknown' });
    const delivery = { rawBody: Buffer.from('{}'), headers: {}, receivedAt: now };
    expect(await gateway.readWebhook(delivery)).toMatchObject({ kind: 'unverified' });
    expect(psp.written()).toBe('');
  });

  it('says that nothing was made for an entity that is not its own', async () => {
    const psp = await worldpay();
    const gateway = gatewayTo(psp.url, { ...psp.credentials, entity: 'AnotherShop' });
    expect(await gateway.charge(request)).toEqual({
      kind: 'not_made',
      isRequestRefused: true,
      reason: 'HTTP 400, error entityIsNotConfigured',
    });
  });
});
