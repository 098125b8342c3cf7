import { createHash, createHmac } from 'node:crypto';
import braintree from 'braintree';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../src/http/check-schema.ts';
import { paymentSchema } from '../../../src/http/recovery/intake/payment-schema.ts';
import type { PspGateway, WebhookReading } from '../../../src/recovery/psp-ports.ts';
import { document, type XmlValue } from '../../kits/psps/braintree-xml.ts';
import { deadAddress } from '../broken-psp.ts';
import { braintreeServer, gatewayTo } from './braintree-kit.ts';

const receivedAt = new Date('2026-11-02T09:00:00.000Z');
const ownKey = `att_${'0123456789abcdefghjkmnpq'}-1`;
const keys = { publicKey: 'acme_public', privateKey: 'acme_private' };

const transaction = {
  id: 'tx1',
  status: 'processor_declined',
  type: 'sale',
  amount: '49.99',
  'currency-iso-code': 'EUR',
  'created-at': '2026-11-02T08:59:00Z',
  customer: { id: 'cus_1', email: 'jane@example.com' },
  'credit-card': { token: 'pm_1', bin: '411111', 'card-type': 'Visa', debit: 'Yes', prepaid: 'No' },
  'processor-response-code': '2001',
  'processor-response-text': 'Insufficient Funds',
  'processor-response-type': 'soft_declined',
  'network-response-code': '51',
  'network-response-text': 'Not sufficient funds',
  'network-transaction-id': '015221789456213',
  subscription: { 'billing-period-start-date': '2026-11-01' },
};
const subscription = {
  id: 'sub_1',
  'plan-id': 'pro',
  'first-billing-date': '2025-11-01',
  'billing-period-start-date': '2026-11-01',
  'payment-method-token': 'pm_1',
  'current-billing-cycle': 12,
};

it('reads a failed subscription charge as a billing attempt', async () => {
  const { reading } = await read('subscription_charged_unsuccessfully', charged(transaction));
  expect(reading).toEqual({
    kind: 'read',
    events: [
      {
        eventId: 'subscription_charged_unsuccessfully|sub_1|2026-11-02T08:59:30.000Z',
        type: 'subscription_charged_unsuccessfully',
        occurredAt: new Date('2026-11-02T08:59:30.000Z'),
        parsed: {
          kind: 'billing_attempt',
          pspInvoiceId: 'sub_1',
          event: {
            customer: { id: 'cus_1', psp_id: 'cus_1' },
            subscription: {
              id: 'sub_1',
              start_date: '2025-11-01T00:00:00.000Z',
              product_id: 'pro',
            },
            invoice: { id: 'sub_1:2026-11-01', created_at: '2026-11-01T00:00:00.000Z' },
            transactions: [
              {
                id: 'tx1',
                psp_transaction_id: 'tx1',
                psp: 'braintree',
                acquirer_country: 'ZZ',
                amount: 49.99,
                currency: 'EUR',
                funding_source: 'debit',
                payment_method_id: 'pm_1',
                psp_transaction_created_at: '2026-11-02T08:59:00.000Z',
                scheme: 'visa',
                success: false,
                outcome: {
                  raw_response_message: '51 : Not sufficient funds',
                  psp_response_message: 'Insufficient Funds',
                  processor_response_code: '2001',
                  response_type: 'soft_decline',
                },
                network_transaction_id: '015221789456213',
                bin: '411111',
              },
            ],
          },
        },
      },
    ],
  });
  const { event } = parsedOf(reading) as { event: unknown };
  expect(compileSchema(paymentSchema)(event, undefined)).toEqual([]);
});

it('gives the retries of one billing period the same invoice', async () => {
  const again = { ...transaction, id: 'tx2', 'created-at': '2026-11-06T08:00:00Z' };
  const invoiceOf = async (listed: readonly XmlValue[]) => {
    const { reading } = await read('subscription_charged_unsuccessfully', {
      subscription: {
        ...subscription,
        transactions: listed.map((item) => ({ transaction: item })),
      },
    });
    return parsedOf(reading);
  };
  const first = await invoiceOf([transaction]);
  const second = await invoiceOf([again, transaction]);
  expect(second).toMatchObject({ event: { transactions: [{ id: 'tx2' }] } });
  expect((second as { event: { invoice: unknown } }).event.invoice).toEqual(
    (first as { event: { invoice: unknown } }).event.invoice,
  );
});

