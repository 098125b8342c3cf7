import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaypalAdapter } from '../../../src/psp/paypal/adapter.ts';
import type { WebhookReading } from '../../../src/recovery/psp-ports.ts';
import {
  type PaypalServer,
  paypalCredentials,
  paypalDispute,
  paypalEvent,
  signedPaypalWebhook,
  startPaypalServer,
} from '../../kits/psps/paypal-server.ts';
import { deadAddress } from '../broken-psp.ts';

const clock = { now: () => new Date('2026-11-02T09:00:01Z') };
let server: PaypalServer;
beforeAll(async () => {
  server = await startPaypalServer();
});
afterAll(() => server.close());

function gatewayTo(baseUrl = server.url, credentials = paypalCredentials) {
  return createPaypalAdapter({ baseUrl, deadlineMs: 5_000, clock }).connect(credentials);
}

function disputeIn(reading: WebhookReading) {
  if (reading.kind !== 'read') throw new Error(`the webhook was ${reading.kind}`);
  const parsed = reading.events[0]?.parsed;
  if (parsed?.kind !== 'dispute') throw new Error('no dispute was read');
  return parsed.dispute;
}

describe('a dispute of PayPal', () => {
  it('is read whole, with all its transactions', async () => {
    const event = paypalEvent(paypalDispute());
    const reading = await gatewayTo().readWebhook(signedPaypalWebhook(event));
    expect(reading).toMatchObject({
      events: [
        {
          eventId: 'WH-4M0448861G563140B-9EX36365822141321',
          type: 'CUSTOMER.DISPUTE.CREATED',
          occurredAt: new Date('2026-11-01T10:00:06.000Z'),
        },
      ],
    });
    expect(disputeIn(reading)).toEqual({
      pspDisputeId: 'PP-D-27803',
      kind: 'dispute',
      stage: 'chargeback',
      status: 'needs_response',
      reason: 'UNAUTHORISED',
      reasonCode: '10.4',
      money: { amountMinor: 3_690, currency: 'USD' },
      openedAt: new Date('2026-11-01T10:00:00.000Z'),
      chargedAt: new Date('2026-10-20T08:00:00.000Z'),
      respondBy: new Date('2026-11-11T10:00:00.000Z'),
      paymentIds: ['00D10444LD479031K', '00D10444LD479032K'],
    });
  });

  const outcome = (outcome_code: string) => ({
    status: 'RESOLVED',
    dispute_outcome: { outcome_code },
  });
  const decidedBefore = (status: string) => ({ ...outcome('RESOLVED_BUYER_FAVOUR'), status });
  it.each([
    [{ dispute_life_cycle_stage: 'INQUIRY', status: 'OPEN' }, 'inquiry', 'needs_response'],
    [{ status: 'UNDER_REVIEW' }, 'chargeback', 'under_review'],
    [{ status: 'WAITING_FOR_BUYER_RESPONSE' }, 'chargeback', 'under_review'],
    [outcome('RESOLVED_SELLER_FAVOUR'), 'chargeback', 'won'],
    [outcome('RESOLVED_BUYER_FAVOUR'), 'chargeback', 'lost'],
    [outcome('RESOLVED_WITH_PAYOUT'), 'chargeback', 'won'],
    [outcome('CANCELED_BY_BUYER'), 'chargeback', 'closed'],
    [outcome('ACCEPTED'), 'chargeback', 'accepted'],
    [{ status: 'RESOLVED' }, 'chargeback', 'closed'],
    [outcome('NONE'), 'chargeback', 'closed'],
    [decidedBefore('WAITING_FOR_SELLER_RESPONSE'), 'chargeback', 'needs_response'],
    [decidedBefore('UNDER_REVIEW'), 'chargeback', 'under_review'],
    [{ dispute_life_cycle_stage: 'PRE_ARBITRATION' }, 'pre_arbitration', 'needs_response'],
    [{ dispute_life_cycle_stage: 'ARBITRATION' }, 'arbitration', 'needs_response'],
  ])('%o is %s, %s', async (changes, stage, status) => {
    const event = paypalEvent(paypalDispute(changes), 'CUSTOMER.DISPUTE.UPDATED');
    const reading = await gatewayTo().readWebhook(signedPaypalWebhook(event));
    expect(disputeIn(reading)).toMatchObject({ stage, status });
  });

  it('of an alert is a fraud warning, and of a new status is kept without its record', async () => {
    const read = async (changes: object) =>
      disputeIn(
        await gatewayTo().readWebhook(signedPaypalWebhook(paypalEvent(paypalDispute(changes)))),
      );
    expect(await read({ dispute_channel: 'ALERT' })).toMatchObject({ kind: 'fraud_warning' });
    expect(await read({ status: 'OF_TOMORROW' })).toBeUndefined();
  });

  it('is completed from its record, which has the references that webhooks leave out', async () => {
    const [first] = paypalDispute().disputed_transactions;
    const { invoice_number: _, ...bare } = { invoice_number: '', ...first };
    const disputed_transactions = [bare, { ...first, invoice_number: 'INV-1', custom: 'x' }];
    server.disputes.set('PP-D-1', paypalDispute({ dispute_id: 'PP-D-1', disputed_transactions }));
    const question = { kind: 'dispute', status: 'needs_response', paymentIds: [] } as const;
    const look = (pspDisputeId: string, at?: string) =>
      gatewayTo(at).lookUpDispute({ ...question, pspDisputeId });
    expect(await look('PP-D-1')).toMatchObject({
      kind: 'read',
      facts: {
        paymentIds: ['00D10444LD479031K', '00D10444LD479031K'],
        merchantReference: 'INV-1',
      },
    });
    expect(await look('PP-D-2')).toEqual({ kind: 'nothing' });
    expect(await look('PP-D-1', await deadAddress())).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a webhook', () => {
  const event = paypalEvent(paypalDispute());

  it.each([
    ['without its headers', { 'paypal-transmission-sig': '' }],
    ['of another algorithm', { 'paypal-auth-algo': 'none' }],
    [
      'of a certificate of somebody else',
      { 'paypal-cert-url': 'https://paypal.com.evil.example/c' },
    ],
    ['of a certificate over http', { 'paypal-cert-url': 'http://api.paypal.com/c' }],
  ])('%s is refused without a question', async (_what, changes) => {
    const gateway = gatewayTo(await deadAddress());
    const reading = await gateway.readWebhook(signedPaypalWebhook(event, changes));
    expect(reading).toMatchObject({ kind: 'unverified' });
  });

  it('whose signature is not right is refused', async () => {
    const { rawBody, ...others } = signedPaypalWebhook(event);
    const changed = Buffer.from(Buffer.from(rawBody).toString().replace('36.90', '36.91'));
    const reading = await gatewayTo().readWebhook({ ...others, rawBody: changed });
    expect(reading).toMatchObject({ kind: 'unverified' });
    const other = { ...paypalCredentials, webhook_id: 'ANOTHERWEBHOOK' };
    expect(await gatewayTo(server.url, other).readWebhook({ ...others, rawBody })).toMatchObject({
      kind: 'unverified',
    });
  });

  it('is to come again when PayPal does not answer', async () => {
    const gateway = gatewayTo(await deadAddress());
    const reading = await gateway.readWebhook(signedPaypalWebhook(event));
    expect(reading).toMatchObject({ kind: 'unavailable' });
  });

  it('about something else is not used', async () => {
    const other = paypalEvent({}, 'PAYMENT.CAPTURE.COMPLETED');
    expect(await gatewayTo().readWebhook(signedPaypalWebhook(other))).toMatchObject({
      events: [{ parsed: { kind: 'not_used' } }],
    });
  });
});

describe('a connection', () => {
  it('is tested by its credentials', async () => {
    const check = (changes: object, at?: string) =>
      gatewayTo(at, { ...paypalCredentials, ...changes }).checkCredentials();
    expect(await check({})).toEqual({ kind: 'accepted' });
    expect(await check({ client_secret: 'x' })).toMatchObject({ kind: 'refused' });
    expect(await check({ environment: 'moon' })).toMatchObject({ kind: 'refused' });
    expect(await check({}, await deadAddress())).toMatchObject({ kind: 'unreachable' });
  });

  it('asks for one token, and for another when that was taken back', async () => {
    const gateway = gatewayTo();
    const before = server.tokens.length;
    const webhook = signedPaypalWebhook(paypalEvent(paypalDispute()));
    for (let time = 0; time < 3; time += 1) await gateway.readWebhook(webhook);
    expect(server.tokens.length - before).toBe(1);
    server.tokens.push('somebody else asked');
    expect(await gateway.readWebhook(webhook)).toMatchObject({ kind: 'read' });
    expect(server.tokens.length - before).toBe(3);
  });

  it('charges nothing', async () => {
    const charge = {
      ...{ merchantId: 'mer_1', invoiceId: 'in_1', idempotencyKey: 'key-1' },
      ...{ amountMinor: 500, currency: 'EUR', paymentMethodId: 'pm_1' },
    };
    expect(await gatewayTo().charge(charge)).toMatchObject({ kind: 'not_made' });
  });
});
