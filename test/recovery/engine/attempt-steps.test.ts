import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { CardAttempt } from '../../../src/domain/network-rules/card-attempt.ts';
import { rulePackVersion } from '../../../src/domain/network-rules/rule-pack.ts';
import { ended, postponed } from '../../../src/recovery/engine/attempt-steps.ts';
import type {
  CardHistory,
  OpenAttempt,
  PaymentContext,
  PaymentOutcome,
} from '../../../src/recovery/engine-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { random } from '../../kits/engine.ts';
import { merchant, paymentContext, sendingCharge } from './payment-context.ts';

const day = (days: number): Date => addMs(worldStart, days * dayMs);
const waits: PaymentOutcome = { state: 'scheduled', attemptCount: 0, postponements: 1 };

const attempt: OpenAttempt = {
  attemptId: 'att_1',
  state: 'charging',
  startedAt: day(1),
  transactions: [sendingCharge(day(1))],
};

describe('an attempt that charged nothing', () => {
  const end = (change: Partial<PaymentContext>): PaymentOutcome =>
    ended(
      { random },
      {
        payment: paymentContext(change),
        merchant,
        attempt: { ...attempt, transactions: [] },
        now: day(1),
        otherwise: () => waits,
      },
    ).payment;

  it('goes on as its end says', () => {
    expect(end({})).toBe(waits);
  });

  it('ends its payment where that was paid meanwhile, whatever its end says', () => {
    expect(end({ isPaid: true })).toEqual({
      state: 'recovered',
      attemptCount: 0,
      postponements: 0,
    });
  });

  it('stops its payment where that was asked for meanwhile', () => {
    expect(end({ stopReason: 'merchant_stop' })).toMatchObject({
      state: 'stopped',
      stopReason: 'merchant_stop',
    });
  });
});

describe('the plan after a decline', () => {
  /** A Visa card after so many declines on the first day, all of this invoice. */
  const visaAfter = (declines: number): CardHistory => ({
    cardKey: 'card_1',
    facts: { network: 'visa', credential: 'pan' },
    attempts: Array.from(
      { length: declines },
      (_, index): CardAttempt => ({
        id: `earlier_${index}`,
        invoiceId: 'in_1',
        at: addMs(worldStart, index * 1_000),
        initiator: 'mit',
        credential: 'pan',
        outcome: 'declined',
        networkCode: '51',
      }),
    ),
  });

  const planAfter = (declines: number): PaymentOutcome =>
    ended(
      { random },
      {
        payment: paymentContext({
          methods: [{ paymentMethodId: 'pm_1', failedFirst: true, card: visaAfter(declines) }],
        }),
        merchant,
        attempt,
        transaction: {
          attemptId: 'att_1',
          ordinal: 1,
          state: 'declined',
          decline: { category: 'later', code: '51', networkCode: '51' },
        },
        now: day(1),
        otherwise: () => waits,
      },
    ).payment;

  it('is another attempt while the network allows the card one', () => {
    expect(planAfter(19)).toMatchObject({ dueAction: 'attempt', attemptCount: 1 });
  });

  it('counts that decline: with it the card has used up what its network allows', () => {
    expect(planAfter(20)).toMatchObject({ dueAction: 'expire', attemptCount: 1 });
  });
});

describe('a postponed payment whose methods have changed since it was planned', () => {
  const now = addMs(worldStart, hourMs);
  const waitUntil = (waitMs: number, methods: PaymentContext['methods']): PaymentOutcome => {
    const decision = {
      kind: 'attempt',
      because: '',
      policy: 'fixed',
      policy_version: '1',
      rule_pack_version: rulePackVersion,
      decided_at: worldStart.toISOString(),
      methods: ['pm_1', 'pm_2'],
      bounded_by: [],
      propensity: 1,
    } as const;
    return postponed({ payment: paymentContext({ decision, methods }), merchant, now }, waitMs);
  };

  it('waits as long as it was told to, though a renewed one might be charged at once', () => {
    const renewed = { paymentMethodId: 'pm_1', failedFirst: true, renewedAt: now };
    expect(waitUntil(2 * dayMs, [renewed])).toMatchObject({
      dueAction: 'attempt',
      nextAttemptAt: addMs(now, 2 * dayMs),
    });
  });

  it('waits until the time of its new plan where that is later', () => {
    const left = { paymentMethodId: 'pm_1', failedFirst: true };
    expect(waitUntil(hourMs, [left])).toMatchObject({
      dueAction: 'attempt',
      nextAttemptAt: day(1),
    });
  });
});
