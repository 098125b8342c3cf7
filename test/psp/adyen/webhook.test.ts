import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../src/http/check-schema.ts';
import type { Reporter } from '../../../src/http/recovery/caller.ts';
import { paymentFaults } from '../../../src/http/recovery/intake/payment-rules.ts';
import { paymentSchema } from '../../../src/http/recovery/intake/payment-schema.ts';
import type { WebhookReading } from '../../../src/recovery/psp-ports.ts';
import { adyenHmacKey, hmac, signedItem } from '../../kits/psps/adyen-server.ts';
import { gatewayTo, receivedAt } from './adyen-kit.ts';

const ownKey = `att_${'0123456789abcdefghjkmnpq'}-1`;
const connected = {
  api_key: 'k',
  merchant_account: 'RecoupECOM',
  hmac_key: `${'ab'.repeat(32)} ${adyenHmacKey}`,
};

function read(
  body: string | Uint8Array,
  more: { headers?: Record<string, string>; credentials?: Record<string, string> } = {},
): Promise<WebhookReading> {
  const { headers = {}, credentials = connected } = more;
  const rawBody = typeof body === 'string' ? Buffer.from(body) : body;
  // Nothing is asked of Adyen: there is no such server.
  const gateway = gatewayTo('http://127.0.0.1:9', credentials);
  return gateway.readWebhook({ rawBody, headers, receivedAt });
}

const standard = (...notificationItems: readonly object[]) =>
  JSON.stringify({ live: 'false', notificationItems });

/** What one item, signed as Adyen does, means. */
async function parsedOf(fields: Record<string, unknown>) {
  const reading = await read(standard(signedItem(fields)));
  if (reading.kind !== 'read') throw new Error(reading.reason);
  return reading.events[0]?.parsed;
}

describe('a standard webhook', () => {
  it('is answered as Adyen asks, with an id that is the same each time', async () => {
    const body = standard(signedItem({ eventCode: 'CAPTURE' }));
    const reading = await read(body);
    expect(reading).toEqual({
      kind: 'read',
      answer: '[accepted]',
      events: [
        {
          eventId: 'QFQTPCQ8HXSKGK82:CAPTURE:true',
          type: 'CAPTURE',
          occurredAt: new Date('2026-11-02T09:00:00.000Z'),
          parsed: { kind: 'not_used' },
        },
      ],
    });
    expect(await read(body)).toEqual(reading);
  });

  it('gives an event for each of its items, of several merchant accounts too', async () => {
    const reading = await read(
      standard(
        signedItem({ eventCode: 'CHARGEBACK', originalReference: 'PAYMENT000000001' }),
        signedItem({ eventCode: 'CHARGEBACK', merchantAccountCode: 'AnotherECOM' }),
      ),
    );
    expect(reading).toMatchObject({
      events: [
        { parsed: { kind: 'dispute', dispute: { paymentIds: ['PAYMENT000000001'] } } },
        { parsed: { kind: 'not_used' } },
      ],
    });
  });

  it('is not taken with an item that is unsigned, wrongly signed or changed', async () => {
    const good = signedItem();
    const { NotificationRequestItem: item } = signedItem() as {
      NotificationRequestItem: Record<string, unknown>;
    };
    const bad = [
      signedItem({}, 'cd'.repeat(32)),
      { NotificationRequestItem: { ...item, success: 'false' } },
      { NotificationRequestItem: { ...item, amount: { value: 1, currency: 'EUR' } } },
      { NotificationRequestItem: { ...item, additionalData: {} } },
      { NotificationRequestItem: { ...item, additionalData: null } },
      { NotificationRequestItem: null },
      {},
      null,
    ];
    for (const other of bad) {
      expect(await read(standard(good, other as object))).toMatchObject({ kind: 'unverified' });
    }
  });

  it('is not taken when its signed fields could be divided in another way', async () => {
    const moved = signedItem({ pspReference: 'A:B', originalReference: 'C' });
    expect(await read(standard(moved))).toMatchObject({ kind: 'unverified' });
  });

  it('is not taken by a connection without a key', async () => {
    const { hmac_key: _none, ...without } = connected;
    const body = standard(signedItem());
    expect(await read(body, { credentials: without })).toMatchObject({ kind: 'unverified' });
  });

  it.each([
    ['no JSON', '{"notificationItems":'],
    ['no object', '[]'],
    ['no list of items', '{"notificationItems":{}}'],
  ])('is malformed with %s', async (_what, body) => {
    expect(await read(body)).toMatchObject({ kind: 'malformed' });
  });

  it('is malformed in another encoding', async () => {
    const body = standard(signedItem({ reason: 'Ungültig' }));
    expect(await read(Buffer.from(body, 'latin1'))).toMatchObject({ kind: 'malformed' });
    expect(await read(body, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({
      kind: 'malformed',
    });
  });

  it('never throws, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        const reading = await read(`{"notificationItems":[{"NotificationRequestItem":${text}}]}`);
        expect(reading.kind).not.toBe('read');
      }),
      { numRuns: 50 },
    );
  });
});

