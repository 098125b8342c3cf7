import { expect, it } from 'vitest';
import { chargeKey } from '../../../src/recovery/engine/charge-key.ts';
import type { ChargeRequest } from '../../../src/recovery/psp-ports.ts';
import { invalid } from '../../kits/psps/checkout-server.ts';
import { brokenPsp } from '../broken-psp.ts';
import { describeGateway, type GatewayUnderTest } from '../conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { checkoutServer, gatewayTo } from './checkout-kit.ts';

describeGateway('Checkout.com', startUnderTest);
describeOperations('Checkout.com', startUnderTest);

async function startUnderTest(): Promise<GatewayUnderTest> {
  const server = await checkoutServer();
  const { url, credentials, refusedCredentials, methods } = server;
  return {
    gateway: gatewayTo(url, credentials),
    gatewayAt: (baseUrl, deadlineMs) => gatewayTo(baseUrl, credentials, deadlineMs),
    refused: gatewayTo(url, refusedCredentials),
    methods,
    refusal: (message) => ({ status: 422, text: JSON.stringify(invalid(message)) }),
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
  paymentMethodId: 'src_success',
};
const asked = { ...request, sentAt: new Date('2026-11-02T09:00:00Z') };

it('sends a recurring charge of a stored source, captured at once', async () => {
  const server = await checkoutServer();
  await gatewayTo(server.url, server.credentials).charge({
    ...request,
    pspCustomerId: 'cus_1',
    networkTransactionId: '015221789456213',
    metadata: { order: 'A-17', nested: { left: 'out' }, seats: 3 },
  });
  expect(server.payment(0)?.body).toEqual({
    source: { type: 'id', id: 'src_success' },
    amount: 1_999,
    currency: 'USD',
    reference: 'key-1',
    payment_type: 'Recurring',
    merchant_initiated: true,
    capture: true,
    processing_channel_id: 'pc_acme',
    previous_payment_id: '015221789456213',
    customer: { id: 'cus_1' },
    metadata: { order: 'A-17', seats: 3 },
  });
});

it('sends as much metadata as Checkout.com takes', async () => {
  const server = await checkoutServer();
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`many_${at}`, at]));
  const metadata = { short: 'x'.repeat(255), long: 'x'.repeat(256), ...many };
  await gatewayTo(server.url, server.credentials).charge({ ...request, metadata });
  const sent = server.payment(0)?.body.metadata as Record<string, unknown>;
  expect(Object.keys(sent)).toHaveLength(20);
  expect(sent).toMatchObject({ short: metadata.short, many_0: 0 });
  expect(sent).not.toHaveProperty('long');
});

it('has a reference that is short enough for American Express, and is found by it', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const idempotencyKey = chargeKey({
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    paymentMethodId: 'src_amex',
    number: 1,
  });
  const amex = { idempotencyKey, paymentMethodId: 'src_amex' };
  const charged = await gateway.charge({ ...request, ...amex });
  expect(charged).toMatchObject({ kind: 'succeeded' });
  expect(server.payment(0)).toMatchObject({
    key: idempotencyKey,
    reference: idempotencyKey.slice(4),
  });
  expect(await gateway.lookUp({ ...asked, ...amex })).toEqual(charged);
  const day = { merchantId: 'mer_1', from: new Date(0), to: new Date('2027-01-01T00:00:00Z') };
  expect(await gateway.listCharges(day)).toMatchObject({ charges: [{ idempotencyKey }] });
});

it('finds a charge that an earlier release sent with the whole key for its reference', async () => {
  const server = await checkoutServer();
  const idempotencyKey = `rcp_${'0'.repeat(30)}`;
  const sent = await fetch(`${server.url}/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.credentials.secret_key}`,
      'cko-idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({
      source: { id: 'src_success' },
      processing_channel_id: 'pc_acme',
      amount: 1_999,
      currency: 'USD',
      reference: idempotencyKey,
    }),
  });
  const { id } = (await sent.json()) as { id: string };
  expect(
    await gatewayTo(server.url, server.credentials).lookUp({ ...asked, idempotencyKey }),
  ).toMatchObject({ kind: 'succeeded', pspTransactionId: id });
});

it.each([
  ['CLP', 500, 50_000],
  ['KWD', 12_340, 12_340],
  ['HUF', 12_345, 12_345],
])('counts %s %i as %i', async (currency, amountMinor, units) => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const charge = { ...request, currency, amountMinor };
  expect(await gateway.charge(charge)).toMatchObject({ kind: 'succeeded' });
  expect(server.payment(0)).toMatchObject({ currency, amount: units });
  expect(await gateway.lookUp({ ...asked, currency, amountMinor })).toMatchObject({
    kind: 'succeeded',
  });
});

it.each([
  ['KWD', 12_345, 'two decimals'],
  ['USD', 1_000_000_000, 'nine digits'],
  ['CLP', 10_000_000, 'nine digits'],
  ['USD', 0, 'no amount'],
  ['USD', 1.5, 'no amount'],
  ['XXX', 100, 'currency'],
])('sends no %s %d', async (currency, amountMinor, reason) => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.charge({ ...request, currency, amountMinor })).toMatchObject({
    kind: 'not_made',
    reason: expect.stringContaining(reason),
  });
  expect(server.requests).toEqual([]);
});

