import { decide } from '../src/policy/decide.ts';
import type { PlanInput } from '../src/policy/plan.ts';
import { median } from './kit/statistics.ts';

const plans = 50_000;
const rounds = 7;
const dayMs = 86_400_000;

/** One plan of a payment with two tries behind it; microseconds. */
export async function plan(): Promise<void> {
  const failedAt = new Date('2026-03-01T12:00:00Z');
  const at = (days: number): Date => new Date(failedAt.getTime() + days * dayMs);
  const decline = { category: 'later', code: '51' } as const;
  const input: PlanInput = {
    now: at(3.5),
    settings: { kind: 'fixed', windowDays: 28, maxAttempts: 8, fixedDays: [1, 3, 5, 7] },
    failedAt,
    windowEndsAt: at(28),
    firstDecline: decline,
    tries: [1, 3].map((day) => ({
      startedAt: at(day),
      endedAt: at(day),
      declines: [{ paymentMethodId: 'pm_1', decline }],
    })),
    methods: [{ paymentMethodId: 'pm_1', failedFirst: true }, { paymentMethodId: 'pm_2' }],
  };
  const tookUs = Array.from({ length: rounds }, () => {
    const startedAtMs = performance.now();
    for (let n = 0; n < plans; n += 1) decide(input);
    return ((performance.now() - startedAtMs) / plans) * 1000;
  });
  process.stdout.write(`plan: ${median(tookUs).toFixed(2)} microseconds (budget 100)\n`);
}
