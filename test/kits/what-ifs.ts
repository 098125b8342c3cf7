import type { OffPolicyEstimate } from '../../src/policy/evaluation/off-policy.ts';
import type { WhatIf, WhatIfResult } from '../../src/recovery/what-if/what-if-ports.ts';

const at = new Date('2026-03-01T09:30:00.000Z');

/** A claim of a payment of this amount: 40 % of it came back, and 45 % would have. */
function moneyOf(amountMinor: number): OffPolicyEstimate {
  const shares = (value: number, low: number, high: number) => ({
    value: value * amountMinor,
    low: low * amountMinor,
    high: high * amountMinor,
  });
  return {
    kind: 'estimate',
    decisions: 250,
    clusters: 240,
    logged: shares(0.4, 0.35, 0.45),
    ips: shares(0.44, 0.36, 0.52),
    snips: shares(0.45, 0.38, 0.52),
    gain: shares(0.05, -0.02, 0.12),
    effectiveSample: 140,
    support: 0.95,
    clippedShare: 0,
  };
}

/** A result that claims the next try, money of one currency, and not the whole payment. */
export const whatIfResult: WhatIfResult = {
  charges: 900,
  isCapped: false,
  failures: 300,
  decisions: 700,
  askedShare: 1,
  isTrained: false,
  propensities: 'logged',
  asked: 700,
  wouldTry: 650,
  medianDelayDays: 3.5,
  logged: { tries: 600, succeeded: 120, share: { value: 0.2, low: 0.17, high: 0.23 } },
  nextTry: {
    kind: 'estimate',
    decisions: 600,
    clusters: 290,
    logged: { value: 0.2, low: 0.17, high: 0.23 },
    ips: { value: 0.21, low: 0.17, high: 0.25 },
    snips: { value: 0.21, low: 0.18, high: 0.24 },
    doublyRobust: { value: 0.22, low: 0.19, high: 0.25 },
    gain: { value: 0.01, low: -0.02, high: 0.04 },
    effectiveSample: 240,
    support: 0.97,
    clippedShare: 0,
  },
  payment: {
    kind: 'refused',
    reason: 'small_effective_sample',
    message: 'The effective sample is 12 of 300 payments; at least 100 is asked for.',
    decisions: 300,
    effectiveSample: 12,
  },
  money: [
    { currency: 'EUR', payments: 260, amountMinor: 520_000, perPayment: moneyOf(2_000) },
    {
      currency: 'JPY',
      payments: 40,
      amountMinor: 48_000,
      perPayment: {
        kind: 'refused',
        reason: 'too_few_decisions',
        message: 'There are 40 payments whose window has ended; at least 100 are asked for.',
        decisions: 40,
      },
    },
  ],
};

/** One that is done. */
export function whatIfOf(change: Partial<WhatIf> = {}): WhatIf {
  return {
    whatIfId: 'wif_1',
    merchantId: 'mer_1',
    policy: 'fixed',
    windowDays: 28,
    maxAttempts: 8,
    fixedDays: [1],
    state: 'done',
    charges: 900,
    message: '',
    result: whatIfResult,
    requestedAt: at,
    updatedAt: at,
    completedAt: at,
    ...change,
  };
}