it('reads a successful subscription charge as a paid billing attempt', async () => {
  const paid = { ...transaction, status: 'submitted_for_settlement' };
  const { reading } = await read('subscription_charged_successfully', charged(paid));
  expect(parsedOf(reading)).toMatchObject({
    kind: 'billing_attempt',
    event: { invoice: { id: 'sub_1:2026-11-01' }, transactions: [{ success: true }] },
  });
});

it('asks Braintree for what a notification left out', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  await gateway.charge({
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    idempotencyKey: 'merchants-own',
    amountMinor: 1_999,
    currency: 'USD',
    paymentMethodId: 'bt_decline_2001',
  });
  const bare = { id: server.transaction(0)?.id, status: 'failed', amount: '19.99' };
  const delivery = signed('subscription_charged_unsuccessfully', charged(bare));
  expect(parsedOf(await gateway.readWebhook(delivery))).toMatchObject({
    kind: 'billing_attempt',
    event: { transactions: [{ currency: 'USD', payment_method_id: 'bt_decline_2001' }] },
  });
});

it('is to be sent again when Braintree cannot be asked', async () => {
  const { credentials } = await braintreeServer();
  const gateway = gatewayTo(await deadAddress(), credentials);
  const bare = { id: 'tx1', status: 'failed', amount: '19.99' };
  const delivery = signed('subscription_charged_unsuccessfully', charged(bare));
  expect(await gateway.readWebhook(delivery)).toMatchObject({ kind: 'unavailable' });
});

it('does not use a transaction that Braintree does not know', async () => {
  const { reading } = await read('subscription_charged_unsuccessfully', charged({ id: 'none' }));
  expect(parsedOf(reading)).toEqual({ kind: 'not_used' });
});

it.each([
  ['subscription_charged_successfully', 'submitted_for_settlement', 'succeeded'],
  ['subscription_charged_unsuccessfully', 'processor_declined', 'declined'],
])('reads %s of a charge of ours as its end', async (kind, status, result) => {
  const own = { ...transaction, 'order-id': ownKey, status };
  const { reading } = await read(kind, charged(own));
  expect(parsedOf(reading)).toMatchObject({
    kind: 'charge_settled',
    idempotencyKey: ownKey,
    result: { kind: result, pspTransactionId: 'tx1' },
  });
});

it.each([
  ['transaction_settled', 'settled', 'succeeded'],
  ['transaction_settlement_declined', 'settlement_declined', 'declined'],
])('reads %s of our order id as its end', async (kind, status, result) => {
  const own = { ...transaction, 'order-id': ownKey, status };
  const { reading } = await read(kind, { transaction: own });
  expect(parsedOf(reading)).toMatchObject({ idempotencyKey: ownKey, result: { kind: result } });
  const others = await read(kind, { transaction: { ...own, 'order-id': 'ORDER-17' } });
  expect(parsedOf(others.reading)).toEqual({ kind: 'not_used' });
});

describe("a try of Braintree's own of a charge that was declined", () => {
  const retry = {
    id: 'tx2',
    status: 'submitted_for_settlement',
    type: 'sale',
    'currency-iso-code': 'USD',
    amount: '19.99',
  };
  const charged = async (key: string) => {
    const server = await braintreeServer();
    const gateway = gatewayTo(server.url, server.credentials);
    await gateway.charge({
      merchantId: 'mer_1',
      invoiceId: 'in_1',
      idempotencyKey: key,
      amountMinor: 1_999,
      currency: 'USD',
      paymentMethodId: 'bt_decline_2001',
    });
    const first = server.transaction(0)?.id;
    const told = async (kind: string, change: { readonly [name: string]: string } = {}) => {
      const transaction = { ...retry, 'retried-transaction-id': first, ...change };
      return gateway.readWebhook(signed(kind, { transaction }));
    };
    return { server, told };
  };

  it('that succeeds is the end of that charge, found by the transaction that it names', async () => {
    const { told } = await charged(ownKey);
    expect(parsedOf(await told('transaction_retried'))).toMatchObject({
      kind: 'charge_settled',
      idempotencyKey: ownKey,
      result: { kind: 'succeeded', pspTransactionId: 'tx2' },
    });
    const own = { 'order-id': ownKey, 'retried-transaction-id': 'unknown' };
    expect(parsedOf(await told('transaction_retried', own))).toMatchObject({
      kind: 'charge_settled',
    });
  });

  it('that is declined says nothing, unless its settlement is declined', async () => {
    const { told } = await charged(ownKey);
    const declined = { status: 'settlement_declined' };
    expect(parsedOf(await told('transaction_retried', declined))).toEqual({ kind: 'not_used' });
    expect(parsedOf(await told('transaction_settlement_declined', declined))).toMatchObject({
      idempotencyKey: ownKey,
      result: { kind: 'declined' },
    });
  });

  it('is not used where the first one is not ours, and asked for again where nobody can say', async () => {
    const { server, told } = await charged('merchants-own');
    expect(parsedOf(await told('transaction_retried'))).toEqual({ kind: 'not_used' });
    const nobodys = await told('transaction_retried', { 'retried-transaction-id': 'none' });
    expect(parsedOf(nobodys)).toEqual({ kind: 'not_used' });
    await server.close();
    expect(await told('transaction_retried')).toMatchObject({ kind: 'unavailable' });
  });
});

