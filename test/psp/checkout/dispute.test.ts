import { expect, it } from 'vitest';
import { deadAddress } from '../broken-psp.ts';
import { checkoutServer, gatewayTo } from './checkout-kit.ts';

const question = { kind: 'dispute', status: 'needs_response', pspDisputeId: 'dsp_1' } as const;

function eventOf(type: string, data: object) {
  return { id: 'evt_1', type, version: '1.0.0', created_on: '2026-11-02T08:59:30.123Z', data };
}

/** In the shape of Checkout.com's docs of the webhook `dispute_evidence_required`. */
function disputeData(paymentId: string, changes: object = {}) {
  return {
    id: 'dsp_1',
    category: 'fraudulent',
    amount: 1_999,
    currency: 'EUR',
    reason_code: '10.4',
    payment_id: paymentId,
    payment_action_id: 'act_1',
    payment_reference: 'order-1',
    payment_method: 'VISA',
    evidence_required_by: '2026-11-16T23:59:59Z',
    date: '2026-11-01T10:00:00Z',
    ...changes,
  };
}

it('is read as it was told, and the rest is looked up in the payment', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const charged = await gateway.charge({
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    idempotencyKey: `att_${'0123456789abcdefghjkmnpq'}-1`,
    amountMinor: 1_999,
    currency: 'EUR',
    paymentMethodId: 'src_success',
  });
  if (charged.kind !== 'succeeded') throw new Error('the charge was not made');
  const event = eventOf('dispute_evidence_required', disputeData(charged.pspTransactionId));
  expect(await gateway.readWebhook(server.signedWebhook(event))).toMatchObject({
    events: [
      {
        parsed: {
          kind: 'dispute',
          dispute: {
            pspDisputeId: 'dsp_1',
            stage: 'chargeback',
            status: 'needs_response',
            network: 'visa',
            reason: 'fraudulent',
            reasonCode: '10.4',
            money: { amountMinor: 1_999, currency: 'EUR' },
            openedAt: new Date('2026-11-01T10:00:00Z'),
            respondBy: new Date('2026-11-16T23:59:59Z'),
            paymentIds: [charged.pspTransactionId, 'act_1'],
            merchantReference: 'order-1',
          },
        },
      },
    ],
  });
  const paymentIds = [charged.pspTransactionId, 'act_1'];
  expect(await gateway.lookUpDispute({ ...question, paymentIds })).toMatchObject({
    kind: 'read',
    email: 'jane@example.com',
    facts: {
      network: charged.card?.network ?? 'visa',
      networkTransactionId: charged.networkTransactionId,
      pspCustomerId: 'cus_1',
      paymentMethodId: 'src_success',
      cardFingerprint: 'vnsdrvikkvre3dtrjjvlm5du4q_src_success',
      cardLast4: '4242',
    },
  });
});

it.each([
  ['dispute_lost', 'chargeback', 'lost'],
  ['dispute_won', 'chargeback', 'won'],
  ['dispute_canceled', 'inquiry', 'closed'],
  ['dispute_resolved', 'pre_dispute', 'prevented'],
  ['dispute_evidence_acknowledged_by_scheme', 'chargeback', 'under_review'],
  ['dispute_arbitration_evidence_submitted', 'arbitration', 'under_review'],
  ['dispute_arbitration_sent_to_scheme', 'arbitration', 'under_review'],
  ['dispute_arbitration_lost', 'arbitration', 'lost'],
])('%s is %s, %s', async (type, stage, status) => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const event = eventOf(type, disputeData('pay_gone'));
  expect(await gateway.readWebhook(server.signedWebhook(event))).toMatchObject({
    events: [{ parsed: { dispute: { stage, status, paymentIds: ['pay_gone', 'act_1'] } } }],
  });
});

// In the shape of Checkout.com's docs of `dispute_evidence_required`: without `created_on`.
it('is read where its event tells its time as `timestamp`', async () => {
  const server = await checkoutServer();
  const { created_on: _, ...event } = eventOf('dispute_evidence_required', disputeData('pay_1'));
  const told = { ...event, timestamp: '2022-12-15T15:20:32.582+00:00' };
  const webhook = server.signedWebhook(told);
  expect(await gatewayTo(server.url, server.credentials).readWebhook(webhook)).toMatchObject({
    kind: 'read',
    events: [
      {
        occurredAt: new Date('2022-12-15T15:20:32.582Z'),
        parsed: { dispute: { status: 'needs_response' } },
      },
    ],
  });
});

it('is kept without its record where the type is a new one', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  const event = eventOf('dispute_of_tomorrow', disputeData('pay_1'));
  const reading = await gateway.readWebhook(server.signedWebhook(event));
  expect(reading.kind === 'read' && reading.events[0]?.parsed).toEqual({ kind: 'dispute' });
});

it('finds nothing of a payment that is gone, or of none', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(server.url, server.credentials);
  for (const paymentIds of [['pay_gone'], []]) {
    expect(await gateway.lookUpDispute({ ...question, paymentIds })).toEqual({ kind: 'nothing' });
  }
});

it('is to be looked up again when Checkout.com does not answer', async () => {
  const server = await checkoutServer();
  const gateway = gatewayTo(await deadAddress(), server.credentials);
  const asked = { ...question, paymentIds: ['pay_1'] };
  expect(await gateway.lookUpDispute(asked)).toMatchObject({ kind: 'unavailable' });
});
