import { describe, expect, it } from 'vitest';
import { brokenPsp } from '../broken-psp.ts';
import { describeGateway, type GatewayUnderTest } from '../conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { adyen, gatewayTo, request } from './adyen-kit.ts';

describeGateway('Adyen', startUnderTest, { pspCustomerId: 'cus_1' });
describeOperations('Adyen', startUnderTest, { pspCustomerId: 'cus_1' });

async function startUnderTest(): Promise<GatewayUnderTest> {
  const psp = await adyen();
  return {
    gateway: gatewayTo(psp.url, psp.credentials),
    gatewayAt: (baseUrl, deadlineMs) => gatewayTo(baseUrl, psp.credentials, deadlineMs),
    refused: gatewayTo(psp.url, psp.refusedCredentials),
    methods: psp.methods,
    refusal: (message) => ({
      status: 422,
      text: JSON.stringify({ status: 422, errorCode: '702', message, errorType: 'validation' }),
    }),
    chargesOf: async (invoiceId) => psp.charges(invoiceId),
    everythingWritten: async () => psp.written(),
  };
}

describe('a charge at Adyen', () => {
  it('is a subscription payment of a shopper who is not there, named by our key', async () => {
    const psp = await adyen();
    await gatewayTo(psp.url, psp.credentials).charge({
      ...request,
      networkTransactionId: '015221789456213',
      metadata: { plan: 'pro' },
    });
    expect(psp.payments.map((payment) => payment.request)).toEqual([
      {
        amount: { value: 500, currency: 'EUR' },
        merchantAccount: psp.credentials.merchant_account,
        reference: 'key-1',
        returnUrl: expect.stringMatching(/^https:/),
        paymentMethod: { type: 'scheme', storedPaymentMethodId: 'stored_success' },
        shopperReference: 'cus_1',
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'Subscription',
        metadata: { recoup_invoice_id: 'in_1', plan: 'pro' },
        additionalData: { networkTxReference: '015221789456213' },
      },
    ]);
  });

  it('is not made without the shopper whose method it is', async () => {
    const psp = await adyen();
    const { pspCustomerId: _none, ...anonymous } = request;
    expect(await gatewayTo(psp.url, psp.credentials).charge(anonymous)).toMatchObject({
      kind: 'not_made',
      reason: expect.stringContaining('psp_id'),
    });
    expect(psp.charges()).toEqual([]);
  });

  it('keeps what metadata Adyen takes and leaves out what it would refuse', async () => {
    const psp = await adyen();
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, index]));
    await gatewayTo(psp.url, psp.credentials).charge({
      ...request,
      metadata: {
        yes: true,
        nested: { a: 1 },
        'a name of more than twenty characters': 'x',
        long: 'x'.repeat(81),
        recoup_invoice_id: 'another',
        ...many,
      },
    });
    const [payment] = psp.payments;
    expect(payment?.request.metadata).toMatchObject({ recoup_invoice_id: 'in_1', yes: 'true' });
    expect(Object.keys(payment?.request.metadata)).toHaveLength(20);
    expect(payment?.request.metadata).not.toHaveProperty('nested');
    expect(payment?.request.metadata).not.toHaveProperty('long');
  });

  it.each([
    ['CLP', 500, 50_000],
    ['ISK', 1_299, 129_900],
    ['IDR', 1_500_000, 15_000],
    ['CVE', 100, 1],
    ['KWD', 1_234, 1_234],
    ['VND', 30_000, 30_000],
  ])('in %s sends %i of the ISO unit as %i of Adyen', async (currency, amountMinor, value) => {
    const psp = await adyen();
    const result = await gatewayTo(psp.url, psp.credentials).charge({
      ...request,
      currency,
      amountMinor,
    });
    expect(result).toMatchObject({ kind: 'succeeded' });
    expect(psp.payments[0]?.request.amount).toEqual({ value, currency });
  });

  it('is not made of less than the smallest unit that Adyen has', async () => {
    const psp = await adyen();
    const rupiah = { ...request, currency: 'IDR', amountMinor: 1_550 };
    expect(await gatewayTo(psp.url, psp.credentials).charge(rupiah)).toMatchObject({
      kind: 'not_made',
    });
    expect(psp.charges()).toEqual([]);
  });

  it.each([
    ['idempotencyKey', 'k'.repeat(65)],
    ['paymentMethodId', 's'.repeat(65)],
  ])('is not made with a longer %s than Adyen takes', async (field, text) => {
    const psp = await adyen();
    const result = await gatewayTo(psp.url, psp.credentials).charge({ ...request, [field]: text });
    expect(result).toMatchObject({ kind: 'not_made' });
    expect(psp.charges()).toEqual([]);
  });
});