describe('an AUTHORISATION of our own charge', () => {
  it('settles a success', async () => {
    const PaymentAccountReference = '50012W3XRYAJ8QH25UDRGWX2TR3FN';
    const additionalData = { networkTxReference: '015221789456213', PaymentAccountReference };
    expect(await parsedOf({ merchantReference: ownKey, additionalData })).toEqual({
      kind: 'charge_settled',
      idempotencyKey: ownKey,
      result: {
        kind: 'succeeded',
        pspTransactionId: 'QFQTPCQ8HXSKGK82',
        networkTransactionId: '015221789456213',
        card: { fingerprint: `par:${PaymentAccountReference}`, network: 'visa' },
        told: { amountMinor: expect.any(Number), currency: expect.any(String) },
      },
    });
  });

  it('settles nothing while Adyen itself is going to charge it again', async () => {
    const refused = { merchantReference: ownKey, success: 'false', reason: 'Refused' };
    const rescued = { additionalData: { 'retry.rescueScheduled': 'true' } };
    expect(await parsedOf({ ...refused, ...rescued })).toEqual({ kind: 'not_used' });
    const paid = await parsedOf({ merchantReference: ownKey, ...rescued });
    expect(paid).toMatchObject({ result: { kind: 'succeeded' } });
    const over = { additionalData: { 'retry.rescueScheduled': 'false' } };
    expect(await parsedOf({ ...refused, ...over })).toMatchObject({ result: { kind: 'declined' } });
  });

  it('settles a decline, with the reason that it gives', async () => {
    expect(
      await parsedOf({
        merchantReference: ownKey,
        success: 'false',
        reason: 'Expired Card',
        additionalData: { refusalReasonRaw: '54 : Expired card' },
      }),
    ).toMatchObject({
      kind: 'charge_settled',
      idempotencyKey: ownKey,
      result: {
        kind: 'declined',
        pspTransactionId: 'QFQTPCQ8HXSKGK82',
        decline: { category: 'fix_data', networkCode: '54', network: 'visa' },
      },
    });
  });
});

describe('our own charge', () => {
  it.each([
    ['AUTORESCUE', 'false', 'retryWindowHasElapsed'],
    ['CANCEL_AUTORESCUE', 'true', 'CANCEL_AUTORESCUE'],
  ])('is over by %s with success %s, where Adyen itself got nothing', async (...told) => {
    const [eventCode, success, code] = told;
    const reason = eventCode === code ? '' : code;
    const ended = { eventCode, reason, merchantReference: ownKey, originalReference: 'PSP1' };
    expect(await parsedOf({ ...ended, success })).toMatchObject({
      kind: 'charge_settled',
      idempotencyKey: ownKey,
      result: {
        kind: 'declined',
        pspTransactionId: 'PSP1',
        decline: { category: 'later', code },
      },
    });
    const others = success === 'true' ? 'false' : 'true';
    expect(await parsedOf({ ...ended, success: others })).toEqual({ kind: 'not_used' });
  });

  it('that expired before it was captured brought nothing', async () => {
    const expired = { eventCode: 'EXPIRE', merchantReference: ownKey };
    expect(await parsedOf(expired)).toMatchObject({
      kind: 'charge_settled',
      idempotencyKey: ownKey,
      result: { kind: 'declined', told: { amountMinor: 1_000, currency: 'EUR' } },
    });
    expect(await parsedOf({ ...expired, merchantReference: 'order-1' })).toEqual({
      kind: 'not_used',
    });
  });
});

describe('a CAPTURE_FAILED', () => {
  // As Adyen's description of its webhooks gives one.
  const failed = {
    eventCode: 'CAPTURE_FAILED',
    originalReference: '9913140798220028',
    reason: 'Capture Failed',
  };

  it('of our own charge says that it took no money', async () => {
    expect(await parsedOf({ ...failed, merchantReference: ownKey })).toEqual({
      kind: 'charge_settled',
      idempotencyKey: ownKey,
      result: {
        kind: 'declined',
        pspTransactionId: '9913140798220028',
        decline: expect.objectContaining({ message: 'Capture Failed' }),
      },
    });
  });

  it('of another payment, or without the payment, is not used', async () => {
    expect(await parsedOf(failed)).toEqual({ kind: 'not_used' });
    const unnamed = { ...failed, merchantReference: ownKey, originalReference: '' };
    expect(await parsedOf(unnamed)).toEqual({ kind: 'not_used' });
  });
});

