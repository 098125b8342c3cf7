import { describe, expect, it } from 'vitest';
import type { CheckoutClient } from '../../../src/psp/checkout/client.ts';
import { lookUpCheckoutDispute, parseDispute } from '../../../src/psp/checkout/dispute.ts';
import { createCheckoutEvidence } from '../../../src/psp/checkout/evidence.ts';
import type { Watched } from '../../../src/psp/watched-call.ts';
import { answered, lost, notSent, refused } from '../watched.ts';

const occurredAt = new Date('2026-11-02T09:00:00Z');
const ownKey = `att_${'0123456789abcdefghjkmnpq'}-1`;

describe('a dispute of Checkout.com', () => {
  const data = { id: 'dsp_1', payment_id: 'pay_1', amount: 1_999, currency: 'EUR' };
  const disputeOf = (change: object) => {
    const parsed = parseDispute({
      type: 'dispute_evidence_required',
      data: { ...data, ...change },
      occurredAt,
    });
    return parsed.kind === 'dispute' ? parsed.dispute : parsed.kind;
  };

  it('is of the day that it names, the day that it was received, or the event’s', () => {
    const [date, received_on] = ['2026-11-01T10:00:00Z', '2026-11-01T11:00:00Z'];
    expect(disputeOf({ date, received_on })).toMatchObject({ openedAt: new Date(date) });
    expect(disputeOf({ received_on })).toMatchObject({ openedAt: new Date(received_on) });
    expect(disputeOf({})).toMatchObject({ openedAt: occurredAt });
  });

  it('has its payment’s ids as far as they are there, and our key where the reference is one', () => {
    expect(disputeOf({})).toMatchObject({ paymentIds: ['pay_1'] });
    const ours = disputeOf({ payment_action_id: 'act_1', payment_reference: ownKey });
    expect(ours).toMatchObject({ paymentIds: ['pay_1', 'act_1'], idempotencyKey: ownKey });
    const foreign = disputeOf({ payment_reference: 'order-1' });
    expect(foreign).toMatchObject({ merchantReference: 'order-1' });
    expect(foreign).not.toHaveProperty('idempotencyKey');
  });

  it.each([
    ['no id', { id: undefined }],
    ['an id that is too long', { id: 'd'.repeat(300) }],
  ])('with %s has no record', (_what, change) => {
    expect(disputeOf(change)).toBeUndefined();
  });

  it.each([
    ['an amount that is no number', { amount: '1999' }],
    ['a currency that is no text', { currency: 978 }],
    ['a currency in small letters', { currency: 'eur' }],
    ['a longer currency', { currency: 'EURO' }],
    ['a currency behind another letter', { currency: 'xEUR' }],
    ['a part of a unit', { amount: 19.5 }],
  ])('with %s has no money', (_what, change) => {
    expect(disputeOf(change)).not.toHaveProperty('money');
    expect(disputeOf({})).toMatchObject({ money: { amountMinor: 1_999, currency: 'EUR' } });
  });
});

describe('the look-up of a disputed payment at Checkout.com', () => {
  const question = { kind: 'dispute', status: 'needs_response', pspDisputeId: 'dsp_1' } as const;
  const lookUp = async (sent: Watched<unknown>, paymentIds = ['act_1', 'pay_1']) => {
    const asked: string[] = [];
    const payment = async (id: string) => {
      asked.push(id);
      return sent;
    };
    const client = { payment } as Partial<CheckoutClient> as CheckoutClient;
    return { answer: await lookUpCheckoutDispute({ client }, { ...question, paymentIds }), asked };
  };

  it('asks for the payment alone, and reads what it says', async () => {
    const found = await lookUp(
      answered({ id: 'pay_1', reference: ownKey, customer: { id: 'cus_1' } }),
    );
    expect(found).toEqual({
      asked: ['pay_1'],
      answer: {
        kind: 'read',
        facts: { merchantReference: ownKey, idempotencyKey: ownKey, pspCustomerId: 'cus_1' },
      },
    });
    const reference = '0'.repeat(30);
    const short = await lookUp(answered({ id: 'pay_1', reference }));
    expect(short.answer).toMatchObject({ facts: { idempotencyKey: `rcp_${reference}` } });
    expect((await lookUp(lost, ['xpay_1', 'pay_1/..', 'pay_'])).asked).toEqual([]);
  });

  it('finds nothing in another payment, or where there is none', async () => {
    expect((await lookUp(answered({ id: 'pay_2' }))).answer).toEqual({ kind: 'nothing' });
    expect((await lookUp(answered('x'))).answer).toEqual({ kind: 'nothing' });
    expect((await lookUp(refused(404))).answer).toEqual({ kind: 'nothing' });
  });

  it('is to be made again where the payment could not be read', async () => {
    for (const sent of [refused(401), refused(500), lost, notSent]) {
      expect((await lookUp(sent)).answer).toEqual({
        kind: 'unavailable',
        reason: expect.stringMatching(/^The disputed payment could not be read: ./),
      });
    }
  });
});

describe('an answer to a dispute at Checkout.com', () => {
  const evidence = (sent: Watched<unknown>) => {
    const call = async () => sent;
    const client = { submitEvidence: call, dispute: call };
    return createCheckoutEvidence(client as Partial<CheckoutClient> as CheckoutClient);
  };
  const request = { pspDisputeId: 'dsp_1', attempt: 'a' } as Parameters<
    ReturnType<typeof createCheckoutEvidence>['submit']
  >[0];

  it.each([
    ['that was taken', answered(undefined), 'done'],
    ['that was refused with 400', refused(400), 'failed'],
    ['that was refused with 401', refused(401), 'failed'],
    ['that was refused with 403', refused(403), 'failed'],
    ['that was refused with 404', refused(404), 'failed'],
    ['that was refused with 422', refused(422), 'failed'],
    ['that is on its way already', refused(409), 'lost'],
    ['that was one of too many', refused(429), 'lost'],
    ['that broke Checkout.com', refused(500), 'lost'],
    ['whose answer was lost', lost, 'lost'],
    ['that was never sent', notSent, 'failed'],
  ])('%s is %j', async (_what, sent, kind) => {
    expect((await evidence(sent).submit(request)).kind).toBe(kind);
  });

  it.each([
    ['evidence_required', 'not_submitted'],
    ['evidence_under_review', 'submitted'],
    ['won', 'submitted'],
    ['arbitration_under_review', 'submitted'],
    ['arb_evidence_submitted', 'submitted'],
    ['lost', 'unreadable'],
    [undefined, 'unreadable'],
  ])('by the status %s is %s', async (status, kind) => {
    const read = await evidence(answered({ status })).readSubmitted('dsp_1');
    expect(read.kind).toBe(kind);
    if (read.kind === 'unreadable') expect(read.reason).toContain('status');
  });

  it('is unreadable where the dispute is, with the reason', async () => {
    expect(await evidence(lost).readSubmitted('dsp_1')).toEqual({
      kind: 'unreadable',
      reason: lost.reason,
    });
  });
});
