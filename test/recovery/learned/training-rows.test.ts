import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { Decline } from '../../../src/domain/declines/decline.ts';
import type {
  TrainingAttempt,
  TrainingPayment,
} from '../../../src/recovery/learned/model-ports.ts';
import {
  cardFactsOf,
  payerCountry,
  paymentFactsAt,
} from '../../../src/recovery/learned/payer-facts.ts';
import type { PastRecord, PayerRecord } from '../../../src/recovery/learned/ports.ts';
import { stepTakeOver } from '../../../src/recovery/learned/take-over.ts';
import type { SteppingMerchant } from '../../../src/recovery/learned/take-over-ports.ts';
import { trainingRowsOf } from '../../../src/recovery/learned/training-rows.ts';

const failedAt = new Date('2026-03-01T12:00:00Z');
const day = (days: number) => addMs(failedAt, days * dayMs);
const keys = { merchantId: 'mer_1', invoiceId: 'in_1', amountMinor: 1_000, currency: 'XXX' };
const record = (change: Partial<PayerRecord> = {}): PayerRecord => ({
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  past: [],
  methods: [],
  ...change,
});

const declined = (networkCode: string | undefined, code = networkCode ?? ''): Decline => ({
  category: 'later',
  code,
  ...(networkCode !== undefined && { networkCode }),
});

describe('what is known of a payer', () => {
  it('is their zone by the card’s issuer, or else by the currency', () => {
    const methods = [{ paymentMethodId: 'pm_0' }, { paymentMethodId: 'pm_1', issuerCountry: 'jp' }];
    expect(payerCountry('GBP', record({ methods }))).toBe('JP');
    expect(payerCountry('GBP', record())).toBe('GB');
    expect(payerCountry('XXX', undefined)).toBeUndefined();
    expect(paymentFactsAt(keys, record({ methods }), failedAt).utcOffsetMinutes).toBe(540);
    expect(paymentFactsAt(keys, undefined, failedAt)).toStrictEqual({
      paymentId: 'in_1',
      merchantId: 'mer_1',
      amountMinor: 1_000,
      currency: 'XXX',
      utcOffsetMinutes: 0,
      past: [],
    });
    expect(paymentFactsAt(keys, record({ productId: 'pro' }), failedAt)).toMatchObject({
      segment: 'pro',
    });
  });

  it('are the last 24 charges before the instant, the oldest first', () => {
    const past = Array.from({ length: 30 }, (_, index) => ({
      at: day(index - 29),
      succeeded: true,
      amountMinor: index,
      currency: 'EUR',
      psp: 'stripe' as const,
    }));
    const amounts = paymentFactsAt(keys, record({ past }), failedAt).past.map(
      ({ amountMinor }) => amountMinor,
    );
    expect(amounts).toEqual(Array.from({ length: 24 }, (_, index) => index + 5));
  });

  it.each([
    [{ succeeded: true, decline: declined('51') }, undefined],
    [{ succeeded: false, decline: declined('51') }, true],
    [{ succeeded: false, decline: declined('61') }, true],
    [{ succeeded: false, decline: declined('05') }, false],
    // Stripe tells no code of the network with many declines.
    [{ succeeded: false, psp: 'stripe', decline: declined(undefined, 'insufficient_funds') }, true],
    [{ succeeded: false, psp: 'stripe', decline: declined(undefined, 'do_not_honor') }, false],
    [
      {
        succeeded: false,
        psp: 'stripe',
        outcome: {
          raw_response_message: 'The bank did not return any further details.',
          processor_response_code: 'insufficient_funds',
        },
      },
      true,
    ],
    [
      {
        succeeded: false,
        psp: 'stripe',
        outcome: {
          raw_response_message: '05 : refused',
          processor_response_code: 'generic_decline',
        },
      },
      false,
    ],
    [
      {
        succeeded: false,
        outcome: { raw_response_message: '51 : no funds', processor_response_code: 51 },
      },
      true,
    ],
    [{ succeeded: false }, undefined],
  ] as const)('of a past charge %j is whether it lacked funds: %j', (change, lackedFunds) => {
    const charge: PastRecord = {
      at: day(-1),
      amountMinor: 5,
      currency: 'EUR',
      psp: 'sandbox',
      ...change,
    };
    const [fact] = paymentFactsAt(keys, record({ past: [charge] }), failedAt).past;
    expect(fact).toStrictEqual({
      atMs: day(-1).getTime(),
      succeeded: change.succeeded,
      amountMinor: 5,
      currency: 'EUR',
      ...(lackedFunds !== undefined && { lackedFunds }),
    });
  });

  it.each([
    ['debit', 'debit'],
    ['credit', 'credit'],
    ['prepaid', 'prepaid'],
    ['paypal', undefined],
    [undefined, undefined],
  ])('of a card funded by %s is %s', (fundingSource, funding) => {
    const method = {
      paymentMethodId: 'pm_1',
      ...(fundingSource !== undefined && { fundingSource }),
    };
    expect(cardFactsOf(method, undefined)).toStrictEqual(funding === undefined ? {} : { funding });
    const health = { charges: 1, technical: 0, lastAtMs: 5 };
    expect(
      cardFactsOf({ paymentMethodId: 'pm_1', scheme: 'visa', bin: '411111' }, health),
    ).toStrictEqual({
      brand: 'visa',
      bin: '411111',
      issuerHealth: health,
    });
  });
});

