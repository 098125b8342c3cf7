import { describe, expect, it } from 'vitest';
import { backTest } from '../../src/backtest/back-test.ts';
import { learnedPolicy } from '../../src/backtest/learned.ts';
import {
  type BacktestPolicy,
  codeAwarePolicy,
  daysPolicy,
  evenPolicy,
} from '../../src/backtest/policies.ts';
import { hourMs } from '../../src/domain/clock.ts';
import { seededUnit } from '../../src/policy/evaluation/seeded-unit.ts';
import { type AttemptOf, historyOf, startMs } from './history-rows.ts';

function run(attempts: readonly AttemptOf[], policies: readonly BacktestPolicy[]) {
  const terms = [{ windowDays: 28, maxAttempts: 4 }];
  const common = { toleranceHours: 12, maxDecisions: 1_000_000, seed: 1 };
  const result = backTest({ history: historyOf(attempts), policies, terms, ...common });
  const [only] = result.runs;
  if (only === undefined) throw new Error('no run');
  return { counts: result.counts, ...only };
}

const onDay = (day: number) => daysPolicy(`day_${day}`, [day]);

/** Retried on one of ten days by chance; a payer's try succeeds from their own day on. */
function randomLog(invoices: number, propensity?: number): readonly AttemptOf[] {
  const unit = seededUnit(8);
  return Array.from({ length: invoices }, (_, invoice) => {
    const day = 1 + Math.floor(unit() * 10);
    const fundedDay = 1 + Math.floor(unit() * 12);
    const given = propensity === undefined ? {} : { propensity };
    return [
      { invoice, day: 0 },
      { invoice, day, succeeded: day >= fundedDay, ...given },
    ];
  }).flat();
}

/** Paid at once, when the windows of all others are over. */
const muchLater: AttemptOf = { invoice: 1_000_000, day: 60, succeeded: true };

describe('the recoveries of a history', () => {
  it('leave out doubles, attempts after a success and invoices that were paid at once', () => {
    const { counts, logged } = run(
      [
        { invoice: 1, day: 0 },
        { invoice: 1, day: 3, id: 'twice' },
        { invoice: 1, day: 3, id: 'twice' },
        { invoice: 1, day: 5, succeeded: true },
        { invoice: 1, day: 6 },
        { invoice: 2, day: 1, succeeded: true },
      ],
      [],
    );
    expect(counts).toEqual({ failures: 1, tries: 2, paidAtOnce: 1, doubles: 1, afterSuccess: 1 });
    expect(logged).toEqual({ tries: 2, succeeded: 1 });
  });

  it('are read by time, whatever the order of the rows', () => {
    const attempts = [
      { invoice: 1, day: 5, succeeded: true },
      { invoice: 1, day: 0 },
    ];
    expect(run(attempts, []).counts).toMatchObject({ failures: 1, tries: 1 });
  });

  it('end where another card was charged', () => {
    const attempts = [
      { invoice: 1, day: 0, card: 'old' },
      { invoice: 1, day: 2, card: 'new', succeeded: true },
    ];
    expect(run(attempts, [])).toMatchObject({ decisions: 0, logged: { tries: 0 } });
  });

  it('end with the window and with the tries', () => {
    const attempts = [0, 3, 6, 9, 12, 15].map((day) => ({ invoice: 1, day }));
    expect(run(attempts, []).decisions).toBe(4);
    const late = [
      { invoice: 1, day: 0 },
      { invoice: 1, day: 29, succeeded: true },
    ];
    expect(run(late, [])).toMatchObject({ decisions: 1, logged: { tries: 0 } });
  });
});

