import { describe, expect, it } from 'vitest';
import type { AttemptView } from '../../../src/recovery/api.ts';
import { attemptEntries, decisionEntry } from '../../../src/recovery/reports/attempt-entries.ts';
import { declineText } from '../../../src/recovery/reports/decline-text.ts';
import type { PaymentStory } from '../../../src/recovery/reports/payment-story.ts';
import { paymentTimeline } from '../../../src/recovery/reports/payment-timeline.ts';
import { declinedPayment } from '../../kits/payment-views.ts';

const at = new Date('2026-03-02T10:00:00.000Z');
const payment = declinedPayment('in_1', 'scheduled');
const story: PaymentStory = {
  firstDecline: { category: 'later', code: '51' },
  firstMethodId: 'pm_1',
  methods: [],
  reports: [],
  sends: [],
  pspEvents: [],
  disputes: [],
  actions: [],
};
const entriesOf = (change: Partial<PaymentStory>, view = payment) =>
  paymentTimeline(view, { ...story, ...change }).entries;
const entryOf = (kind: string, change: Partial<PaymentStory>, view = payment) =>
  entriesOf(change, view).find((entry) => entry.kind === kind);

describe('the beginning', () => {
  it.each([
    ['later', 'the same charge may be approved at another time'],
    ['fix_data', 'the same method needs new data or an action by the payer first'],
  ] as const)('says of a decline to be tried %s that %s', (category, because) => {
    expect(entryOf('failed', { firstDecline: { category, code: '51' } })).toMatchObject({
      because,
    });
  });

  it('has the facts of the failure, and the end of the window', () => {
    expect(entriesOf({}).slice(0, 2)).toEqual([
      {
        at: payment.failedAt,
        kind: 'failed',
        actor: 'issuer',
        message: 'failed at the merchant: 51',
        because: expect.any(String),
        amountMinor: 4_200,
        currency: 'USD',
        facts: {
          payment_method_id: 'pm_1',
          psp_transaction_id: 'ch_1',
          category: 'later',
          code: '51',
        },
      },
      {
        at: payment.createdAt,
        kind: 'taken_in',
        actor: 'recoup',
        message: 'recovery began',
        facts: { window_ends_at: '2026-03-29T09:30:00.000Z' },
      },
    ]);
  });
});

describe('a line of somebody else', () => {
  it.each([
    [true, 'charged elsewhere, and paid'],
    [false, 'charged elsewhere, and declined'],
  ])('of a report with success %j is "%s"', (success, message) => {
    const report = { pspTransactionId: 'ch_9', success, amountMinor: 7, currency: 'EUR' };
    expect(
      entryOf('reported', { reports: [{ ...report, occurredAt: at, receivedAt: at }] }),
    ).toEqual({
      at,
      kind: 'reported',
      actor: 'merchant',
      message,
      amountMinor: 7,
      currency: 'EUR',
      facts: { psp_transaction_id: 'ch_9', received_at: at.toISOString() },
    });
  });

  it.each([
    ['user_added', 'merchant', 'payment method added by the customer'],
    ['user_updated', 'merchant', 'payment method updated by the customer'],
    ['user_removed', 'merchant', 'payment method removed by the customer'],
    ['network_updated', 'network', 'card updated by the network'],
    ['brand_new', 'merchant', 'brand_new'],
  ])('of a method that is %s is the %s’s: %s', (reason, actor, message) => {
    const method = { paymentMethodId: 'pm_1', isRemoved: false, signal: { reason, at } };
    expect(entryOf('method', { methods: [method] })).toEqual({
      at,
      kind: 'method',
      actor,
      message,
      facts: { payment_method_id: 'pm_1' },
    });
  });

  it('of a method is told from the moment on in which the recovery began', () => {
    const told = (ms: number) => {
      const signal = { reason: 'user_added', at: new Date(payment.createdAt.getTime() + ms) };
      return entryOf('method', {
        methods: [{ paymentMethodId: 'pm_1', isRemoved: false, signal }],
      });
    };
    expect(told(0)).toBeDefined();
    expect(told(-1)).toBeUndefined();
    expect(
      entryOf('method', { methods: [{ paymentMethodId: 'pm_1', isRemoved: false }] }),
    ).toBeUndefined();
  });

  it.each([
    [{ status: 200 }, 'recoup', 'webhook retry_result delivered in 84 ms'],
    [
      { status: 503, error: 'server_error' },
      'merchant',
      'webhook retry_result was not accepted: status 503',
    ],
    [{ error: 'timeout' }, 'merchant', 'webhook retry_result was not accepted: timeout'],
    [{}, 'merchant', 'webhook retry_result was not accepted: no answer'],
  ])('of a send with %j is the %s’s: %s', (answer, actor, message) => {
    const send = { eventId: 'evt_1', type: 'retry_result', number: 2, sentAt: at, durationMs: 84 };
    expect(entryOf('webhook', { sends: [{ ...send, ...answer }] })).toEqual({
      at,
      kind: 'webhook',
      actor,
      message,
      facts: { event_id: 'evt_1', try: 2, duration_ms: 84, ...answer },
    });
  });

  it('of a PSP’s event says what became of it', () => {
    const event = { psp: 'stripe', eventId: 'e', type: 'invoice.paid', outcome: 'not_used' };
    expect(entryOf('psp_event', { pspEvents: [{ ...event, receivedAt: at }] })).toEqual({
      at,
      kind: 'psp_event',
      actor: 'psp',
      message: 'Stripe sent invoice.paid: not used',
      facts: { psp: 'stripe', event_id: 'e', type: 'invoice.paid', outcome: 'not_used' },
    });
  });

  it.each([
    [{ kind: 'dispute' }, 'the charge was disputed'],
    [{ kind: 'dispute', reason: 'fraud' }, 'the charge was disputed: fraud'],
    [{ kind: 'fraud_warning' }, 'a fraud warning arrived'],
  ])('of a dispute %j is "%s"', (dispute, message) => {
    const disputes = [{ disputeId: 'dis_1', openedAt: at, ...dispute }];
    expect(entryOf('dispute', { disputes })).toEqual({
      at,
      kind: 'dispute',
      actor: 'issuer',
      message,
      facts: { dispute_id: 'dis_1' },
    });
  });

  it.each([
    ['payment.retried', 'an operator asked for a retry'],
    ['payment.stopped', 'an operator stopped the recovery'],
    ['charge.settled', 'an operator resolved a charge by hand'],
    ['other.act', 'other.act'],
  ])('of the act %s is "%s"', (action, message) => {
    const entry = entryOf('act', { actions: [{ action, detail: { reason: 7 }, at }] });
    expect(entry).toEqual({ at, kind: 'act', actor: 'operator', message, facts: { reason: 7 } });
  });
});