describe('what is learned from a payment', () => {
  const decline = { category: 'later', code: '51' } as const;
  const attempt = (days: number, change: Partial<TrainingAttempt> = {}): TrainingAttempt => ({
    startedAt: day(days),
    endedAt: addMs(day(days), hourMs),
    charges: [{ paymentMethodId: 'pm_1', succeeded: false, decline, sentAt: addMs(day(days), 5) }],
    ...change,
  });
  const payment = (
    attempts: readonly TrainingAttempt[],
    change: Partial<TrainingPayment> = {},
  ): TrainingPayment => ({
    ...keys,
    customerId: 'cus_1',
    failedAt,
    windowEndsAt: day(28),
    createdAt: failedAt,
    maxAttempts: 4,
    firstDecline: decline,
    paymentMethodIds: ['pm_1'],
    renewedAt: new Map(),
    attempts,
    ...change,
  });
  const decided = (at: Date, propensity?: number) =>
    ({ decided_at: at.toISOString(), ...(propensity !== undefined && { propensity }) }) as never;

  it('keeps one copy of what its payer was charged before, whatever the tries', () => {
    const past = [
      { at: day(-30), succeeded: true, amountMinor: 1, currency: 'EUR', psp: 'stripe' as const },
    ];
    const [one, two] = trainingRowsOf(payment([attempt(1), attempt(2)]), record({ past }));
    expect(one?.facts.past).toHaveLength(1);
    expect(two?.facts.past[0]).toBe(one?.facts.past[0]);
  });

  it('is a row for each charge, with the facts of when it was decided', () => {
    const second = attempt(3, {
      decision: decided(day(2), 0.25),
      charges: [
        { paymentMethodId: 'pm_1', succeeded: false, decline, sentAt: day(3) },
        { paymentMethodId: 'pm_2', succeeded: true, sentAt: day(3.1) },
      ],
    });
    const rows = trainingRowsOf(payment([attempt(1), second]), record());
    expect(rows.map(({ atMs, succeeded, propensity }) => [atMs, succeeded, propensity])).toEqual([
      [addMs(day(1), 5).getTime(), false, 1],
      [day(3).getTime(), false, 0.25],
      [day(3.1).getTime(), true, 0.25],
    ]);
    expect(rows.map(({ facts }) => [facts.nowMs, facts.tries.length, facts.triesLeft])).toEqual([
      [day(1).getTime(), 0, 4],
      [day(2).getTime(), 1, 3],
      [day(2).getTime(), 0, 3],
    ]);
    expect(rows[1]?.facts).toMatchObject({
      failedAtMs: failedAt.getTime(),
      windowEndsAtMs: day(28).getTime(),
      firstDecline: decline,
      tries: [{ atMs: addMs(day(1), hourMs).getTime(), decline }],
    });
    // A method that did not fail at the front counts from the last try.
    expect(rows[1]?.facts).not.toHaveProperty('renewedAtMs');
    expect(rows[2]?.facts.renewedAtMs).toBe(day(1).getTime());
  });

  it('knew of the failure, though it was decided before that was reported', () => {
    const rows = (at: Date) =>
      trainingRowsOf(payment([attempt(1, { decision: decided(at) })]), undefined);
    expect(rows(day(-1))[0]?.facts.nowMs).toBe(failedAt.getTime());
    expect(rows(day(0.5))[0]?.facts.nowMs).toBe(day(0.5).getTime());
  });

  it('sees a renewal from when it was reported on', () => {
    const renewed = (days: number) => {
      const [row] = trainingRowsOf(
        payment([attempt(2)], { renewedAt: new Map([['pm_1', day(days)]]) }),
        undefined,
      );
      return row?.facts.renewedAtMs;
    };
    expect(renewed(1)).toBe(day(1).getTime());
    expect(renewed(2)).toBe(day(2).getTime());
    expect(renewed(2.1)).toBeUndefined();
  });

  it('has the facts of the method that was charged', () => {
    const methods = [{ paymentMethodId: 'pm_1', scheme: 'visa', fundingSource: 'debit' }];
    const [row] = trainingRowsOf(payment([attempt(1)]), record({ methods }));
    expect(row?.facts).toMatchObject({ brand: 'visa', funding: 'debit' });
    expect(trainingRowsOf(payment([attempt(1)]), undefined)[0]?.facts).not.toHaveProperty('brand');
  });
});

