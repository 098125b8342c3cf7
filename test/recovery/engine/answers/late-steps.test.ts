import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../../src/domain/clock.ts';
import type { PaymentState } from '../../../../src/domain/states.ts';
import type { AnsweredCharge } from '../../../../src/recovery/engine/answers/answer-ports.ts';
import {
  contradicted,
  differing,
  type LateInput,
  late,
  type MadeResult,
  secondSuccess,
} from '../../../../src/recovery/engine/answers/late-steps.ts';
import {
  outcomeOf,
  paidElsewhere,
  technicalBackoff,
} from '../../../../src/recovery/engine/answers/outcome-of.ts';
import type {
  OpenAttempt,
  OpenTransaction,
  PaymentContext,
} from '../../../../src/recovery/engine-ports.ts';
import { worldStart } from '../../../kits/billing-events.ts';
import { merchant, paymentContext } from '../payment-context.ts';

const deps = {
  random: { bytes: (count: number) => new Uint8Array(count).fill(7) },
  signLink: () => 'token',
};
const sentAt = addMs(worldStart, dayMs);
const now = addMs(sentAt, hourMs);
const success: MadeResult = { kind: 'succeeded', pspTransactionId: 'ch_9' };
const decline: MadeResult = {
  kind: 'declined',
  pspTransactionId: 'ch_9',
  decline: { category: 'later', code: '51' },
};

interface Changes {
  readonly transaction?: Partial<OpenTransaction>;
  readonly attempt?: Partial<OpenAttempt>;
  readonly charge?: Partial<AnsweredCharge>;
  readonly payment?: Partial<PaymentContext>;
  readonly asksForEnd?: boolean;
}

/** An answer to a charge that was taken for never made, unless it is changed. */
function inputOf(result: MadeResult, changes: Changes = {}): LateInput {
  const transaction: OpenTransaction = {
    ordinal: 1,
    state: 'not_made',
    idempotencyKey: 'key-1',
    paymentMethodId: 'pm_1',
    amountMinor: 1_223,
    currency: 'USD',
    sentAt,
    connectionVersion: 2,
    ...changes.transaction,
  };
  const attempt: OpenAttempt = {
    attemptId: 'att_1',
    state: 'not_attempted',
    startedAt: sentAt,
    transactions: [transaction],
    ...changes.attempt,
  };
  return {
    charge: {
      merchantId: 'mer_1',
      invoiceId: 'in_1',
      psp: 'sandbox',
      attempt,
      transaction,
      isBeside: false,
      isTold: false,
      ...changes.charge,
    },
    payment: paymentContext(changes.payment),
    merchant: { ...merchant, endOfDunning: changes.asksForEnd ?? false },
    result,
    now,
  };
}

const bodyOf = (event: { readonly body: string } | undefined) => JSON.parse(event?.body ?? '{}');
const typesOf = ({ events = [] }: ReturnType<typeof late>) => events.map(({ type }) => type);

describe('a success of a charge that was taken for never made', () => {
  it('recovers the payment, as one try more, and is told', () => {
    const change = late(deps, inputOf(success));
    expect(change).toMatchObject({
      transaction: { attemptId: 'att_1', ordinal: 1, state: 'succeeded', pspTransactionId: 'ch_9' },
      attempt: { attemptId: 'att_1', state: 'succeeded' },
      payment: { state: 'recovered', attemptCount: 1, postponements: 0 },
    });
    expect(typesOf(change)).toEqual(['retry_result']);
    expect(change.events?.[0]).not.toHaveProperty('isLate');
    expect(bodyOf(change.events?.[0])).toMatchObject({
      success: true,
      timestamp: now.toISOString(),
      service_id: 'att_1',
      psp_transactions: [{ psp_transaction_id: 'ch_9', success: true }],
    });
  });

  it.each([
    ['scheduled', ['retry_result', 'end_of_dunning']],
    ['stopped', ['retry_result']],
    ['exhausted', ['retry_result']],
  ] as const)('of a payment that is %s tells %j where ends are asked for', (state, types) => {
    const change = late(
      deps,
      inputOf(success, { payment: { state: state as PaymentState }, asksForEnd: true }),
    );
    expect(typesOf(change)).toEqual(types);
    expect(change.payment?.state).toBe('recovered');
  });

  it('of an attempt that was a try already is no further one', () => {
    const payment = { tries: [{ startedAt: sentAt, endedAt: sentAt, declines: [] }] };
    const count = (state: OpenAttempt['state']) =>
      late(deps, inputOf(success, { attempt: { state }, payment })).payment?.attemptCount;
    expect([
      count('declined'),
      count('succeeded'),
      count('not_attempted'),
      count('unknown'),
    ]).toEqual([1, 1, 2, 2]);
  });

  it('beside another attempt leaves the payment, and stops it after that one', () => {
    const change = late(deps, inputOf(success, { charge: { isBeside: true }, asksForEnd: true }));
    expect(change).not.toHaveProperty('payment');
    expect(change).toMatchObject({ isTry: true, stops: true, attempt: { state: 'succeeded' } });
    expect(typesOf(change)).toEqual(['retry_result']);
    const known = late(
      deps,
      inputOf(success, { charge: { isBeside: true }, attempt: { state: 'declined' } }),
    );
    expect(known.isTry).toBe(false);
  });

  it('is told as late where the attempt’s result was told before', () => {
    expect(late(deps, inputOf(success, { charge: { isTold: true } })).events).toMatchObject([
      { isLate: true },
    ]);
  });
});

