import { expect, it, onTestFinished } from 'vitest';
import { startTester } from '../../../src/app/learned/start-tester.ts';
import { dayMs } from '../../../src/domain/clock.ts';
import { seededUnit } from '../../../src/policy/evaluation/seeded-unit.ts';
import type { TestedCharge } from '../../../src/recovery/what-if/what-if-ports.ts';

const startMs = Date.UTC(2026, 2, 2, 10);

/** A failure of each payer, retried on one of `days` days by chance; it succeeds from the fifth on. */
function charges(payers: number, days: number): readonly TestedCharge[] {
  const unit = seededUnit(3);
  return Array.from({ length: payers }, (_, payer): readonly TestedCharge[] => {
    const day = 1 + Math.floor(unit() * days);
    const common = {
      invoiceId: `in_${payer}`,
      customerId: `cus_${payer}`,
      amountMinor: 1_000,
      currency: 'EUR',
      decline: { category: 'later', code: '51', networkCode: '51' } as const,
      card: 'pm_1',
      timeZone: 'Europe/Berlin',
    };
    return [
      { ...common, attemptId: `a_${payer}`, atMs: startMs, succeeded: false },
      {
        ...common,
        attemptId: `b_${payer}`,
        atMs: startMs + day * dayMs,
        succeeded: day >= 5,
      },
    ];
  }).flat();
}

const terms = { windowDays: 28, maxAttempts: 1, isCapped: false };

it('claims in a thread what the charges carry, and refuses in words what they do not', async () => {
  const tester = startTester();
  onTestFinished(() => tester.close());
  await tester.add(charges(4_000, 10));
  const good = await tester.test({ ...terms, policy: 'fixed', fixedDays: [7] });
  expect(good).toMatchObject({ charges: 8_000, failures: 4_000, isTrained: false });
  expect(good.nextTry).toMatchObject({ kind: 'estimate', snips: { value: 1 } });
  const bad = await tester.test({ ...terms, policy: 'fixed', fixedDays: [20] });
  expect(bad.nextTry).toMatchObject({ kind: 'refused', reason: 'no_support' });
});

it('says of a merchant without charges that there is too little', async () => {
  const tester = startTester();
  onTestFinished(() => tester.close());
  for (const policy of ['learned', 'even'] as const) {
    const result = await tester.test({ ...terms, policy, fixedDays: [] });
    expect(result.payment).toMatchObject({ kind: 'refused', reason: 'too_few_decisions' });
  }
});