describe("an AUTHORISATION of the merchant's own charge", () => {
  const additionalData = {
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: 'Subscription',
    'recurring.shopperReference': 'cus_7',
    'recurring.recurringDetailReference': 'stored_7',
    'metadata.subscription_id': 'sub_7',
    'metadata.invoice_id': 'in_7',
    'metadata.subscription_start': '2025-01-02T00:00:00Z',
    'metadata.invoice_created_at': '2026-11-01T00:00:00Z',
    'metadata.customer_id': 'customer-7',
    fundingSource: 'PREPAID_RELOADABLE',
    cardBin: '411111',
    cardIssuingCountry: 'NL',
    networkTxReference: '015221789456213',
    refusalReasonRaw: '51 : Insufficient funds',
  };
  const failed = { success: 'false', reason: 'Not enough balance', additionalData };

  it('is a billing attempt with all that Adyen says of it', async () => {
    const parsed = await parsedOf(failed);
    expect(parsed).toEqual({
      kind: 'billing_attempt',
      event: {
        customer: { id: 'customer-7', psp_id: 'cus_7' },
        subscription: { id: 'sub_7', start_date: '2025-01-02T00:00:00.000Z' },
        invoice: { id: 'in_7', created_at: '2026-11-01T00:00:00.000Z' },
        transactions: [
          {
            id: 'order-1',
            psp_transaction_id: 'QFQTPCQ8HXSKGK82',
            psp: 'adyen',
            acquirer_country: 'ZZ',
            amount: 10,
            currency: 'EUR',
            funding_source: 'prepaid',
            payment_method_id: 'stored_7',
            psp_transaction_created_at: '2026-11-02T09:00:00.000Z',
            scheme: 'visa',
            success: false,
            outcome: {
              raw_response_message: '51 : Insufficient funds',
              psp_response_message: 'Not enough balance',
              processor_response_code: '51',
            },
            network_transaction_id: '015221789456213',
            bin: '411111',
            issuer_country: 'NL',
          },
        ],
      },
    });
    if (parsed?.kind !== 'billing_attempt') return;
    const faultsOf = compileSchema<Reporter>(paymentSchema, paymentFaults);
    expect(faultsOf(parsed.event, { merchantId: 'mer_1', psps: ['adyen'] })).toEqual([]);
  });

  it('is one with the least that it needs, and keeps no digits of a success', async () => {
    const min = {
      shopperInteraction: 'ContAuth',
      shopperReference: 'cus_7',
      'tokenization.storedPaymentMethodId': 'stored_7',
      'metadata.subscription_id': 'sub_7',
      merchantOrderReference: 'in_7',
    };
    const parsed = await parsedOf({ additionalData: min, reason: '044925:1111:03/2030' });
    expect(parsed).toMatchObject({
      kind: 'billing_attempt',
      event: {
        customer: { id: 'cus_7', psp_id: 'cus_7' },
        subscription: { id: 'sub_7', start_date: '2026-11-02T09:00:00.000Z' },
        invoice: { id: 'in_7', created_at: '2026-11-02T09:00:00.000Z' },
        transactions: [{ success: true, outcome: { raw_response_message: 'AUTHORISED' } }],
      },
    });
    expect(JSON.stringify(parsed)).not.toContain('1111');
  });

  it.each([
    'shopperInteraction',
    'recurring.shopperReference',
    'recurring.recurringDetailReference',
    'metadata.subscription_id',
    'metadata.invoice_id',
  ])('is not used without %s', async (field) => {
    const { [field as 'shopperInteraction']: _gone, ...rest } = additionalData;
    expect(await parsedOf({ ...failed, additionalData: rest })).toEqual({ kind: 'not_used' });
  });

  it.each([
    ['Adyen itself tries again', { 'retry.rescueScheduled': 'true' }],
    ['the payer was there', { shopperInteraction: 'Ecommerce' }],
    ['it is no subscription', { recurringProcessingModel: 'UnscheduledCardOnFile' }],
  ])('is not used where %s', async (_what, other) => {
    expect(await parsedOf({ ...failed, additionalData: { ...additionalData, ...other } })).toEqual({
      kind: 'not_used',
    });
  });

  it('is not used where nothing was owed', async () => {
    const nothing = { ...failed, amount: { value: 0, currency: 'EUR' } };
    expect(await parsedOf(nothing)).toEqual({ kind: 'not_used' });
  });

  it('reads amounts in the decimals of Adyen', async () => {
    const pesos = { ...failed, amount: { value: 50_000, currency: 'CLP' } };
    expect(await parsedOf(pesos)).toMatchObject({
      event: { transactions: [{ amount: 500, currency: 'CLP' }] },
    });
    const half = { ...failed, amount: { value: 50_050, currency: 'CLP' } };
    expect(await parsedOf(half)).toEqual({ kind: 'not_used' });
  });
});