describe('a decline of a charge that was taken for never made', () => {
  it('is a try like any other: it is told, and the policy plans on', () => {
    const change = late(deps, inputOf(decline));
    expect(change).toMatchObject({
      transaction: { state: 'declined', decline: { code: '51' } },
      attempt: { attemptId: 'att_1', state: 'declined' },
      payment: { state: 'scheduled', dueAction: 'attempt', attemptCount: 1 },
    });
    expect(typesOf(change)).toEqual(['retry_result']);
    expect(change).not.toHaveProperty('isTry');
  });

  it('of an attempt that was a try already changes neither it nor the count', () => {
    const change = late(
      deps,
      inputOf(decline, { attempt: { state: 'declined' }, charge: { isTold: true } }),
    );
    expect(change).not.toHaveProperty('attempt');
    expect(change.events).toEqual([]);
    expect(change.payment).toMatchObject({ attemptCount: 0 });
  });

  it.each(['stopped', 'attempting', 'recovered'] as const)(
    'leaves a payment that is %s where it is',
    (state) => {
      const change = late(deps, inputOf(decline, { payment: { state } }));
      expect(change).not.toHaveProperty('payment');
      expect(change.isTry).toBe(true);
    },
  );

  it('is planned on with its own code', () => {
    const never: MadeResult = { ...decline, decline: { category: 'never', code: '43' } };
    expect(late(deps, inputOf(never)).payment).toMatchObject({ dueAction: 'expire' });
  });
});

describe('a second success of a debt', () => {
  it('of an open charge is recorded as it is, recovers the payment, and is an incident', () => {
    const input = inputOf(success, {
      transaction: { state: 'unknown' },
      attempt: { state: 'unknown' },
      asksForEnd: true,
    });
    const change = secondSuccess(deps, input);
    expect(change).toMatchObject({
      transaction: { state: 'succeeded', contradicts: true },
      attempt: { attemptId: 'att_1', state: 'succeeded', contradicts: true },
      payment: { state: 'recovered', attemptCount: 1 },
      incident: { kind: 'two_successes', detail: 'two charges of one debt succeeded' },
    });
    expect(change).not.toHaveProperty('isTry');
    expect(typesOf(change)).toEqual(['retry_result', 'end_of_dunning']);
    const over = secondSuccess(deps, { ...input, payment: paymentContext({ state: 'recovered' }) });
    expect(typesOf(over)).toEqual(['retry_result']);
  });

  it('of one that was taken for never made leaves the payment', () => {
    const change = secondSuccess(deps, inputOf(success, { asksForEnd: true }));
    expect(change).not.toHaveProperty('payment');
    expect(change.isTry).toBe(true);
    expect(typesOf(change)).toEqual(['retry_result']);
  });

  it('of one that was told as declined stays declined, beside the incident', () => {
    const recorded = { state: 'declined', pspTransactionId: 'ch_1' } as const;
    const change = secondSuccess(deps, inputOf(success, { transaction: recorded }));
    expect(change.transaction).toEqual({
      attemptId: 'att_1',
      ordinal: 1,
      ...recorded,
      contradicts: true,
    });
    expect(change).not.toHaveProperty('attempt');
    expect(change).not.toHaveProperty('events');
    expect(change.incident?.kind).toBe('two_successes');
  });
});