describe('what a policy would have done', () => {
  it('is known where the log tried near its time, and told where it would not have tried', () => {
    const attempts = [
      ...[1, 2, 3].flatMap((invoice) => [
        { invoice, day: 0 },
        { invoice, day: 5.4, succeeded: invoice === 1 },
      ]),
      { invoice: 4, day: 0 },
      { invoice: 4, day: 8, succeeded: true },
      { invoice: 5, day: 0, code: '41' },
      { invoice: 5, day: 5, succeeded: true },
    ];
    const [verdict] = run(attempts, [onDay(5)]).policies;
    // Five failures, and two declined tries after which its schedule is over.
    expect(verdict).toMatchObject({ decisions: 7, wouldTry: 4, medianDelayDays: 5 });
    expect(verdict?.replayed).toEqual({ tries: 3, succeeded: 1 });
    expect(verdict?.forgone).toEqual({ tries: 1, succeeded: 1 });
  });

  it('follows codes and paydays where the policy does', () => {
    const times: number[] = [];
    const spy: BacktestPolicy = {
      name: 'spy',
      nextTryMs: (question) => {
        const at = codeAwarePolicy.nextTryMs(question);
        times.push(((at ?? 0) - startMs) / hourMs);
        return at;
      },
    };
    run(
      [
        { invoice: 1, day: 0 },
        { invoice: 2, day: 0, code: '91' },
      ],
      [spy],
    );
    // The next Friday, the 6th, at ten; an hour later for an issuer that was down.
    expect(times).toEqual([96, 1]);
  });
});

describe('what can be claimed', () => {
  it('is nothing for other days of a schedule that left nothing to chance', () => {
    const attempts = Array.from({ length: 400 }, (_, invoice) => [
      { invoice, day: 0 },
      { invoice, day: 3, succeeded: invoice % 3 === 0 },
    ]).flat();
    const { policies, propensities } = run(attempts, [onDay(3), onDay(7)]);
    expect(propensities).toBe('estimated');
    for (const { perDecision } of policies) {
      expect(perDecision).toMatchObject({ kind: 'refused', reason: 'no_randomness' });
    }
    // What was done is known all the same.
    expect(policies[0]?.replayed).toMatchObject({ tries: 400, succeeded: 134 });
  });

  it('is nothing for a schedule of half days whose tries come seconds early or late', () => {
    const second = 1 / 86_400;
    const attempts = Array.from({ length: 400 }, (_, invoice) => [
      { invoice, day: 0 },
      { invoice, day: 3.5 + ((invoice % 11) - 5) * second, succeeded: invoice % 3 === 0 },
    ]).flat();
    for (const { perDecision } of run(attempts, [onDay(3.5), onDay(7)]).policies) {
      expect(perDecision).toMatchObject({ kind: 'refused', reason: 'no_randomness' });
    }
  });

  it('is nothing for a schedule that advised waits and a few others left', () => {
    const attempts = Array.from({ length: 600 }, (_, invoice) => {
      // Advice 27: not before four days.
      const isAdvised = invoice % 6 === 0;
      const day = isAdvised ? 4 : invoice % 200 === 1 ? 2 : 7;
      return [
        { invoice, day: 0, ...(isAdvised && { advice: '27' }) },
        { invoice, day, succeeded: day === 2 || invoice % 9 === 0 },
      ];
    }).flat();
    const [even] = run([...attempts, muchLater], [evenPolicy]).policies;
    expect(even).toMatchObject({
      replayed: { tries: 497 },
      perDecision: { kind: 'refused', reason: 'no_randomness' },
      wholeSequence: { kind: 'refused', reason: 'no_randomness' },
    });
  });

  it('counts the days of advised waits apart from those that were chosen', () => {
    const attempts = randomLog(6_000).map((attempt) => {
      if (attempt.invoice % 2 === 0) return attempt;
      if (attempt.day === 0) return { ...attempt, advice: '27' };
      return { ...attempt, day: 4, succeeded: attempt.invoice % 5 > 0 };
    });
    const [verdict] = run(attempts, [onDay(2)]).policies;
    if (verdict?.perDecision.kind !== 'estimate') throw new Error('it is refused');
    expect(verdict.perDecision.support).toBeCloseTo(1, 1);
    expect(verdict.perDecision.snips.value).toBeCloseTo((4 / 5 + 2 / 12) / 2, 1);
  });

  it.each([
    ['counted', undefined],
    ['logged', 0.1],
  ])('is the truth of a day by chance, with %s propensities', (_name, propensity) => {
    const { policies } = run(randomLog(6_000, propensity), [onDay(2), onDay(9)]);
    const truths = [2 / 12, 9 / 12];
    for (const [at, truth] of truths.entries()) {
      const verdict = policies[at]?.perDecision;
      if (verdict?.kind !== 'estimate') throw new Error(verdict?.message);
      expect(verdict.snips.low).toBeLessThan(truth);
      expect(verdict.snips.high).toBeGreaterThan(truth);
      expect(verdict.doublyRobust?.value).toBeCloseTo(truth, 1);
      expect(verdict.effectiveSample).toBeGreaterThan(450);
      expect(verdict.support).toBeCloseTo(1, 1);
    }
  });

  it('counts tries that an advised wait left no choice of, and no others that were certain', () => {
    const attempts = Array.from({ length: 900 }, (_, invoice) => {
      const [advised, certain] = [invoice % 3 === 0, invoice % 3 === 1];
      const [day, share] = advised ? [4, 4 / 5] : certain ? [4, 1] : [3 + (invoice % 2), 2 / 5];
      const succeeded = (invoice % 5) / 5 < share;
      // Advice 27: not before four days.
      return [
        { invoice, day: 0, ...(advised && { advice: '27' }) },
        { invoice, day, succeeded, propensity: advised || certain ? 1 : 0.5 },
      ];
    }).flat();
    const [verdict] = run(attempts, [onDay(4)]).policies;
    if (verdict?.perDecision.kind !== 'estimate') throw new Error('it is refused');
    expect(verdict.perDecision.decisions).toBe(600);
    expect(verdict.perDecision.snips.value).toBeCloseTo((4 / 5 + 2 / 5) / 2, 6);
  });

  it('is refused for a day on which the log never tried', () => {
    const { policies } = run(randomLog(3_000), [onDay(20)]);
    expect(policies[0]?.perDecision).toMatchObject({ kind: 'refused', reason: 'no_support' });
  });
});