it.each([
  ['src_status_Captured', 'succeeded'],
  ['src_status_Pending', 'unknown'],
  ['src_status_Card_Verified', 'unknown'],
  ['src_status_Voided', 'unknown'],
  ['src_code_10100', 'unknown'],
  ['src_code_10010', 'unknown'],
  ['src_code_10200', 'succeeded'],
  ['src_decline_40101', 'declined'],
])('reads %s as %s, at once and when looked up', async (paymentMethodId, kind) => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.charge({ ...request, paymentMethodId })).toMatchObject({ kind });
  expect(await gateway.lookUp({ ...asked, paymentMethodId })).toMatchObject({ kind });
});

it.each(['src_success', 'src_decline_20051'])(
  'names the card of %s by its fingerprint, at once and when looked up',
  async (paymentMethodId) => {
    const server = await checkoutServer();
    const gateway = gatewayTo(server.url, server.credentials);
    const card = {
      fingerprint: `vnsdrvikkvre3dtrjjvlm5du4q_${paymentMethodId}`,
      network: 'visa',
    };
    expect(await gateway.charge({ ...request, paymentMethodId })).toMatchObject({ card });
    expect(await gateway.lookUp({ ...asked, paymentMethodId })).toMatchObject({ card });
  },
);

it('finds the response code of a decline in the actions of the payment', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const paymentMethodId = 'src_decline_20051_mac_24';
  const first = await gateway.charge({ ...request, paymentMethodId });
  expect(first).toMatchObject({ decline: { code: '20051', message: 'Insufficient Funds' } });
  expect(await gateway.lookUp({ ...asked, paymentMethodId })).toEqual(first);
});

it('does not take a charge that failed for one that the key remembers', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const failing = { ...request, paymentMethodId: 'src_error_after' };
  expect(await gateway.charge(failing)).toMatchObject({ kind: 'unknown' });
  expect(await gateway.lookUp({ ...asked, paymentMethodId: 'src_error_after' })).toMatchObject({
    kind: 'succeeded',
  });
  expect(server.charges()).toHaveLength(1);
});

it('says what Checkout.com refused, with its code', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  expect(await gateway.charge({ ...request, paymentMethodId: 'src_invalid' })).toEqual({
    kind: 'not_made',
    isRequestRefused: true,
    reason: 'HTTP 422: source_id_invalid',
  });
});

it.each([
  ['another charge', { reference: 'key-2' }],
  ['no id', { id: '' }],
  ['a status against its approval', { approved: false }],
])('does not take an answer with %s for its own', async (_what, fields) => {
  const plain = { id: 'pay_1', status: 'Authorized', approved: true, response_code: '10000' };
  const ours = { amount: 1_999, currency: 'USD', reference: 'key-1' };
  const crossed = await brokenPsp((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...plain, ...ours, ...fields }));
  });
  const { credentials } = await checkoutServer();
  expect(await gatewayTo(crossed.url, credentials).charge(request)).toMatchObject({
    kind: 'unknown',
  });
});

it('follows no redirect', async () => {
  const asking = await brokenPsp((_request, response) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const { credentials } = await checkoutServer();
  expect(await gatewayTo(asking.url, credentials).charge(request)).toMatchObject({
    kind: 'unknown',
  });
  expect(asking.requests).toHaveLength(1);
});

it('keeps its own key where the environment names another', async () => {
  process.env.CKO_SECRET_KEY = 'sk_sbox_zzzzzzzzzzzzzzzzzzzzzzzzzz2';
  try {
    const server = await checkoutServer();
    const gateway = gatewayTo(server.url, server.credentials);
    expect(await gateway.checkCredentials()).toEqual({ kind: 'accepted' });
  } finally {
    delete process.env.CKO_SECRET_KEY;
  }
});

it.each([
  ['secret_key', 'pk_sbox_abc'],
  ['secret_key', 'sk_abcdefghijklmnopqrstuvwxyz2'],
  ['environment', 'live'],
  ['processing_channel_id', ''],
  ['subdomain', ''],
])('refuses credentials with the %s "%s", and says what to change', async (name, text) => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, { ...server.credentials, [name]: text });
  expect(await gateway.checkCredentials()).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining(name),
  });
  expect(await gateway.charge(request)).toMatchObject({ kind: 'not_made' });
  expect(server.requests).toEqual([]);
});

it('takes a key of the previous platform without a channel, as it is', async () => {
  const keys: unknown[] = [];
  const previous = await brokenPsp((incoming, response) => {
    keys.push(incoming.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"total_count":0,"data":[]}');
  });
  const secret_key = 'sk_test_0b9b5db6-f223-49d0-b68f-f6643dd4f808';
  const gateway = gatewayTo(previous.url, { secret_key, environment: 'sandbox' });
  expect(await gateway.checkCredentials()).toEqual({ kind: 'accepted' });
  expect(keys).toEqual([secret_key]);
});
