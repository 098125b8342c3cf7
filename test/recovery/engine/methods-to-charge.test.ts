import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { Decline } from '../../../src/domain/declines/decline.ts';
import { rulePackVersion } from '../../../src/domain/network-rules/rule-pack.ts';
import { methodsToCharge } from '../../../src/recovery/engine/methods-to-charge.ts';
import type { OpenAttempt, PaymentContext } from '../../../src/recovery/engine-ports.ts';
import type { AnswerMethod } from '../../../src/recovery/merchant-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { paymentContext } from './payment-context.ts';

const day = (days: number): Date => addMs(worldStart, days * dayMs);
const soft: Decline = { category: 'later', code: '51' };
const hard: Decline = { category: 'never', code: '43' };

function open(planned: readonly string[] = []): OpenAttempt {
  return {
    attemptId: 'att_1',
    state: 'checking',
    startedAt: day(2),
    transactions: [],
    decision: {
      kind: 'attempt',
      because: '',
      policy: 'fixed',
      policy_version: '1',
      rule_pack_version: rulePackVersion,
      decided_at: '',
      methods: planned,
      bounded_by: [],
      propensity: 1,
    },
  };
}

/** What is charged of an answer two days after the failure; `undefined` is an answer that names none. */
function chosen(
  payment: Partial<PaymentContext>,
  answered: readonly (string | AnswerMethod)[] | undefined,
  attempt: OpenAttempt = open(),
) {
  const methods = answered?.map((item) => (typeof item === 'string' ? { id: item } : item));
  const result = methodsToCharge(paymentContext(payment), attempt, { methods, answeredAt: day(2) });
  return {
    methods: result.methods.map((method) => method.paymentMethodId),
    skipped: result.skipped.map((item) => [item.payment_method, item.why]),
  };
}

const triedOnce = (decline: Decline, paymentMethodId = 'pm_2') => [
  { startedAt: day(1), endedAt: day(1), declines: [{ paymentMethodId, decline }] },
];

describe('the answer’s order', () => {
  it('is kept, each method once', () => {
    expect(chosen({}, ['pm_2', 'pm_1', 'pm_2', 'pm_3']).methods).toEqual(['pm_2', 'pm_1', 'pm_3']);
  });

  it('gives way to methods added since the last try, the newest first', () => {
    const methods = [
      { paymentMethodId: 'pm_1', failedFirst: true },
      { paymentMethodId: 'pm_old', renewedAt: day(0.5) },
      { paymentMethodId: 'pm_new', renewedAt: day(1.5) },
      { paymentMethodId: 'pm_newest', renewedAt: day(1.9) },
    ];
    const tries = triedOnce(soft, 'pm_1');
    const answered = ['pm_1', 'pm_old', 'pm_new', 'pm_3', 'pm_newest'];
    expect(chosen({ methods, tries }, answered).methods).toEqual([
      'pm_newest',
      'pm_new',
      'pm_1',
      'pm_old',
      'pm_3',
    ]);
  });
});

describe('a method is skipped', () => {
  it('that the customer removed, whoever names it', () => {
    const payment = { removedMethodIds: ['pm_2'] };
    const expected = { methods: ['pm_1'], skipped: [['pm_2', 'removed']] };
    expect(chosen(payment, ['pm_2', 'pm_1'])).toEqual(expected);
    expect(chosen(payment, undefined, open(['pm_2', 'pm_1']))).toEqual(expected);
  });

  it('that the plan names and the customer no longer has', () => {
    const expected = { methods: ['pm_1'], skipped: [] };
    expect(chosen({}, undefined, open(['pm_gone', 'pm_1']))).toEqual(expected);
  });

  it('whose card has expired by the time of the answer, and not before its month is over', () => {
    const token = (id: string, expirationMonth: string, expirationYear: string) => ({
      token: { id, expirationMonth, expirationYear },
    });
    const now = day(2);
    const year = now.getUTCFullYear();
    const month = String(now.getUTCMonth() + 1);
    const answered = [
      token('pm_2', month, String(year - 1)),
      token('pm_3', month, String(year)),
      'pm_1',
    ];
    expect(chosen({}, answered)).toEqual({
      methods: ['pm_3', 'pm_1'],
      skipped: [['pm_2', 'expired']],
    });
  });

  it('whose card has expired since the payment failed', () => {
    const answered = [
      { token: { id: 'pm_2', expirationMonth: '02', expirationYear: '2026' } },
      'pm_1',
    ];
    const failedAt = new Date('2026-02-28T12:00:00Z');
    expect(chosen({ failedAt }, answered)).toEqual({
      methods: ['pm_1'],
      skipped: [['pm_2', 'expired']],
    });
  });

  it('that an issuer refused for good', () => {
    expect(chosen({ tries: triedOnce(hard) }, ['pm_2', 'pm_1'])).toEqual({
      methods: ['pm_1'],
      skipped: [['pm_2', 'hard_declined']],
    });
    expect(chosen({ firstDecline: hard }, ['pm_1', 'pm_2'])).toEqual({
      methods: ['pm_2'],
      skipped: [['pm_1', 'hard_declined']],
    });
  });

  it('no longer, once it was replaced after the refusal', () => {
    const methods = [{ paymentMethodId: 'pm_2', renewedAt: day(1.5) }];
    const expected = { methods: ['pm_2', 'pm_1'], skipped: [] };
    expect(chosen({ methods, tries: triedOnce(hard) }, ['pm_1', 'pm_2'])).toEqual(expected);
  });
});
