import { describe, expect, it } from 'vitest';
import type { ChargeRequest } from '../../../src/recovery/psp-ports.ts';
import { faultText } from '../../kits/psps/braintree-server.ts';
import { document } from '../../kits/psps/braintree-xml.ts';
import { brokenPsp } from '../broken-psp.ts';
import { describeGateway, type GatewayUnderTest } from '../conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { braintreeServer, gatewayTo } from './braintree-kit.ts';

describeGateway('Braintree', startUnderTest);
describeOperations('Braintree', startUnderTest);

async function startUnderTest(): Promise<GatewayUnderTest> {
  const server = await braintreeServer();
  const { url, credentials, refusedCredentials, methods } = server;
  return {
    gateway: gatewayTo(url, credentials),
    gatewayAt: (baseUrl, deadlineMs) => gatewayTo(baseUrl, credentials, { deadlineMs }),
    refused: gatewayTo(url, refusedCredentials),
    methods,
    refusal: (message) => ({ status: 422, text: faultText('81502', message) }),
    chargesOf: async (invoiceId) => server.charges(invoiceId),
    everythingWritten: async () => server.written(),
  };
}

const request: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key-1',
  amountMinor: 1_999,
  currency: 'USD',
  paymentMethodId: 'bt_success',
};
const asked = { ...request, sentAt: new Date('2026-11-02T09:00:00Z') };

it('sends a recurring sale that settles at once, under our key', async () => {
  const server = await braintreeServer();
  await gatewayTo(server.url, server.credentials).charge({
    ...request,
    billingAddress: { name: 'Jane van Doe', city: 'Ghent', state: 'VO', zip: '9000', phone: '1' },
    pspInvoiceId: 'sub_1',
  });
  expect(server.transaction(0)?.attributes).toEqual({
    type: 'sale',
    amount: '19.99',
    payment_method_token: 'bt_success',
    order_id: 'key-1',
    api_request_key: 'key-1',
    transaction_source: 'recurring',
    merchant_account_id: 'acme_usd',
    subscription_id: 'sub_1',
    billing: {
      first_name: 'Jane van',
      last_name: 'Doe',
      locality: 'Ghent',
      region: 'VO',
      postal_code: '9000',
    },
    options: { submit_for_settlement: true },
  });
});

it('finds the subscription whose charge failed, and none of a plain sale', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const failed = { ...request, paymentMethodId: 'bt_decline_2001' };
  const ofSubscription = await gateway.charge({ ...failed, pspInvoiceId: 'sub_1' });
  const plain = await gateway.charge({ ...failed, idempotencyKey: 'key-2' });
  const find = (result: typeof plain) =>
    gateway.findInvoice({
      pspTransactionId: 'pspTransactionId' in result ? (result.pspTransactionId ?? '') : '',
    });
  expect(await find(ofSubscription)).toEqual({ kind: 'found', pspInvoiceId: 'sub_1' });
  expect(await find(plain)).toEqual({ kind: 'none' });
  expect(await gateway.findInvoice({ pspTransactionId: 'not_there' })).toEqual({
    kind: 'not_known',
  });
  await server.close();
  expect(await find(plain)).toMatchObject({ kind: 'unknown' });
});

it('goes on without an API request key where the account has no at-most-once processing', async () => {
  const server = await braintreeServer();
  server.allowKeys(false);
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.charge(request)).toMatchObject({ kind: 'succeeded' });
  expect(await gateway.charge({ ...request, idempotencyKey: 'key-2' })).toMatchObject({
    kind: 'succeeded',
  });
  expect(server.requests).toHaveLength(3);
});

it('finds the charge beside a repetition that Braintree refused as a duplicate', async () => {
  const server = await braintreeServer();
  server.allowKeys(false);
  const gateway = gatewayTo(server.url, server.credentials);
  const first = await gateway.charge(request);
  expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
  expect(await gateway.lookUp(asked)).toEqual(first);
});

it.each([
  ['submitted_for_settlement', 'succeeded'],
  ['settlement_pending', 'succeeded'],
  ['processor_declined', 'declined'],
  ['authorizing', 'unknown'],
])('is what became of it when Braintree itself tried it again: %s', async (status, kind) => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const retried = { ...request, paymentMethodId: `bt_retried_${status}` };
  const result = await gateway.charge(retried);
  expect(result).toMatchObject({ kind });
  const again = await gateway.lookUp({ ...asked, paymentMethodId: retried.paymentMethodId });
  expect(again).toMatchObject({ kind });
  if (kind === 'succeeded') {
    expect([result, again]).toMatchObject([
      { pspTransactionId: 'rttx000001' },
      { pspTransactionId: 'rttx000001' },
    ]);
  }
});

