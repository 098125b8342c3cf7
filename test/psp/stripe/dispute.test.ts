import { describe, expect, it } from 'vitest';
import type { WebhookReading } from '../../../src/recovery/psp-ports.ts';
import { stripeEvent } from '../../kits/psps/stripe/failed-invoice.ts';
import type { StripeServer } from '../../kits/psps/stripe-server.ts';
import { deadAddress } from '../broken-psp.ts';
import { gatewayTo, stripe } from './stripe-kit.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

/** A dispute in the shape of Stripe's API: stripe/openapi, fixtures3.json, `dispute`. */
function disputeObject(charge: string, changes: object = {}) {
  return {
    id: 'du_1',
    object: 'dispute',
    amount: 1000,
    currency: 'usd',
    created: seconds('2026-11-01T10:00:00Z'),
    charge,
    payment_intent: 'pi_1',
    enhanced_eligibility_types: ['visa_compelling_evidence_3'],
    evidence_details: {
      due_by: seconds('2026-11-15T23:59:59Z'),
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
    },
    reason: 'fraudulent',
    status: 'needs_response',
    ...changes,
  };
}

async function read(
  server: StripeServer,
  type: string,
  object: object,
  gateway = gatewayTo(server),
) {
  const event = stripeEvent(server.world, type, object);
  return gateway.readWebhook(server.signedWebhook(event));
}

function disputeIn(reading: WebhookReading) {
  if (reading.kind !== 'read') throw new Error(`the webhook was ${reading.kind}`);
  const parsed = reading.events[0]?.parsed;
  if (parsed?.kind !== 'dispute') throw new Error('no dispute was read');
  return parsed.dispute;
}

it('is read as it was told, without a question to Stripe', async () => {
  const server = await stripe();
  const reading = await read(server, 'charge.dispute.created', disputeObject('ch_1'));
  expect(disputeIn(reading)).toEqual({
    pspDisputeId: 'du_1',
    kind: 'dispute',
    stage: 'chargeback',
    status: 'needs_response',
    network: 'visa',
    reason: 'fraudulent',
    reasonCode: '10.4',
    reasonFamily: 'fraud',
    money: { amountMinor: 1000, currency: 'USD' },
    openedAt: new Date('2026-11-01T10:00:00Z'),
    respondBy: new Date('2026-11-15T23:59:59Z'),
    paymentIds: ['ch_1', 'pi_1'],
  });
  expect(server.requests).toEqual([]);
});

it.each([
  ['charge.dispute.closed', { status: 'lost' }, 'chargeback', 'lost'],
  ['charge.dispute.created', { status: 'warning_needs_response' }, 'inquiry', 'needs_response'],
  ['charge.dispute.funds_withdrawn', { status: 'under_review' }, 'chargeback', 'under_review'],
  ['charge.dispute.created', { status: 'prevented' }, 'pre_dispute', 'prevented'],
  ['charge.dispute.updated', { status: 'appeal_needs_response' }, 'arbitration', 'needs_response'],
  ['charge.dispute.updated', { status: 'appeal_under_review' }, 'arbitration', 'under_review'],
])('%s with %o is %s, %s', async (type, changes, stage, status) => {
  const server = await stripe();
  const reading = await read(server, type, disputeObject('ch_gone', changes));
  expect(disputeIn(reading)).toMatchObject({ stage, status, paymentIds: ['ch_gone', 'pi_1'] });
});

it('has no deadline where no answer is allowed', async () => {
  const server = await stripe();
  const object = disputeObject('ch_gone', { evidence_details: { due_by: 0 } });
  const dispute = disputeIn(await read(server, 'charge.dispute.created', object));
  expect(dispute).not.toHaveProperty('respondBy');
});

it('reads an early fraud warning', async () => {
  const server = await stripe();
  const warning = {
    id: 'issfr_1',
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: 'ch_1',
    created: seconds('2026-11-01T10:00:00Z'),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
  };
  expect(disputeIn(await read(server, 'radar.early_fraud_warning.created', warning))).toEqual({
    kind: 'fraud_warning',
    pspDisputeId: 'issfr_1',
    reason: 'made_with_stolen_card',
    openedAt: new Date('2026-11-01T10:00:00Z'),
    paymentIds: ['ch_1'],
  });
});

it('is kept without its record where the status is a new one', async () => {
  const server = await stripe();
  const reading = await read(
    server,
    'charge.dispute.updated',
    disputeObject('ch_1', { status: 'x' }),
  );
  expect(disputeIn(reading)).toBeUndefined();
});

describe('the look-up of a dispute', () => {
  const question = { kind: 'dispute', status: 'needs_response', pspDisputeId: 'du_1' } as const;

  it('reads the charge, and the subscription of the invoice that it paid', async () => {
    const server = await stripe();
    const { charge, invoice } = server.failedSubscriptionInvoice();
    charge.billing_details = { email: 'jane@example.com' };
    const paymentIds = [charge.id, 'pi_1'];
    const answer = await gatewayTo(server).lookUpDispute({ ...question, paymentIds });
    const parent = invoice.parent as { subscription_details: { subscription: string } };
    expect(answer).toEqual({
      kind: 'read',
      email: 'jane@example.com',
      facts: {
        paymentIds: [charge.id, charge.payment_intent],
        network: 'visa',
        chargedAt: new Date(Number(charge.created) * 1000),
        networkTransactionId: `ntid${charge.id}`,
        pspCustomerId: 'cus_1',
        paymentMethodId: 'pm_decline',
        cardFingerprint: 'AOB934RVNwzk6xtn',
        cardLast4: '4242',
        invoiceId: invoice.id,
        subscriptionId: parent.subscription_details.subscription,
      },
    });
  });

  it('gives a fraud warning the money of its charge', async () => {
    const server = await stripe();
    const { charge } = server.failedSubscriptionInvoice();
    const asked = { kind: 'fraud_warning', pspDisputeId: 'issfr_1' } as const;
    const answer = await gatewayTo(server).lookUpDispute({ ...asked, paymentIds: [charge.id] });
    const money = { amountMinor: charge.amount, currency: 'USD' };
    expect(answer).toMatchObject({ facts: { money } });
  });

  it('finds nothing of a charge that is gone, or of none', async () => {
    const gateway = gatewayTo(await stripe());
    for (const paymentIds of [['ch_gone'], [], ['pi_1']]) {
      expect(await gateway.lookUpDispute({ ...question, paymentIds })).toEqual({ kind: 'nothing' });
    }
  });

  it('is to be made again when Stripe does not answer', async () => {
    const gateway = gatewayTo({ ...(await stripe()), url: await deadAddress() });
    expect(await gateway.lookUpDispute({ ...question, paymentIds: ['ch_1'] })).toMatchObject({
      kind: 'unavailable',
    });
  });
});