it('reads a refund that failed as failed, by the charge that it is of and by its key', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const money = { merchantId: 'mer_1', invoiceId: 'in_1', amountMinor: 1_999, currency: 'USD' };
  const paymentMethodId = 'bt_status_settled';
  await gateway.charge({ ...money, idempotencyKey: ownKey, paymentMethodId });
  const pspTransactionId = server.transaction(0)?.id ?? '';
  const idempotencyKey = `rcr_${'0'.repeat(30)}`;
  const made = await gateway.refund({ ...money, idempotencyKey, pspTransactionId });
  const refundId = 'refundId' in made ? made.refundId : '';
  const failed = (id: string) =>
    gateway.readWebhook(signed('refund_failed', { transaction: { id, status: 'failed' } }));
  expect(parsedOf(await failed(refundId))).toEqual({
    kind: 'refund_settled',
    pspTransactionId,
    refundId,
    idempotencyKey,
    outcome: 'failed',
    reason: 'Approved',
  });
  expect(parsedOf(await failed('unknown'))).toEqual({ kind: 'not_used' });
  expect(parsedOf(await failed(pspTransactionId))).toEqual({ kind: 'not_used' });
  await server.close();
  expect(await failed(refundId)).toMatchObject({ kind: 'unavailable' });
});

it('closes the period of a cancelled subscription', async () => {
  const { reading } = await read('subscription_canceled', charged(transaction));
  expect(parsedOf(reading)).toEqual({
    kind: 'invoice_closed',
    invoiceId: 'sub_1:2026-11-01',
    reason: 'The subscription was cancelled at Braintree.',
  });
});

it('reads a revoked payment method as removed by its user', async () => {
  const { reading } = await read('payment_method_revoked_by_customer', {
    'paypal-account': { token: 'pm_9', 'customer-id': 'cus_9', email: 'jane@example.com' },
  });
  expect(parsedOf(reading)).toEqual({
    kind: 'payment_method_updates',
    updates: [{ psp_customer_id: 'cus_9', payment_method_id: 'pm_9', reason: 'user_removed' }],
  });
});

it("reads a wallet's new data as an update", async () => {
  const { reading } = await read('payment_method_customer_data_updated', {
    'payment-method-customer-data-updated-metadata': {
      token: 'pm_9',
      'payment-method': { 'venmo-account': { token: 'pm_9', 'customer-id': 'cus_9' } },
    },
  });
  expect(parsedOf(reading)).toEqual({
    kind: 'payment_method_updates',
    updates: [{ psp_customer_id: 'cus_9', payment_method_id: 'pm_9', reason: 'network_updated' }],
  });
});

it.each([
  ['check', { check: true }],
  ['subscription_went_past_due', charged(transaction)],
  [
    'account_updater_daily_report',
    { 'account-updater-daily-report': { 'report-url': 'https://x' } },
  ],
  ['a_kind_of_tomorrow', { 'something-new': { id: 'x' } }],
] as const)('does not use %s', async (kind, subject) => {
  const { reading } = await read(kind, subject);
  expect(parsedOf(reading)).toEqual({ kind: 'not_used' });
});

it("reads the SDK's own sample of a notification", async () => {
  const { credentials, url } = await braintreeServer();
  const sdk = new braintree.BraintreeGateway({
    environment: braintree.Environment.Sandbox,
    merchantId: 'acme_gateway',
    ...keys,
  });
  const sample = await sdk.webhookTesting.sampleNotification('dispute_opened', 'dp_1');
  const form = new URLSearchParams({ ...sample });
  const delivery = { rawBody: Buffer.from(`${form}`), headers: {}, receivedAt: new Date() };
  const reading = await gatewayTo(url, credentials).readWebhook(delivery);
  expect(parsedOf(reading)).toMatchObject({
    kind: 'dispute',
    dispute: { pspDisputeId: 'dp_1', stage: 'chargeback', status: 'needs_response' },
  });
});