it('names the card by its number’s identifier, at once and when looked up', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const paymentMethodId = 'bt_decline_2001_net_51_mac_24';
  const card = {
    fingerprint: `uni_${paymentMethodId}`,
    network: 'mastercard',
    credentialForm: 'token',
  };
  expect(await gateway.charge({ ...request, paymentMethodId })).toMatchObject({ card });
  expect(await gateway.lookUp({ ...asked, paymentMethodId })).toMatchObject({ card });
});

it('is asked for what a key that was sent with another amount has charged', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  await gateway.charge(request);
  const other = { ...request, amountMinor: 2_000 };
  expect(await gateway.charge(other)).toMatchObject({
    kind: 'unknown',
    reason: expect.stringContaining('915232'),
  });
  expect(await gateway.lookUp({ ...asked, amountMinor: 2_000 })).toMatchObject({
    kind: 'succeeded',
    told: { amountMinor: 1_999, currency: 'USD' },
  });
});

it('charges a currency that was not named only where the default account is in it', async () => {
  const server = await braintreeServer();
  const { merchant_account_ids: _, ...credentials } = server.credentials as Record<string, string>;
  const gateway = gatewayTo(server.url, credentials);
  expect(await gateway.charge(request)).toMatchObject({ kind: 'succeeded' });
  expect(await gateway.charge({ ...request, idempotencyKey: 'k2', currency: 'JPY' })).toEqual({
    kind: 'not_made',
    reason: 'no merchant account for JPY: name one in merchant_account_ids',
  });
  expect(server.charges()).toHaveLength(1);
  // One look at the merchant accounts serves both.
  expect(server.requests.filter((line) => line.includes('merchant_accounts'))).toHaveLength(1);
});

it.each([
  ['bt_status_failed', { kind: 'declined', decline: { code: '3000' } }],
  ['bt_rejected_risk_threshold', { kind: 'declined', decline: { code: 'risk_threshold' } }],
  ['bt_rejected_duplicate', { kind: 'unknown' }],
  ['bt_status_authorized', { kind: 'unknown' }],
  ['bt_status_voided', { kind: 'unknown' }],
  ['bt_status_settling', { kind: 'succeeded' }],
  ['bt_status_settled', { kind: 'succeeded' }],
  ['bt_status_a_word_of_tomorrow', { kind: 'unknown' }],
])('reads %s as %o, at once and when looked up', async (paymentMethodId, expected) => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.charge({ ...request, paymentMethodId })).toMatchObject(expected);
  expect(await gateway.lookUp({ ...asked, paymentMethodId })).toMatchObject(expected);
});

it('has one deadline for all that a charge takes', async () => {
  const server = await braintreeServer();
  const { merchant_account_ids: _, ...credentials } = server.credentials as Record<string, string>;
  const hanging = await brokenPsp(() => undefined);
  const gateway = gatewayTo(hanging.url, credentials, { deadlineMs: 500 });
  expect(await gateway.charge(request)).toEqual({
    kind: 'not_made',
    reason: "the default account's currency could not be read: no answer within 500 ms",
  });
  expect(hanging.requests.map(({ method }) => method)).toEqual(['GET']);
});

it('passes the wait of too many requests on', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.charge({ ...request, paymentMethodId: 'bt_busy' })).toEqual({
    kind: 'not_made',
    reason: 'HTTP 429: too many requests.',
    retryAfterMs: 7_000,
  });
});

it('says what Braintree refused, with its code', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.charge({ ...request, paymentMethodId: 'bt_invalid' })).toEqual({
    kind: 'not_made',
    isRequestRefused: true,
    reason: 'Braintree refused the request: Payment method token is invalid. (91518)',
  });
});

it.each([
  ['another charge', { 'order-id': 'key-2' }],
  ['a refund', { type: 'credit' }],
  ['no id', { id: '' }],
])('does not take an answer with %s for its own', async (_what, fields) => {
  const plain = { id: 'tx1', status: 'submitted_for_settlement', type: 'sale', amount: '19.99' };
  const ours = { 'currency-iso-code': 'USD', 'order-id': 'key-1' };
  const crossed = await brokenPsp((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/xml' });
    response.end(document('transaction', { ...plain, ...ours, ...fields }));
  });
  const server = await braintreeServer();
  const gateway = gatewayTo(crossed.url, server.credentials);
  expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
});

