import { expect, it } from 'vitest';
import type { WebhookReading } from '../../../src/recovery/psp-ports.ts';
import type { Fields } from '../../kits/psps/checkout-ledger.ts';
import { deadAddress } from '../broken-psp.ts';
import { checkoutServer, gatewayTo } from './checkout-kit.ts';

const ownKey = `att_${'0123456789abcdefghjkmnpq'}-1`;

const payment = {
  id: 'pay_do6kcxcq4pwehkbrupwnohnbyq',
  action_id: 'act_1',
  reference: ownKey,
  amount: 1_999,
  currency: 'EUR',
  customer: { id: 'cus_1', email: 'jane@example.com' },
  processing: { partner_merchant_advice_code: '24' },
  response_code: '10000',
  response_summary: 'Approved',
  scheme_id: '399198565818571',
  source: { id: 'src_1', type: 'card', scheme: 'MASTERCARD' },
};

it('reads an approved payment of ours as succeeded', async () => {
  const { reading } = await read('payment_approved', payment);
  expect(reading).toEqual({
    kind: 'read',
    events: [
      {
        eventId: 'evt_1',
        type: 'payment_approved',
        occurredAt: new Date('2026-11-02T08:59:30.123Z'),
        parsed: {
          kind: 'charge_settled',
          idempotencyKey: ownKey,
          result: {
            kind: 'succeeded',
            pspTransactionId: payment.id,
            networkTransactionId: '399198565818571',
            card: { network: 'mastercard' },
            told: { amountMinor: payment.amount, currency: payment.currency },
          },
        },
      },
    ],
  });
});

it('knows a payment and a refund of ours by the reference that they are sent with', async () => {
  const reference = '0123456789abcdefghjkmnpqrstvwx';
  const approved = await read('payment_approved', { ...payment, reference });
  expect(parsedOf(approved.reading)).toMatchObject({
    kind: 'charge_settled',
    idempotencyKey: `rcp_${reference}`,
  });
  const refunded = await read('payment_refunded', { ...payment, reference });
  expect(parsedOf(refunded.reading)).toMatchObject({ idempotencyKey: `rcr_${reference}` });
});

it('reads a captured payment of ours as succeeded', async () => {
  const { response_code: _, source: __, ...captured } = payment;
  const { reading } = await read('payment_captured', captured);
  expect(parsedOf(reading)).toMatchObject({ result: { kind: 'succeeded' } });
});

it('reads a declined payment of ours with its code and its advice', async () => {
  const declined = { ...payment, response_code: '20051', response_summary: 'Insufficient Funds' };
  const { reading } = await read('payment_declined', declined);
  expect(parsedOf(reading)).toMatchObject({
    kind: 'charge_settled',
    result: {
      kind: 'declined',
      decline: { code: '20051', adviceCode: '24', network: 'mastercard' },
    },
  });
});

it('reads a declined capture of ours as a payment that took no money', async () => {
  const failed = {
    ...payment,
    amount: 20,
    response_code: '20006',
    response_summary: 'Error / Invalid Request Parameters',
    balances: { total_authorized: 1_999, total_captured: 0, available_to_capture: 1_999 },
  };
  const { reading } = await read('payment_capture_declined', failed);
  const parsed = parsedOf(reading);
  expect(parsed).toMatchObject({
    kind: 'charge_settled',
    idempotencyKey: ownKey,
    result: { kind: 'declined', pspTransactionId: payment.id, decline: { code: '20006' } },
  });
  expect(parsed).not.toHaveProperty('result.told');
});

it.each([
  ['payment_capture_declined', { balances: { total_captured: 1_999 } }],
  ['payment_capture_declined', { balances: { total_captured: 0 }, reference: 'ORD-5023-4E89' }],
  ['payment_approved', { response_code: '10100' }],
  ['payment_approved', { reference: 'ORD-5023-4E89' }],
  ['payment_declined', { reference: 'ORD-5023-4E89' }],
  ['payment_captured', { amount: undefined }],
  ['payment_pending', {}],
  ['payment_capture_declined', {}],
  ['a_type_of_tomorrow', {}],
])('does not use %s with %o', async (type, fields) => {
  const { reading } = await read(type, { ...payment, ...fields });
  expect(parsedOf(reading)).toEqual({ kind: 'not_used' });
});

it('reads new data of a card as an update of each source of a customer', async () => {
  const { reading } = await read('card_updated', {
    reason_type: 'card_updated',
    replacement_card: { last4: '3456' },
    sources: [{ id: 'src_known_1' }, { id: 'src_gone' }, { id: 'src_known_2' }],
  });
  const update = (id: string) => ({
    psp_customer_id: `cus_of_${id}`,
    payment_method_id: id,
    reason: 'network_updated',
  });
  expect(parsedOf(reading)).toEqual({
    kind: 'payment_method_updates',
    updates: [update('src_known_1'), update('src_known_2')],
  });
});

it('does not use the news that an account was closed', async () => {
  const { reading, server } = await read('card_updated', {
    reason_type: 'card_closed',
    sources: [{ id: 'src_known_1' }],
  });
  expect(parsedOf(reading)).toEqual({ kind: 'not_used' });
  expect(server.requests).toEqual([]);
});