describe('the end', () => {
  it.each([
    ['recovered', 'recovered'],
    ['stopped', 'recovery stopped'],
    ['exhausted', 'recovery ended without success'],
  ] as const)('of a payment that is %s is "%s"', (status, message) => {
    expect(entryOf('ended', {}, { ...payment, status, updatedAt: at })).toEqual({
      at,
      kind: 'ended',
      actor: 'recoup',
      message,
      facts: { status },
    });
  });

  it('has why: the reason, the detail, or both', () => {
    const because = (change: object) =>
      entryOf('ended', {}, { ...payment, status: 'stopped', ...change })?.because;
    expect(because({ stopReason: 'merchant_stop', stopDetail: 'cancelled' })).toBe(
      'merchant stop: cancelled',
    );
    expect(because({ stopReason: 'invoice_closed' })).toBe('invoice closed');
    expect(because({ stopDetail: 'cancelled' })).toBe('cancelled');
    expect(entryOf('ended', {}, { ...payment, status: 'attempting' })).toBeUndefined();
  });
});

describe('a decision', () => {
  const decision = { kind: 'attempt', at: 'x', decided_at: at.toISOString() };

  it.each([
    ['attempt', 'next attempt planned'],
    ['wait_for_update', 'waits for a new or updated payment method'],
    ['exhausted', 'nothing left to try'],
    ['brand_new', 'brand_new'],
  ])('of the kind %s is "%s"', (kind, message) => {
    const facts = { kind, because: 'b', decided_at: at.toISOString() };
    expect(decisionEntry(facts)).toEqual([
      { at, kind: 'decision', actor: 'recoup', message, because: 'b', facts },
    ]);
  });

  it('without a time is not told, and without a reason gives none', () => {
    for (const decided_at of [undefined, 7, 'soon']) {
      expect(
        decisionEntry({ kind: 'attempt', ...(decided_at !== undefined && { decided_at }) }),
      ).toEqual([]);
    }
    expect(decisionEntry({ ...decision, because: 7 })[0]).not.toHaveProperty('because');
  });

  it('that differs from the last attempt’s is told beside it', () => {
    const count = (ofAttempt: object) => {
      const attempts = payment.attempts.map((attempt) => ({
        ...attempt,
        decision: { ...decision, ...ofAttempt },
      }));
      const view = { ...payment, attempts, decision };
      return entriesOf({}, view).filter(({ kind }) => kind === 'decision').length;
    };
    expect(count({})).toBe(1);
    expect(count({ because: 'another' })).toBe(1);
    expect(count({ at: 'y' })).toBe(2);
    expect(count({ kind: 'exhausted' })).toBe(2);
    expect(count({ decided_at: '2026-03-01T00:00:00.000Z' })).toBe(2);
    const { decision: _, ...undecided } = payment;
    expect(entriesOf({}, undecided).filter(({ kind }) => kind === 'decision')).toEqual([]);
  });
});

