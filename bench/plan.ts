import { decide } from '../src/policy/decide.ts';
import { decideLearned } from '../src/policy/learned/decide-learned.ts';
import { learnedDefaults } from '../src/policy/learned/learned-policy.ts';
import { weekendCalendar } from '../src/policy/learned/local-time.ts';
import { priorModel } from '../src/policy/learned/prior-model.ts';
import type { PlanInput } from '../src/policy/plan.ts';
import { median } from './kit/statistics.ts';

const rounds = 41;
const dayMs = 86_400_000;

/** One plan of a payment with two tries behind it, by each kind of policy; microseconds of CPU. */
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
  const payment = {
    merchantId: 'merchant',
    amountMinor: 2_000,
    currency: 'USD',
    utcOffsetMinutes: -300,
    past: [],
  };
  const cards = { pm_1: { brand: 'visa', funding: 'debit', bin: '411111' } } as const;
  const policy = {
    ...learnedDefaults,
    model: priorModel,
    calendar: weekendCalendar,
    bestFixedDays: [7, 14, 21, 28],
    learnedShare: 1,
    salt: 'bench',
  };
  print(
    'plan, fixed',
    measure(10_000, () => decide(input)),
  );
  const learned = (n: number) =>
    decideLearned({ plan: input, payment: { ...payment, paymentId: `in_${n}` }, cards, policy });
  print('plan, learned', measure(500, learned));
}

/** Before anything is measured: a worker's code has long been compiled, and its compiling is no plan's cost. */
const warmUps = 20;

/** Of one plan, over the rounds: the least is what it takes where nothing else uses the core's caches and its other thread. */
interface Took {
  readonly leastUs: number;
  readonly medianUs: number;
}

function measure(plans: number, run: (n: number) => void): Took {
  for (let n = 0; n < warmUps * plans; n += 1) run(n);
  const tookUs = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage().user;
    for (let n = 0; n < plans; n += 1) run(n);
    return (process.cpuUsage().user - before) / plans;
  });
  return { leastUs: Math.min(...tookUs), medianUs: median(tookUs) };
}

function print(name: string, { leastUs, medianUs }: Took): void {
  process.stdout.write(
    `${name}: ${medianUs.toFixed(2)} microseconds of CPU, least ${leastUs.toFixed(2)} (budget 100)\n`,
  );
}