it.each([
  ['XML of another kind', 'application/xml', '<a><b>1</b></a>'],
  [
    'a search without ids',
    'application/xml',
    '<search-results><page-size>1</page-size></search-results>',
  ],
  ['half an XML', 'application/xml', '<search-results><ids type="array"><item>tx'],
  ['blanks', 'application/xml', '  '],
  ['nothing, as XML', 'application/xml', ''],
  ['half a JSON', 'application/json', '{"a'],
])('survives %s', async (_what, type, text) => {
  const broken = await brokenPsp((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(text);
  });
  const { credentials } = await braintreeServer();
  const gateway = gatewayTo(broken.url, credentials);
  expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
  expect(await gateway.lookUp(asked)).toMatchObject({ kind: 'unknown' });
  expect(await gateway.checkCredentials()).toMatchObject({ kind: 'unreachable' });
});

it('sends no amount that is none', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  for (const amountMinor of [0, -1, 1.5, Number.NaN, 1e12]) {
    expect(await gateway.charge({ ...request, amountMinor })).toMatchObject({ kind: 'not_made' });
  }
  expect(server.requests).toEqual([]);
});

it.each([
  ['private_key', ''],
  ['environment', 'test'],
  ['merchant_account_ids', 'EUR:acme_eur'],
  ['merchant_account_ids', 'EUR=a,EUR=b'],
  ['merchant_account_ids', 'EUR=acme_usd'],
  ['merchant_account_ids', 'CHF=acme_chf'],
  ['public_key', 'acme_other'],
])('refuses credentials with the %s "%s", and says what to change', async (name, text) => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, { ...server.credentials, [name]: text });
  expect(await gateway.checkCredentials()).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining(name),
  });
});

it('names the account that it opened', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.checkCredentials()).toEqual({ kind: 'accepted', account: 'acme_gateway' });
});

it('says which permission is missing', async () => {
  const forbidding = await brokenPsp((_request, response) => response.writeHead(403).end());
  const { credentials } = await braintreeServer();
  const gateway = gatewayTo(forbidding.url, credentials);
  expect(await gateway.checkCredentials()).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('permission'),
  });
  expect(await gateway.charge(request)).toMatchObject({ kind: 'not_made' });
});

describe('giving a transaction back', () => {
  const asked = { merchantId: 'mer_1', invoiceId: 'in_1', amountMinor: 500, currency: 'USD' };

  async function charged() {
    const server = await braintreeServer();
    const gateway = gatewayTo(server.url, server.credentials);
    await gateway.charge({ ...asked, idempotencyKey: 'key-1', paymentMethodId: 'bt_success' });
    const kept = server.transaction(0);
    if (kept === undefined) throw new Error('nothing was charged');
    const refund = { ...asked, pspTransactionId: kept.id, idempotencyKey: 'rcr_1' };
    return { gateway, kept, refund };
  }

  it('voids it as a whole until it is settled', async () => {
    const { gateway, kept, refund } = await charged();
    expect(await gateway.refund({ ...refund, amountMinor: 400 })).toMatchObject({
      kind: 'refused',
    });
    expect(await gateway.refund(refund)).toEqual({ kind: 'refunded', refundId: kept.id });
    expect([kept.status, kept.refunds]).toEqual(['voided', []]);
  });

  it('refunds it once for one key when it is settled', async () => {
    const { gateway, kept, refund } = await charged();
    kept.status = 'settled';
    const part = { ...refund, amountMinor: 200 };
    expect(await gateway.refund(part)).toMatchObject({ kind: 'pending' });
    expect(await gateway.refund(part)).toMatchObject({ kind: 'pending' });
    expect(kept.refunds).toMatchObject([{ orderId: 'rcr_1', amount: '2.00' }]);
  });

  it.each(['processor_declined', 'gateway_rejected', 'failed', 'authorizing'])(
    'refuses it where it is %s, and asks for no refund',
    async (status) => {
      const { gateway, kept, refund } = await charged();
      kept.status = status;
      expect(await gateway.refund(refund)).toEqual({
        kind: 'refused',
        reason: 'No money of this transaction was taken.',
      });
      expect([kept.status, kept.refunds]).toEqual([status, []]);
    },
  );

  it.each([{ amountMinor: 501 }, { currency: 'EUR' }])('refuses %j', async (other) => {
    const { gateway, refund } = await charged();
    expect(await gateway.refund({ ...refund, ...other })).toMatchObject({ kind: 'refused' });
  });
});