describe('an answer of Adyen', () => {
  const charged = async (paymentMethodId: string) => {
    const psp = await adyen();
    return gatewayTo(psp.url, psp.credentials).charge({ ...request, paymentMethodId });
  };

  it('names the card by its alias, or by its payment account', async () => {
    expect(await charged('stored_success')).toMatchObject({
      card: { fingerprint: 'alias:H167852639363479', network: 'visa' },
    });
    expect(await charged('stored_expired')).toMatchObject({
      card: { fingerprint: 'par:50012W3XRYAJ8QH25UDRGWX2TR3FN', network: 'visa' },
    });
    expect(await charged('stored_acquirer_error')).not.toHaveProperty('card');
  });

  it('passes the wait of a 429 on', async () => {
    expect(await charged('stored_too_many')).toEqual({
      kind: 'not_made',
      reason: 'HTTP 429, error 029',
      retryAfterMs: 30_000,
    });
  });

  it.each(['stored_redirect', 'stored_challenge'])(
    'that sends the payer elsewhere (%s) is a decline that the payer must act on',
    async (method) => {
      expect(await charged(method)).toMatchObject({
        kind: 'declined',
        decline: { category: 'customer_action' },
      });
    },
  );

  it.each(['stored_pending', 'stored_received', 'stored_partial', 'stored_new_word'])(
    'that is no result (%s) leaves the charge unknown',
    async (method) => {
      expect(await charged(method)).toMatchObject({ kind: 'unknown' });
    },
  );

  it.each([
    ['stored_acquirer_error', '4'],
    ['stored_cancelled', 'Cancelled'],
  ])('that ends a payment without money (%s) is a decline', async (method, code) => {
    expect(await charged(method)).toMatchObject({
      kind: 'declined',
      pspTransactionId: expect.stringMatching(/.+/),
      decline: { code },
    });
  });

  it('says of a key in progress, and of an error for now, only that it is not known', async () => {
    expect(await charged('stored_transient')).toMatchObject({ kind: 'unknown' });
    for (const [status, errorCode] of [
      [422, '704'],
      [409, '704'],
      [422, undefined],
    ] as const) {
      const psp = await brokenPsp((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ status, errorCode, message: 'once more' }));
      });
      const gateway = gatewayTo(psp.url, { api_key: 'k', merchant_account: 'm' });
      expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    }
  });

  it.each([
    ['another reference', { merchantReference: 'another' }],
    ['no payment reference', { pspReference: undefined }],
    ['a payment reference that is no text', { pspReference: 17 }],
  ])('with %s resolves nothing', async (_what, other) => {
    for (const resultCode of ['Authorised', 'Refused']) {
      const psp = await brokenPsp((_request, response) => {
        const answer = { pspReference: 'PSP1', merchantReference: 'key-1', resultCode, ...other };
        response.end(JSON.stringify(answer));
      });
      const gateway = gatewayTo(psp.url, { api_key: 'k', merchant_account: 'm' });
      expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    }
  });

  it('with another amount tells what was charged', async () => {
    const psp = await brokenPsp((_request, response) => {
      const amount = { value: 501, currency: 'USD' };
      const answer = { pspReference: 'PSP1', merchantReference: 'key-1', amount };
      response.end(JSON.stringify({ ...answer, resultCode: 'Authorised' }));
    });
    const gateway = gatewayTo(psp.url, { api_key: 'k', merchant_account: 'm' });
    expect(await gateway.charge(request)).toEqual({
      kind: 'succeeded',
      pspTransactionId: 'PSP1',
      told: { amountMinor: 501, currency: 'USD' },
    });
  });

  it('without an amount resolves the charge that it names', async () => {
    const psp = await brokenPsp((_request, response) => {
      response.end(
        JSON.stringify({
          pspReference: 'PSP1',
          merchantReference: 'key-1',
          resultCode: 'Authorised',
        }),
      );
    });
    const gateway = gatewayTo(psp.url, { api_key: 'k', merchant_account: 'm' });
    expect(await gateway.charge(request)).toEqual({ kind: 'succeeded', pspTransactionId: 'PSP1' });
  });
});

describe('a connection to Adyen', () => {
  const check = async (credentials: Record<string, string>) => {
    const psp = await adyen();
    return gatewayTo(psp.url, { ...psp.credentials, ...credentials }).checkCredentials();
  };

  it('gives the merchant account, and warns where no webhook can be verified', async () => {
    expect(await check({})).toEqual({ kind: 'accepted', account: 'RecoupECOM' });
    expect(await check({ hmac_key: '' })).toMatchObject({
      kind: 'accepted',
      warnings: [expect.stringContaining('hmac_key')],
    });
  });

  it('names what to change: the account, the environment, the prefix, the HMAC key', async () => {
    for (const [credentials, word] of [
      [{ merchant_account: 'AnotherECOM' }, 'merchant_account'],
      [{ environment: 'staging' }, 'environment'],
      [{ environment: 'live' }, 'live_url_prefix'],
      [{ live_url_prefix: 'evil.example/' }, 'live_url_prefix'],
      [{ hmac_key: 'not hexadecimal' }, 'hmac_key'],
      [{ hmac_key: '44' }, 'hmac_key'],
      [{ api_key: '' }, 'api_key'],
    ] as const) {
      expect(await check(credentials)).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining(word),
      });
    }
  });

  it('with faulty credentials charges nothing and takes no webhook', async () => {
    const psp = await adyen();
    const gateway = gatewayTo(psp.url, { ...psp.credentials, environment: 'live' });
    expect(await gateway.charge(request)).toMatchObject({ kind: 'not_made' });
    const delivery = { rawBody: Buffer.from('{}'), headers: {}, receivedAt: new Date() };
    expect(await gateway.readWebhook(delivery)).toMatchObject({ kind: 'unverified' });
    expect(psp.written()).toBe('');
  });

  it('calls the live endpoint of its prefix in the live environment', async () => {
    const paths: string[] = [];
    const live = await brokenPsp((message, response) => {
      paths.push(message.url ?? '');
      response.end('{}');
    });
    const gateway = gatewayTo(live.url, {
      api_key: 'k',
      merchant_account: 'm',
      live_url_prefix: '1797a841fbb37ca7-AdyenDemo',
    });
    await gateway.checkCredentials();
    expect(paths).toEqual([expect.stringMatching(/^\/checkout\/v\d+\/paymentMethods$/)]);
  });
});
