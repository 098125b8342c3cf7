import { describe, expect, it } from 'vitest';
import type { PaymentStory } from '../../../src/recovery/reports/payment-story.ts';
import { paymentTimeline } from '../../../src/recovery/reports/payment-timeline.ts';
import { declinedPayment } from '../../kits/payment-views.ts';

const at = (text: string) => new Date(`2026-03-${text}Z`);

const story: PaymentStory = {
  firstDecline: { category: 'later', code: '51', networkCode: '51', adviceCode: '30' },
  firstMethodId: 'pm_1',
  methods: [
    {
      paymentMethodId: 'pm_1',
      isRemoved: false,
      signal: { reason: 'network_updated', at: at('01T20:00:00') },
    },
    {
      paymentMethodId: 'pm_old',
      isRemoved: true,
      signal: { reason: 'user_removed', at: new Date('2026-01-01T00:00:00Z') },
    },
  ],
  reports: [],
  sends: [
    {
      eventId: 'evt_1',
      type: 'retry_result',
      number: 1,
      sentAt: at('02T09:30:02'),
      status: 500,
      error: 'server_error: 500',
      durationMs: 84,
    },
  ],
  pspEvents: [],
  disputes: [
    { disputeId: 'dis_1', kind: 'fraud_warning', reason: 'stolen', openedAt: at('03T00:00:00') },
  ],
  actions: [{ action: 'payment.stopped', detail: { reason: 'asked to' }, at: at('03T10:00:00') }],
};

describe('the time line of a payment', () => {
  const payment = declinedPayment('in_1', 'stopped');
  const { entries } = paymentTimeline(
    { ...payment, stopReason: 'merchant_stop', updatedAt: at('03T10:00:00') },
    story,
  );
  const lines = entries.map(({ actor, message }) => `${actor}: ${message}`);

  it('tells everything in its order, with who did it', () => {
    expect(lines).toEqual([
      'issuer: failed at the merchant: 51, advice 30',
      'recoup: recovery began',
      'network: card updated by the network',
      'merchant: the merchant says yes',
      'issuer: declined: 51',
      'merchant: webhook retry_result was not accepted: status 500',
      'issuer: a fraud warning arrived: stolen',
      'operator: an operator stopped the recovery',
      'recoup: recovery stopped',
    ]);
  });

  it('says why, where somebody decided', () => {
    expect(entries.at(-2)).toMatchObject({ kind: 'act', because: 'asked to' });
    expect(entries.at(-1)).toMatchObject({ kind: 'ended', because: 'merchant stop' });
  });

  it.each([
    [{ retry: true, reason: 'it is open' }, 'the merchant says yes', 'it is open'],
    [
      { retry: true, refused: 'no amount' },
      'the merchant said yes, but its answer cannot be used',
      'no amount',
    ],
    [{ retry: false, reason: '', detail: 'paid' }, 'the merchant says no', 'paid'],
    [{ status: 429 }, 'the merchant asks for a later try', undefined],
    [{ status: 404 }, 'the merchant does not know the invoice', undefined],
    [{ status: 500 }, 'the merchant gave no usable answer', undefined],
  ])('says of the answer %j that %s', (check, message, because) => {
    const attempts = payment.attempts.map((attempt) => ({ ...attempt, check }));
    const entry = paymentTimeline({ ...payment, attempts }, story).entries.find(
      ({ kind }) => kind === 'check',
    );
    expect(entry?.message).toBe(message);
    if (because === undefined) expect(entry).not.toHaveProperty('because');
    else expect(entry?.because).toBe(because);
  });

  it('gives amounts beside the words', () => {
    expect(entries.find(({ kind }) => kind === 'charge')).toMatchObject({
      amountMinor: 4_200,
      currency: 'USD',
    });
  });

  it('shows a decision that stands once, and one of an attempt with the attempt', () => {
    const decided = { kind: 'attempt', because: 'b', decided_at: '2026-03-02T09:30:01.000Z' };
    const open = declinedPayment('in_1', 'scheduled');
    const [attempt] = open.attempts;
    const both = {
      ...open,
      decision: decided,
      attempts: attempt === undefined ? [] : [{ ...attempt, decision: decided }],
    };
    const kinds = paymentTimeline(both, story).entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'decision')).toHaveLength(1);
    expect(kinds).not.toContain('ended');
  });
});