it('is to be sent again when Checkout.com cannot be asked for a customer', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(await deadAddress(), server.credentials);
  const data = { replacement_card: {}, sources: [{ id: 'src_known_1' }] };
  const delivery = server.signedWebhook(eventOf('card_updated', data));
  expect(await gateway.readWebhook(delivery)).toMatchObject({ kind: 'unavailable' });
});

it('gives the same event each time that a webhook is sent', async () => {
  const { reading, gateway, delivery } = await read('payment_approved', payment);
  expect(await gateway.readWebhook(delivery)).toEqual(reading);
});

it.each([
  ['another secret', { secret: 'acme_wrong' }],
  ['no signature', { signature: undefined }],
  ['half a signature', { signature: 'abcd' }],
])('takes no webhook with %s', async (_what, { secret, ...headers }: Signing) => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const signed = server.signedWebhook(eventOf('payment_approved', payment), secret);
  const { signature } = headers;
  const changed = { ...(signature !== undefined && { 'cko-signature': signature }) };
  const delivery = 'signature' in headers ? { ...signed, headers: changed } : signed;
  expect(await gateway.readWebhook(delivery)).toMatchObject({ kind: 'unverified' });
});

it('takes no webhook whose body was changed', async () => {
  const { gateway, delivery } = await read('payment_approved', payment);
  const rawBody = Buffer.from(`${Buffer.from(delivery.rawBody)} `);
  expect(await gateway.readWebhook({ ...delivery, rawBody })).toMatchObject({ kind: 'unverified' });
});

it('takes no webhook where the connection has no secret', async () => {
  const server = await checkoutServer();
  const { webhook_secret: _, ...credentials } = server.credentials as Record<string, string>;
  const delivery = server.signedWebhook(eventOf('payment_approved', payment));
  expect(await gatewayTo(server.url, credentials).readWebhook(delivery)).toEqual({
    kind: 'unverified',
    reason: 'The connection has no webhook_secret.',
  });
});

it.each([
  ['an event without a time', { id: 'evt_1', type: 'payment_approved' }, {}],
  ['an event without an id', { type: 'payment_approved', created_on: '2026-11-02T09:00:00Z' }, {}],
  ['an encoded body', eventOf('payment_approved', payment), { 'content-encoding': 'gzip' }],
])('takes %s for malformed', async (_what, event, headers) => {
  const server = await checkoutServer();
  const signed = server.signedWebhook(event);
  const delivery = { ...signed, headers: { ...signed.headers, ...headers } };
  expect(await gatewayTo(server.url, server.credentials).readWebhook(delivery)).toMatchObject({
    kind: 'malformed',
  });
});

it.each([
  ['payment_refunded', 'refunded', 'Approved'],
  ['payment_refund_declined', 'failed', 'Error / Invalid Request Parameters'],
])('reads %s by the payment, the action and the reference', async (type, outcome, summary) => {
  const { reading } = await read(type, {
    id: payment.id,
    action_id: 'act_rzy3fxofo3lufmjzaismfzjiae',
    reference: 'rcr_1',
    amount: 1_999,
    currency: 'EUR',
    response_code: '20006',
    response_summary: summary,
    balances: { total_captured: 1_999, total_refunded: 0 },
  });
  expect(parsedOf(reading)).toEqual({
    kind: 'refund_settled',
    pspTransactionId: payment.id,
    refundId: 'act_rzy3fxofo3lufmjzaismfzjiae',
    idempotencyKey: 'rcr_1',
    outcome,
    reason: summary,
  });
});

interface Signing {
  readonly secret?: string;
  readonly signature?: string | undefined;
}

function eventOf(type: string, data: Fields): Fields {
  const created_on = '2026-11-02T08:59:30.1233452Z';
  return { id: 'evt_1', type, version: '1.0.29', created_on, data };
}

async function read(type: string, data: Fields) {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const delivery = server.signedWebhook(eventOf(type, data));
  return { reading: await gateway.readWebhook(delivery), gateway, delivery, server };
}

function parsedOf(reading: WebhookReading) {
  expect(reading.kind).toBe('read');
  return reading.kind === 'read' ? reading.events[0]?.parsed : undefined;
}

it.each([
  ['payment_refunded', 'refunded', {}],
  ['payment_refund_declined', 'failed', { response_summary: 'Refund declined' }],
])('reads %s as a refund that is %s', async (type, outcome, more) => {
  const data = { id: 'pay_1', action_id: 'act_9', reference: 'refund-1', ...more };
  expect(parsedOf((await read(type, data)).reading)).toMatchObject({
    kind: 'refund_settled',
    pspTransactionId: 'pay_1',
    refundId: 'act_9',
    idempotencyKey: 'refund-1',
    outcome,
  });
  for (const missing of ['id', 'action_id']) {
    const { reading } = await read(type, { ...data, [missing]: undefined });
    expect(parsedOf(reading)).toEqual({ kind: 'not_used' });
  }
});

it('reads new data of a card without its sources, their ids or their customers as nothing', async () => {
  for (const sources of [undefined, 'src_1', [{}], ['src_known_1']]) {
    const { reading } = await read('card_updated', { replacement_card: {}, sources });
    expect(parsedOf(reading)).toEqual({ kind: 'not_used' });
  }
});

it('asks for twenty sources of a card at most', async () => {
  const sources = Array.from({ length: 25 }, (_, index) => ({ id: `src_known_${index}` }));
  const { server } = await read('card_updated', { replacement_card: {}, sources });
  expect(server.requests).toHaveLength(20);
});
