import { expect, it } from 'vitest';
import { netValueMinor } from '../../src/simulator/net-value.ts';
import { parameters } from '../../src/simulator/parameters.ts';
import type { PlayedWorld } from '../../src/simulator/run-world.ts';
import { summarise } from '../../src/simulator/summarise.ts';

/** Recovered by a retry after 2 days, paid by the payer after 12, cancelled, not recovered. */
const played: PlayedWorld = {
  policy: 'some',
  failures: 4,
  days: 28,
  amountsMinor: Int32Array.of(1_000, 2_000, 3_000, 4_000),
  ends: Uint8Array.of(0, 1, 2, 3),
  endHours: Uint16Array.of(48, 288, 100, 672),
  tries: Uint16Array.of(1, 2, 3, 0),
  feesMicros: Int32Array.of(100_000, 200_000, 300_000, 0),
  firstCodes: ['51', '51', '05', '54'],
  refusals: 1,
};

it('sums a run up', () => {
  expect(summarise(played)).toEqual({
    policy: 'some',
    failures: 4,
    failedMinor: 10_000,
    recoveredMinor: 3_000,
    recoveredAmountShare: 0.3,
    recovered: 2,
    recoveredShare: 0.5,
    byRetryShare: 0.25,
    cancelledShare: 0.25,
    cancelledMinor: 3_000,
    tries: 6,
    triesPerFailure: 1.5,
    triesPerRecovery: 6,
    meanDays: 7,
    medianDays: 12,
    within10DaysShare: 0.5,
    feesMicros: 600_000,
    refusals: 1,
    codes: [
      { code: '51', failures: 2, recovered: 2, recoveredShare: 1, tries: 3 },
      { code: '05', failures: 1, recovered: 0, recoveredShare: 0, tries: 3 },
      { code: '54', failures: 1, recovered: 0, recoveredShare: 0, tries: 0 },
    ],
  });
});

it('takes fees and further cancellations off the worth of a policy', () => {
  const summary = summarise(played);
  const none = { ...summary, cancelledMinor: 2_900 };
  expect(netValueMinor(summary, none, parameters)).toBe(3_000 - 60 - 7 * 100);
});
