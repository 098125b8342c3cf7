import { dayMs, hourMs } from '../../../../src/domain/clock.ts';
import { unitOf } from '../../../../src/policy/learned/hash.ts';
import { weekdayOf } from '../../../../src/policy/learned/local-time.ts';
import type { PastCharge, TrainingRow } from '../../../../src/policy/learned/retry-facts.ts';
import { plainFacts } from '../plain-facts.ts';

/** A Monday. */
export const begin = Date.UTC(2026, 0, 5);

/** A payer who has money on one weekday and the day after it. */
export function payer(
  index: number,
  weekday: number,
  pastOf: (weekday: number, failedAtMs: number) => readonly PastCharge[],
): TrainingRow {
  const failedAtMs = begin + Math.floor(unitOf(`${index}`, 'failed') * 200) * dayMs + 12 * hourMs;
  const paymentId = `in_${index}`;
  const facts = plainFacts(failedAtMs, { paymentId, past: pastOf(weekday, failedAtMs) });
  const atMs = failedAtMs + Math.ceil(unitOf(`${index}`, 'slot') * 20 * 24) * hourMs;
  const name = weekdayOf(Math.floor(atMs / dayMs));
  const hasFunds = name === weekday || name === (weekday + 1) % 7;
  return { facts, atMs, succeeded: hasFunds, propensity: 1 / 480 };
}

/** Charges of the last weeks that passed on a weekday. */
export function passedOn(weekday: number, failedAtMs: number): readonly PastCharge[] {
  const failedDay = Math.floor(failedAtMs / dayMs);
  const back = (weekdayOf(failedDay) - weekday + 7) % 7 || 7;
  return [4, 3, 2, 1, 0].map((weeks) => ({
    atMs: (failedDay - back - 7 * weeks) * dayMs + 12 * hourMs,
    succeeded: true,
    amountMinor: 1_000,
  }));
}

/** Each payer is paid on a weekday of their own; their past says which. */
export const telling = Array.from({ length: 2_000 }, (_, index) =>
  payer(index, weekdayOfPayer(index), passedOn),
);

function weekdayOfPayer(index: number): number {
  return 1 + Math.floor(unitOf(`${index}`, 'weekday') * 3);
}

/** The same, but for tries from a time on, since which all are paid two days later. */
export function movedSince(movedMs: number): readonly TrainingRow[] {
  return telling.map((row, index) =>
    row.atMs < movedMs ? row : payer(index, weekdayOfPayer(index) + 2, () => row.facts.past),
  );
}