describe('an attempt', () => {
  const [declined] = payment.attempts;
  if (declined === undefined) throw new Error('there is one');
  const { check: _check, decision: _decision, ...bare } = declined;
  const kindsOf = (change: Partial<AttemptView>) =>
    attemptEntries({ ...bare, ...change }).map(({ kind }) => kind);

  it('that charged nothing says so, unless what it met does', () => {
    const nothing = { status: 'not_attempted', transactions: [], endedAt: at } as const;
    expect(attemptEntries({ ...bare, ...nothing })).toEqual([
      {
        at,
        kind: 'attempt',
        actor: 'recoup',
        message: 'the attempt ended before anything was charged',
        facts: { attempt_id: 'att_1', attempt: 1 },
      },
    ]);
    expect(kindsOf({ ...nothing, check: { retry: false } })).toEqual(['check']);
    expect(kindsOf({ ...nothing, blockedCharges: [{ words: 'w' }] })).toEqual(['rule']);
    expect(kindsOf({ ...nothing, status: 'declined' })).toEqual([]);
    const { endedAt: _, ...open } = { ...bare, ...nothing };
    expect(attemptEntries(open)).toEqual([]);
  });

  it('has the merchant’s answer when it came, or when it began', () => {
    const entry = (check: NonNullable<AttemptView['check']>) =>
      attemptEntries({ ...bare, transactions: [], check })[0];
    expect(entry({ retry: true, answered_at: at.toISOString() })).toMatchObject({ at });
    expect(entry({ retry: true })).toEqual({
      at: bare.startedAt,
      kind: 'check',
      actor: 'merchant',
      message: 'the merchant says yes',
      facts: { attempt_id: 'att_1', attempt: 1, retry: true },
    });
  });

  it('has the rule that forbade a charge, in its words or in ours', () => {
    const rule = (blocked: NonNullable<AttemptView['blockedCharges']>[number]) =>
      attemptEntries({ ...bare, transactions: [], blockedCharges: [blocked] })[0];
    expect(rule({ words: 'too often', at: at.toISOString() })).toEqual({
      at,
      kind: 'rule',
      actor: 'network',
      message: 'not charged: a rule of the card network forbids it',
      because: 'too often',
      facts: { attempt_id: 'att_1', words: 'too often', at: at.toISOString() },
    });
    expect(rule({})).toMatchObject({ at: bare.startedAt, because: 'a rule of the card network' });
  });

  it.each([
    ['sending', 'psp', 'charge on its way'],
    ['succeeded', 'psp', 'charged'],
    ['declined', 'issuer', 'declined'],
    ['unknown', 'psp', 'charged, and the answer was lost'],
    ['not_made', 'psp', 'not charged: the PSP was not reached, or refused the request'],
  ] as const)('with a charge that is %s has a line of the %s: %s', (status, actor, message) => {
    const [first] = bare.transactions;
    if (first === undefined) throw new Error('there is one');
    const { decline: _, settledAt: __, ...charge } = first;
    expect(attemptEntries({ ...bare, transactions: [{ ...charge, status }] })).toEqual([
      {
        at: first.sentAt,
        kind: 'charge',
        actor,
        message,
        amountMinor: 4_200,
        currency: 'USD',
        facts: {
          attempt_id: 'att_1',
          attempt: 1,
          status,
          payment_method_id: 'pm_1',
          psp_transaction_id: 'ch_2',
          sent_at: first.sentAt.toISOString(),
        },
      },
    ]);
    const reason = 'HTTP 404: resource_missing';
    const [told] = attemptEntries({ ...bare, transactions: [{ ...charge, status, reason }] });
    expect(told).toMatchObject({ message, because: reason });
    const decline = { category: 'later', code: '51', networkCode: '05', adviceCode: '24' } as const;
    const [whole] = attemptEntries({ ...bare, transactions: [{ ...first, status, decline }] });
    expect(whole).toMatchObject({
      at: first.settledAt,
      message: `${message}: 05, advice 24`,
      facts: { category: 'later', code: '51', network_code: '05', advice_code: '24' },
    });
  });
});

it.each([
  [{ code: '51' }, '51'],
  [{ code: '51', networkCode: '05' }, '05'],
  [{ code: '51', message: 'Insufficient funds' }, '51 Insufficient funds'],
  [{ code: '51', message: '51: no funds' }, '51: no funds'],
  [{ code: '51', adviceCode: '24' }, '51, advice 24'],
])('the decline %j is "%s"', (decline, text) => {
  expect(declineText({ category: 'later', ...decline })).toBe(text);
});
