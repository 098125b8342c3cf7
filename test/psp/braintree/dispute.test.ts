import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { document, type XmlValue } from '../../kits/psps/braintree-xml.ts';
import { deadAddress } from '../broken-psp.ts';
import { braintreeServer, gatewayTo } from './braintree-kit.ts';

const question = {
  kind: 'dispute',
  status: 'needs_response',
  pspDisputeId: 'dispute_1',
} as const;
const keys = { publicKey: 'acme_public', privateKey: 'acme_private' };

/** A dispute with the attributes of braintree_node, test/unit/braintree/dispute_spec.js. */
function disputeXml(transactionId: string, changes: Record<string, XmlValue> = {}): XmlValue {
  return {
    id: 'dispute_1',
    amount: '49.99',
    'amount-disputed': '49.99',
    'amount-won': '0.00',
    'case-number': 'CB1234',
    'currency-iso-code': 'EUR',
    'date-opened': '2026-11-01',
    kind: 'chargeback',
    'pre-dispute-program': 'none',
    reason: 'fraud',
    'reason-code': '1040',
    'received-date': '2026-11-01',
    'reference-number': 'REF1',
    'reply-by-date': '2026-11-15',
    status: 'open',
    transaction: {
      id: transactionId,
      amount: '49.99',
      'order-id': 'order-1',
      'payment-instrument-subtype': 'Visa',
      'purchase-order-number': 'po',
    },
    ...changes,
  };
}

function signed(kind: string, dispute: XmlValue) {
  const text = document('notification', {
    timestamp: '2026-11-02T08:59:30Z',
    kind,
    subject: { dispute },
  });
  const payload = `${Buffer.from(text).toString('base64')}\n`;
  const key = createHash('sha1').update(keys.privateKey).digest();
  const digest = createHmac('sha1', key).update(payload).digest('hex');
  const form = new URLSearchParams({
    bt_signature: `${keys.publicKey}|${digest}`,
    bt_payload: payload,
  });
  const receivedAt = new Date('2026-11-02T09:00:00.000Z');
  return { rawBody: Buffer.from(form.toString()), headers: {}, receivedAt };
}

async function disputeOf(kind: string, dispute: XmlValue) {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const reading = await gateway.readWebhook(signed(kind, dispute));
  if (reading.kind !== 'read') return reading;
  const parsed = reading.events[0]?.parsed;
  return parsed?.kind === 'dispute' ? parsed.dispute : parsed;
}

it('is read as it was told, and the rest is looked up in the transaction', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const charged = await gateway.charge({
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    idempotencyKey: `att_${'0123456789abcdefghjkmnpq'}-1`,
    amountMinor: 1_999,
    currency: 'EUR',
    paymentMethodId: 'bt_success',
  });
  if (charged.kind !== 'succeeded') throw new Error('the charge was not made');
  const reading = await gateway.readWebhook(
    signed('dispute_opened', disputeXml(charged.pspTransactionId)),
  );
  expect(reading).toMatchObject({
    events: [
      {
        parsed: {
          kind: 'dispute',
          dispute: {
            pspDisputeId: 'dispute_1',
            stage: 'chargeback',
            status: 'needs_response',
            network: 'visa',
            reason: 'fraud',
            reasonCode: '10.4',
            reasonFamily: 'fraud',
            money: { amountMinor: 4_999, currency: 'EUR' },
            openedAt: new Date('2026-11-01T00:00:00.000Z'),
            respondBy: new Date('2026-11-15T23:59:59.999Z'),
            paymentIds: [charged.pspTransactionId],
            merchantReference: 'order-1',
          },
        },
      },
    ],
  });
  const asked = { ...question, paymentIds: [charged.pspTransactionId] };
  expect(await gateway.lookUpDispute(asked)).toMatchObject({
    kind: 'read',
    facts: {
      pspCustomerId: 'bt_customer',
      paymentMethodId: 'bt_success',
      networkTransactionId: charged.networkTransactionId,
    },
  });
});

it.each([
  ['dispute_lost', { status: 'lost' }, 'chargeback', 'lost'],
  ['dispute_auto_accepted', { status: 'auto_accepted' }, 'chargeback', 'accepted'],
  ['dispute_opened', { kind: 'retrieval' }, 'inquiry', 'needs_response'],
  [
    'dispute_under_review',
    { kind: 'pre_arbitration', status: 'under_review' },
    'pre_arbitration',
    'under_review',
  ],
  ['dispute_opened', { 'pre-dispute-program': 'visa_rdr' }, 'pre_dispute', 'prevented'],
])('%s with %o is %s, %s', async (kind, changes, stage, status) => {
  const dispute = await disputeOf(kind, disputeXml('gone', changes));
  expect(dispute).toMatchObject({ stage, status, network: 'visa', merchantReference: 'order-1' });
});

it('takes the state of its kind where it has no status', async () => {
  const dispute = await disputeOf('dispute_won', { id: 'dispute_1' });
  expect(dispute).toMatchObject({ stage: 'chargeback', status: 'won', paymentIds: [] });
});

it('finds nothing of a transaction that is gone, or of none', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(server.url, server.credentials);
  for (const paymentIds of [['gone'], []]) {
    expect(await gateway.lookUpDispute({ ...question, paymentIds })).toEqual({ kind: 'nothing' });
  }
});

it('is to be looked up again when Braintree does not answer', async () => {
  const server = await braintreeServer();
  const gateway = gatewayTo(await deadAddress(), server.credentials);
  const asked = { ...question, paymentIds: ['tx1'] };
  expect(await gateway.lookUpDispute(asked)).toMatchObject({ kind: 'unavailable' });
});