describe('other standard events', () => {
  it('RECURRING_CONTRACT is a stored method of the shopper', async () => {
    const stored = {
      eventCode: 'RECURRING_CONTRACT',
      pspReference: 'M5N7TQ4TG5PFWR50',
      originalReference: 'INITIALPAYMENT01',
      additionalData: { 'recurring.shopperReference': 'cus_7' },
    };
    expect(await parsedOf(stored)).toEqual({
      kind: 'payment_method_updates',
      updates: [
        { psp_customer_id: 'cus_7', payment_method_id: 'M5N7TQ4TG5PFWR50', reason: 'user_added' },
      ],
    });
    expect(await parsedOf({ ...stored, success: 'false' })).toEqual({ kind: 'not_used' });
    expect(await parsedOf({ ...stored, additionalData: {} })).toEqual({ kind: 'not_used' });
  });

  it.each([
    'OFFER_CLOSED',
    'AUTORESCUE',
    'REFUND',
    'CANCELLATION',
    'REPORT_AVAILABLE',
    'NEW_EVENT',
  ])('%s is not used', async (eventCode) => {
    expect(await parsedOf({ eventCode })).toEqual({ kind: 'not_used' });
  });
});

describe("a webhook of a token's life", () => {
  const event = (type: string, data: object = {}) =>
    JSON.stringify({
      createdAt: '2026-11-02T10:00:00+01:00',
      environment: 'test',
      eventId: 'QBQQ9DLNRHHKGK38',
      type,
      data: {
        merchantAccount: 'RecoupECOM',
        operation: 'updated',
        shopperReference: 'cus_7',
        storedPaymentMethodId: 'M5N7TQ4TG5PFWR50',
        type: 'visa',
        ...data,
      },
    });
  const signed = (body: string) => ({ headers: { hmacsignature: hmac(body) } });

  it.each([
    ['recurring.token.created', 'user_added'],
    ['recurring.token.updated', 'network_updated'],
    ['recurring.token.disabled', 'user_removed'],
  ])('%s is an update: %s', async (type, reason) => {
    const body = event(type);
    expect(await read(body, signed(body))).toEqual({
      kind: 'read',
      answer: '[accepted]',
      events: [
        {
          eventId: `QBQQ9DLNRHHKGK38:${type}`,
          type,
          occurredAt: new Date('2026-11-02T09:00:00.000Z'),
          parsed: {
            kind: 'payment_method_updates',
            updates: [{ psp_customer_id: 'cus_7', payment_method_id: 'M5N7TQ4TG5PFWR50', reason }],
          },
        },
      ],
    });
  });

  it('is not used of another merchant account, nor for a token that was there before', async () => {
    for (const body of [
      event('recurring.token.updated', { merchantAccount: 'AnotherECOM' }),
      event('recurring.token.alreadyExisting'),
      event('recurring.token.updated', { shopperReference: '' }),
    ]) {
      expect(await read(body, signed(body))).toMatchObject({
        kind: 'read',
        events: [{ parsed: { kind: 'not_used' } }],
      });
    }
  });

  it('is not taken with a signature of another body, another key, or none', async () => {
    const body = event('recurring.token.updated');
    for (const hmacsignature of [hmac(`${body} `), hmac(body, 'cd'.repeat(32)), '', 'short']) {
      expect(await read(body, { headers: { hmacsignature } })).toMatchObject({
        kind: 'unverified',
      });
    }
    expect(await read(body)).toMatchObject({ kind: 'unverified' });
  });

  it('is malformed without a type or an id', async () => {
    for (const body of ['{"type":"recurring.token.updated"}', '{"eventId":"E1"}']) {
      expect(await read(body, signed(body))).toMatchObject({ kind: 'malformed' });
    }
  });
});
