import { describe, expect, it } from 'vitest';
import { attemptJson } from '../../../src/http/views/attempt-shape.ts';
import { deliveryJson } from '../../../src/http/views/delivery-shape.ts';
import { paymentJson, paymentSummaryJson } from '../../../src/http/views/payment-shape.ts';
import { declinedPayment } from '../../kits/payment-views.ts';

const payment = declinedPayment('in_1', 'scheduled');

describe('a payment', () => {
  it.each([
    ['USD', 1223, 12.23],
    ['USD', 10, 0.1],
    ['JPY', 1223, 1223],
    ['KWD', 1223, 1.223],
    ['USD', 999_999_999_999, 9_999_999_999.99],
  ])('in %s shows %i minor units as %d', (currency, amountMinor, amount) => {
    expect(paymentSummaryJson({ ...payment, currency, amountMinor })).toMatchObject({
      amount,
      currency,
    });
  });

  it('leaves out what there is none of, and writes no null', () => {
    const { nextAttemptAt, subscriptionId, custom, decision, ...rest } = payment;
    const json = paymentJson({ ...rest, attempts: [], deliveries: [] });
    for (const name of ['next_attempt_at', 'subscription_id', 'custom', 'decision']) {
      expect(paymentJson(payment)).toHaveProperty(name);
      expect(json).not.toHaveProperty(name);
    }
    expect(JSON.stringify(json)).not.toContain('null');
  });

  it('shows who else charged', () => {
    const foreignAttempts = { count: 2, lastAt: new Date('2026-03-03T09:30:00.000Z') };
    expect(paymentJson({ ...payment, foreignAttempts })).toMatchObject({
      foreign_attempts: { count: 2, last_at: '2026-03-03T09:30:00.000Z' },
    });
    expect(paymentJson(payment)).not.toHaveProperty('foreign_attempts');
  });

  it('says why it was stopped', () => {
    const stopped = { ...payment, stopReason: 'merchant_stop', stopDetail: 'asked' } as const;
    expect(paymentSummaryJson(stopped)).toMatchObject({
      stop_reason: 'merchant_stop',
      stop_detail: 'asked',
    });
  });
});

it('an attempt that was never charged has no amount', () => {
  const startedAt = new Date('2026-03-02T09:30:00.000Z');
  expect(
    attemptJson({ attemptId: 'att_1', number: 1, status: 'checking', startedAt, transactions: [] }),
  ).toEqual({
    id: 'att_1',
    number: 1,
    status: 'checking',
    started_at: '2026-03-02T09:30:00.000Z',
    transactions: [],
  });
});

it('a delivery that was not sent yet has no status of an answer', () => {
  expect(
    deliveryJson({ eventId: 'evt_1', type: 'retry_result', status: 'pending', tries: 0 }),
  ).toEqual({ event_id: 'evt_1', type: 'retry_result', status: 'pending', tries: 0 });
});