describe('the learned policy', () => {
  it('is judged only by payers that it did not learn from', () => {
    const attempts = randomLog(2_100);
    const policy = learnedPolicy(historyOf(attempts), { windowDays: 28, maxAttempts: 4 });
    expect([0, 1, 2, 3].map((customer) => policy.judges?.(customer))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    const [verdict] = run(attempts, [policy]).policies;
    expect(verdict?.decisions).toBeGreaterThan(50);
    expect(verdict?.decisions).toBeLessThan(1_800);
    expect(verdict?.wouldTry).toBeGreaterThan(0);
  });

  it('is the shipped one where there is too little to learn from', () => {
    const policy = learnedPolicy(historyOf(randomLog(20)), { windowDays: 28, maxAttempts: 4 });
    expect(policy.judges).toBeUndefined();
  });
});

describe('money', () => {
  it('weighs each payment by what was due, and keeps currencies apart', () => {
    const log = randomLog(2_000).map((attempt) => {
      const isYen = attempt.invoice % 4 === 0;
      // Of euros, invoices that are ten times as large never come back.
      const isLarge = !isYen && attempt.invoice % 2 === 0;
      const money = isYen
        ? { currency: 'JPY', amountMinor: 500 }
        : { currency: 'EUR', amountMinor: isLarge ? 10_000 : 1_000 };
      return { ...attempt, ...money, succeeded: attempt.succeeded === true && !isLarge };
    });
    const [verdict] = run([...log, muchLater], [onDay(7)]).policies;
    const [eur, jpy] = verdict?.money ?? [];
    expect(eur).toMatchObject({ currency: 'EUR', payments: 1_500, amountMinor: 6_000_000 });
    expect(jpy).toMatchObject({ currency: 'JPY', payments: 500, amountMinor: 250_000 });
    if (eur?.perPayment.kind !== 'estimate') throw new Error('not claimed');
    const { snips, logged, gain } = eur.perPayment;
    // Two of three of the euros' payments can come back at all, and 7 of 12 of those by day 7.
    expect(snips.value).toBeCloseTo((2 / 3) * (7 / 12) * 1_000, -2);
    expect(logged.value).toBeCloseTo((2 / 3) * (5.5 / 12) * 1_000, -2);
    expect(gain.value).toBeCloseTo(snips.value - logged.value, 9);
    expect(gain.low).toBeLessThan(gain.value);
    expect(jpy?.perPayment).toMatchObject({ kind: 'refused' });
  });

  it('leaves out payments whose windows last beyond the history, recovered or not', () => {
    const unit = seededUnit(3);
    const lastDay = 42;
    // Failures come every day until the end. Each is tried once in ten days, and half of them come back, whatever the day.
    const log = Array.from({ length: 6_000 }, (_, invoice) => {
      const failed = unit() * lastDay;
      const tried = failed + 1 + Math.floor(unit() * 10);
      const succeeded = unit() < 0.5;
      const first = { invoice, day: failed };
      return tried > lastDay ? [first] : [first, { invoice, day: tried, succeeded }];
    }).flat();
    const { policies } = run(log, [onDay(5)]);
    const { wholeSequence } = policies[0] ?? {};
    if (wholeSequence?.kind !== 'estimate') throw new Error('not claimed');
    const { logged, gain, decisions } = wholeSequence;
    expect(Math.abs(logged.value - 0.5)).toBeLessThan(0.03);
    expect(gain.low).toBeLessThan(0);
    expect(gain.high).toBeGreaterThan(0);
    expect(Math.abs(decisions - 6_000 * ((lastDay - 28) / lastDay))).toBeLessThan(150);
  });

  it('is refused with the reason where the history does not carry it', () => {
    const [verdict] = run([...randomLog(40), muchLater], [onDay(7)]).policies;
    expect(verdict?.money).toMatchObject([
      { currency: 'USD', payments: 40, perPayment: { reason: 'too_few_decisions' } },
    ]);
  });
});

it('gives the same report for the same seed', () => {
  const attempts = randomLog(1_000);
  const policies = [onDay(2), codeAwarePolicy];
  expect(run(attempts, policies)).toEqual(run(attempts, policies));
});

it('asks a sample of the payers where there are many, and says so', () => {
  const history = historyOf(randomLog(2_000));
  const terms = [{ windowDays: 14, maxAttempts: 1 }];
  const input = { history, policies: [onDay(2)], terms, toleranceHours: 12, seed: 1 };
  const [half] = backTest({ ...input, maxDecisions: 1_000 }).runs;
  expect(half).toMatchObject({ decisions: 2_000, sampledShare: 0.5 });
  expect(Math.abs((half?.policies[0]?.decisions ?? 0) - 1_000)).toBeLessThan(100);
});

it('puts every decision to a slow policy too while there is room for eight times as many', () => {
  const history = historyOf(randomLog(500));
  const terms = [{ windowDays: 14, maxAttempts: 1 }];
  const slow = { ...onDay(2), isSlow: true };
  const input = { history, policies: [slow], terms, toleranceHours: 12, seed: 1 };
  const [all] = backTest({ ...input, maxDecisions: 8 * 500 }).runs;
  expect(all?.policies[0]?.decisions).toBe(500);
  const [half] = backTest({ ...input, maxDecisions: 4 * 500 }).runs;
  expect(Math.abs((half?.policies[0]?.decisions ?? 0) - 250)).toBeLessThan(40);
});