describe('the opposite of what is recorded', () => {
  it('changes nothing but the mark, and is an incident with both sides', () => {
    const told = { amountMinor: 1_000, currency: 'EUR', isLive: false };
    const input = inputOf(
      { ...success, told },
      {
        transaction: { state: 'declined', pspTransactionId: 'ch_1', networkTransactionId: 'n_1' },
        charge: { isLive: true },
      },
    );
    expect(contradicted(input)).toEqual({
      transaction: {
        attemptId: 'att_1',
        ordinal: 1,
        state: 'declined',
        pspTransactionId: 'ch_1',
        networkTransactionId: 'n_1',
        contradicts: true,
      },
      incident: {
        merchantId: 'mer_1',
        kind: 'contradiction',
        subject: 'key-1 succeeded',
        invoiceId: 'in_1',
        psp: 'sandbox',
        connectionVersion: 2,
        charge: 'key-1',
        ours: {
          state: 'declined',
          amountMinor: 1_223,
          currency: 'USD',
          at: sentAt,
          isLive: true,
          pspTransactionId: 'ch_1',
        },
        theirs: {
          state: 'succeeded',
          amountMinor: 1_000,
          currency: 'EUR',
          at: now,
          pspTransactionId: 'ch_9',
          isLive: false,
        },
        detail: 'the PSP says succeeded of a charge that is recorded as declined',
        at: now,
      },
    });
  });

  it('without a word of the money is taken to be of ours', () => {
    const { incident } = contradicted(inputOf(success, { transaction: { state: 'declined' } }));
    expect(incident?.theirs).toEqual({
      state: 'succeeded',
      amountMinor: 1_223,
      currency: 'USD',
      at: now,
      pspTransactionId: 'ch_9',
    });
    expect(incident?.ours).not.toHaveProperty('isLive');
  });
});

describe('another charge than was sent', () => {
  it.each([
    ['amount', 'amount_differs', 'another amount'],
    ['mode', 'mode_differs', 'another mode'],
  ] as const)('in its %s leaves an open one unknown, for a person', (where, kind, words) => {
    for (const state of ['sending', 'unknown'] as const) {
      const change = differing(
        inputOf(success, { transaction: { state }, attempt: { state: 'charging' } }),
        where,
      );
      expect(change).toMatchObject({
        transaction: {
          attemptId: 'att_1',
          ordinal: 1,
          state: 'unknown',
          reason: expect.stringContaining(words),
        },
        attempt: { attemptId: 'att_1', state: 'unknown' },
        payment: { state: 'attempting', attemptCount: 1, postponements: 0 },
        incident: { kind, detail: expect.stringContaining(words) },
      });
    }
  });

  it('of a charge that has ended is an incident alone', () => {
    for (const state of ['succeeded', 'declined', 'not_made'] as const) {
      const change = differing(inputOf(success, { transaction: { state } }), 'amount');
      expect(Object.keys(change)).toEqual(['incident']);
    }
  });

  it('keeps a stop that was asked for, and counts a try once', () => {
    const payment = { stopReason: 'merchant_stop', stopDetail: 'x', postponements: 3 } as const;
    const open = { transaction: { state: 'unknown' }, attempt: { state: 'unknown' } } as const;
    expect(differing(inputOf(success, { ...open, payment }), 'amount').payment).toEqual({
      state: 'attempting',
      stopReason: 'merchant_stop',
      stopDetail: 'x',
      attemptCount: 0,
      postponements: 3,
    });
  });
});

describe('what a result changes in the row of its charge', () => {
  const row = { attemptId: 'att_1', ordinal: 2 };

  it.each([
    [
      { ...success, networkTransactionId: 'n_1' },
      { state: 'succeeded', pspTransactionId: 'ch_9', networkTransactionId: 'n_1' },
    ],
    [success, { state: 'succeeded', pspTransactionId: 'ch_9' }],
    [
      decline,
      { state: 'declined', pspTransactionId: 'ch_9', decline: { category: 'later', code: '51' } },
    ],
    [
      { kind: 'not_made', reason: 'r' },
      { state: 'not_made', reason: 'r' },
    ],
    [
      { kind: 'unknown', reason: 'r' },
      { state: 'unknown', reason: 'r' },
    ],
    [
      { kind: 'paid_elsewhere', reason: 'r' },
      { state: 'not_made', reason: 'r' },
    ],
  ] as const)('of %j is %j', (result, changed) => {
    expect(outcomeOf('att_1', 2, result)).toStrictEqual({ ...row, ...changed });
  });

  it('has words of a bounded length', () => {
    const long = 'x'.repeat(10_000);
    const { decline: kept } = outcomeOf('att_1', 2, {
      ...decline,
      decline: { category: 'later', code: '51', message: long },
    });
    expect(kept?.message?.length).toBeLessThan(2_000);
    expect(outcomeOf('att_1', 2, { kind: 'unknown', reason: long }).reason?.length).toBeLessThan(
      2_000,
    );
    expect(paidElsewhere(paymentContext(), long)).toMatchObject({
      stopReason: 'recovered_elsewhere',
      stopDetail: expect.stringMatching(/^x{100,2000}$|^x{100,2000}…$/),
    });
  });

  it('waits longer with each charge in a row that the PSP never took, up to a last wait', () => {
    const waits = Array.from({ length: 30 }, (_, postponements) =>
      technicalBackoff(paymentContext({ postponements })),
    );
    expect(waits.every((wait, index) => wait >= (waits[index - 1] ?? 0))).toBe(true);
    expect(waits[0]).toBeLessThan(waits[1] ?? 0);
    expect(waits.at(-1)).toBe(waits.at(-2));
  });
});
