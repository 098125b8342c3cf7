import { describe, expect, it } from 'vitest';
import { charge, firstDecline } from '../../src/simulator/charge.ts';
import { hoursToFunds } from '../../src/simulator/funds.ts';
import { parameters } from '../../src/simulator/parameters.ts';
import { drawPayer, type Payer } from '../../src/simulator/payer.ts';
import { buildWorld, type World } from '../../src/simulator/world.ts';

const days = 28;
const hourMs = 3_600_000;

function payersOf(world: World, count: number): readonly Payer[] {
  return Array.from({ length: count }, (_, index) => drawPayer(world, index));
}

describe('codes', () => {
  const world = buildWorld({ seed: 2, days });
  const payers = payersOf(world, 3_000);
  const codesOf = (kind: Payer['cause']['kind']) => [
    ...new Set(
      payers
        .filter(({ cause }) => cause.kind === kind)
        .map((payer) => firstDecline(world, payer).networkCode),
    ),
  ];

  it.each([
    ['funds', ['05', '51']],
    ['block', ['05', '59', '61', '65']],
    ['false_decline', ['05']],
    ['lifecycle', ['14', '41', '54']],
    ['technical', ['96']],
    ['terminal', ['05', '57', 'R0', 'R1']],
  ] as const)('of a first failure by %s', (kind, codes) => {
    expect(codesOf(kind).toSorted()).toEqual(codes);
  });

  it('come from what is behind the failure until it is over, and then the charge may pass', () => {
    const passed = new Set<string>();
    for (const payer of payers) {
      const { cause } = payer;
      if (cause.kind !== 'technical' && cause.kind !== 'block') continue;
      if (!Number.isFinite(cause.endHour)) continue;
      const during = charge(world, payer, cause.endHour - 1, []);
      const after = charge(world, payer, cause.endHour, []);
      if (cause.endHour - 1 > payer.failedHour) expect(during.kind).toBe('declined');
      if (after.kind === 'approved') passed.add(cause.kind);
    }
    expect([...passed].toSorted()).toEqual(['block', 'technical']);
  });
});

describe('an outage', () => {
  it('answers 91 to everybody while it lasts, and is rare', () => {
    const world = buildWorld({ seed: 2, days });
    const payers = payersOf(world, 300);
    let down = 0;
    for (const payer of payers) {
      for (let hour = payer.failedHour + 1; hour <= payer.failedHour + days * 24; hour += 1) {
        if (!world.issuers.isDown(payer.issuer, hour)) continue;
        down += 1;
        const result = charge(world, payer, hour, []);
        expect(result).toMatchObject({ kind: 'declined', decline: { networkCode: '91' } });
      }
    }
    const share = down / (300 * days * 24);
    expect(share).toBeGreaterThan(0.001);
    expect(share).toBeLessThan(0.021);
  });
});

describe('advice', () => {
  /** Shares of the advised payers whose account is funded when the advised wait ends. */
  function fundedShare(accuracy: number): number {
    const advice = { ...parameters.advice, accuracy };
    const world = buildWorld({ seed: 2, days, parameters: { ...parameters, advice } });
    let [advised, funded] = [0, 0];
    for (const payer of payersOf(world, 3_000)) {
      const { adviceCode = '', waitMs = 0 } = firstDecline(world, payer);
      const { cause, failedHour } = payer;
      if (cause.kind !== 'funds' || adviceCode < '24' || cause.funded.length === 0) continue;
      advised += 1;
      if (hoursToFunds(cause.funded, failedHour + waitMs / hourMs) === 0) funded += 1;
    }
    expect(advised).toBeGreaterThan(100);
    return funded / advised;
  }

  it('leads to funds the more often the more accurate it is', () => {
    const [useless, usual, exact] = [fundedShare(0), fundedShare(0.5), fundedShare(1)];
    expect(usual).toBeGreaterThan(useless + 0.05);
    expect(exact).toBeGreaterThan(usual + 0.05);
  });

  it('comes with Mastercard only, and forbids what is terminal', () => {
    const world = buildWorld({ seed: 2, days });
    for (const payer of payersOf(world, 2_000)) {
      const { adviceCode } = firstDecline(world, payer);
      if (payer.network === 'visa') expect(adviceCode).toBeUndefined();
      else if (payer.cause.kind === 'terminal') expect(['03', '21']).toContain(adviceCode);
    }
  });
});