it('gives the same event id each time that a notification is sent', async () => {
  const { reading, gateway, delivery } = await read('dispute_opened', { dispute: { id: 'dp_1' } });
  const later = { ...delivery, receivedAt: new Date('2026-11-03T08:59:00Z') };
  expect(await gateway.readWebhook(later)).toEqual(reading);
});

it.each([
  ['more than 25 hours old', '2026-11-01T07:59:00Z'],
  ['of the future', '2026-11-02T09:06:00Z'],
])('takes no notification that is %s', async (_what, timestamp) => {
  const { reading } = await read('check', { check: true }, { timestamp });
  expect(reading).toMatchObject({ kind: 'unverified' });
});

it.each([
  ['another private key', { privateKey: 'acme_wrong' }],
  ['another public key', { publicKey: 'acme_other' }],
])('takes no notification signed with %s', async (_what, wrong) => {
  const { reading } = await read('check', { check: true }, wrong);
  expect(reading).toEqual({
    kind: 'unverified',
    reason: 'No signature of this account is valid.',
  });
});

it('takes no notification whose payload was changed', async () => {
  const { gateway, delivery } = await read('check', { check: true });
  const form = new URLSearchParams(Buffer.from(delivery.rawBody).toString());
  const other = document('notification', { kind: 'dispute_lost', timestamp: '', subject: {} });
  form.set('bt_payload', Buffer.from(other).toString('base64'));
  const changed = { ...delivery, rawBody: Buffer.from(`${form}`) };
  expect(await gateway.readWebhook(changed)).toMatchObject({ kind: 'unverified' });
});

it('takes a form without a signature for unverified', async () => {
  const { gateway, delivery } = await read('check', { check: true });
  const unsigned = { ...delivery, rawBody: Buffer.from('bt_payload=abc') };
  expect(await gateway.readWebhook(unsigned)).toMatchObject({ kind: 'unverified' });
});

it.each([
  ['bytes that are not UTF-8', {}, Buffer.from([0x62, 0xff, 0xfe])],
  ['an encoded body', { 'content-encoding': 'gzip' }, Buffer.from('bt_signature=a')],
])('takes %s for malformed', async (_what, headers, rawBody) => {
  const { gateway } = await read('check', { check: true });
  const reading = await gateway.readWebhook({ rawBody, headers, receivedAt });
  expect(reading).toMatchObject({ kind: 'malformed' });
});

it.each([
  ['no XML', 'plain words'],
  ['another document', document('transaction', { id: 'tx1' })],
  ['no time', document('notification', { kind: 'check', subject: { check: true } })],
  ['no subject', document('notification', { kind: 'check', timestamp: '2026-11-02T09:00:00Z' })],
])('takes a signed payload with %s for malformed', async (_what, text) => {
  const { gateway } = await read('check', { check: true });
  expect(await gateway.readWebhook(signedText(text, {}))).toMatchObject({ kind: 'malformed' });
});

interface Signing {
  readonly publicKey?: string;
  readonly privateKey?: string;
  readonly timestamp?: string;
}

function charged(item: XmlValue): { subscription: XmlValue } {
  return { subscription: { ...subscription, transactions: [{ transaction: item }] } };
}

async function read(kind: string, subject: XmlValue, signing: Signing = {}) {
  const server = await braintreeServer();
  const gateway: PspGateway = gatewayTo(server.url, server.credentials);
  const delivery = signed(kind, subject, signing);
  return { reading: await gateway.readWebhook(delivery), gateway, delivery };
}

function signed(kind: string, subject: XmlValue, signing: Signing = {}) {
  const { timestamp = '2026-11-02T08:59:30Z' } = signing;
  return signedText(document('notification', { timestamp, kind, subject }), signing);
}

/** As Braintree signs: HMAC-SHA1 by the SHA-1 of the private key, over the payload in base64. */
function signedText(text: string, { publicKey, privateKey }: Signing) {
  const payload = `${Buffer.from(text).toString('base64')}\n`;
  const key = createHash('sha1')
    .update(privateKey ?? keys.privateKey)
    .digest();
  const digest = createHmac('sha1', key).update(payload).digest('hex');
  const form = new URLSearchParams({
    bt_signature: `another_key|0123&${publicKey ?? keys.publicKey}|${digest}`,
    bt_payload: payload,
  });
  return { rawBody: Buffer.from(form.toString()), headers: {}, receivedAt };
}

function parsedOf(reading: WebhookReading) {
  expect(reading.kind).toBe('read');
  return reading.kind === 'read' ? reading.events[0]?.parsed : undefined;
}