describe('how much the learned policy plans', () => {
  const trained = (merchantId: string, change: object = {}) =>
    ({ merchantId, modelId: 'mod_1', status: 'active', origin: 'trained', ...change }) as never;
  const merchant: SteppingMerchant = {
    merchantId: 'mer_1',
    step: 0,
    windowDays: 28,
    failedTrials: 0,
  };

  async function step(
    stepping: readonly SteppingMerchant[],
    models: readonly never[],
    more: { readonly isKept?: boolean; readonly groups?: readonly never[] } = {},
  ) {
    const kept: unknown[] = [];
    const summed: unknown[] = [];
    const logged: unknown[] = [];
    let lists = 0;
    await stepTakeOver(
      {
        models: {
          list: async () => {
            lists += 1;
            return models;
          },
        },
        steps: {
          listStepping: async () => stepping,
          sumGroups: async (...asked) => {
            summed.push(asked);
            return more.groups ?? [];
          },
          keepStep: async (input) => {
            kept.push([input.merchantId, input.from, input.to]);
            return more.isKept ?? true;
          },
          listSegments: async () => [],
          sumSegments: async () => new Map(),
          keepSegment: async () => true,
          readSegmentShares: async () => new Map(),
          forgetSegments: async () => {},
        },
        log: { info: (fields) => logged.push(fields) },
      },
      day(60),
    );
    return { kept, summed, logged, lists };
  }

  it('rises to a tenth with a model of the merchant’s own, or of all', async () => {
    for (const owner of ['mer_1', '*']) {
      const { kept, summed, logged } = await step([merchant], [trained(owner)]);
      expect(kept).toEqual([['mer_1', 0, 0.1]]);
      expect(summed).toEqual([]);
      expect(logged).toHaveLength(1);
    }
  });

  it.each([
    ['another merchant’s', trained('mer_2')],
    ['one that is not in use', trained('mer_1', { status: 'candidate' })],
    ['the shipped one', trained('mer_1', { origin: 'prior' })],
    ['one that is not trusted', trained('mer_1', { distrust: 'it drifted' })],
  ])('is nothing with %s', async (_what, model) => {
    const { kept, logged } = await step([{ ...merchant, step: 0.1 }], [model]);
    expect(kept).toEqual([['mer_1', 0.1, 0]]);
    expect(logged).toHaveLength(1);
    expect((await step([merchant], [model])).logged).toEqual([]);
  });

  it('is judged by payments whose window is over, since it is what it is', async () => {
    const trial = { ...merchant, step: 0.1 as const };
    const since = day(10);
    expect((await step([{ ...trial, since }], [trained('mer_1')])).summed).toEqual([
      ['mer_1', since, day(32)],
    ]);
    expect((await step([{ ...trial, since: day(32) }], [trained('mer_1')])).summed).toEqual([]);
    expect((await step([trial], [trained('mer_1')])).summed).toEqual([]);
    const { kept, logged } = await step([{ ...trial, since }], [trained('mer_1')]);
    expect(kept).toEqual([['mer_1', 0.1, 0.1]]);
    expect(logged).toEqual([]);
  });

  it('is not told where another process was first, and asks for nothing where nobody steps', async () => {
    expect((await step([merchant], [trained('mer_1')], { isKept: false })).logged).toEqual([]);
    expect(await step([], [])).toMatchObject({ kept: [], lists: 0 });
  });
});
