import { addMs, dayMs, hourMs, laterOf } from '../domain/clock.ts';
import type { PolicySettings } from '../domain/merchant.ts';
import { decide } from '../policy/decide.ts';
import { usableMethods } from '../policy/gates.ts';
import type { Plan, PlanInput } from '../policy/plan.ts';
import type { Decision, Terms } from './decisions.ts';

/** What a policy is asked: all that the merchant knew at a logged decision. */
export interface BacktestQuestion {
  readonly plan: Omit<PlanInput, 'settings'>;
  readonly decision: Decision;
  readonly terms: Terms;
  readonly offsetMinutes: number;
}

/** A policy of the back-test: when it would try next, in milliseconds; undefined for no try. */
export interface BacktestPolicy {
  readonly name: string;
  nextTryMs(question: BacktestQuestion): number | undefined;
  /** Whether a payer's decisions may be judged: not those that the policy was made from. */
  judges?(customer: number): boolean;
  /** It takes so much longer than the others that fewer decisions are asked. */
  readonly isSlow?: boolean;
}

/** A merchant's schedule by the service's own code; times behind the window fall away. */
export function daysPolicy(name: string, days: readonly number[]): BacktestPolicy {
  return {
    name,
    nextTryMs: ({ plan, terms: { windowDays, maxAttempts } }) => {
      const fixedDays = days.filter((day) => day <= windowDays).slice(0, maxAttempts);
      const settings = {
        kind: 'fixed',
        windowDays,
        maxAttempts: fixedDays.length,
        fixedDays,
      } as const;
      return timeOf(decideWith(plan, settings));
    },
  };
}

/** The tries evenly over the window. */
export const evenPolicy: BacktestPolicy = {
  name: 'even',
  nextTryMs: ({ plan, terms: { windowDays, maxAttempts } }) =>
    timeOf(decideWith(plan, { kind: 'even', windowDays, maxAttempts })),
};

function decideWith(plan: Omit<PlanInput, 'settings'>, settings: PolicySettings): Plan {
  return decide({ ...plan, settings });
}

/** The instant of a plan; undefined where it makes no try. */
export function timeOf(plan: Plan): number | undefined {
  return plan.kind === 'attempt' ? plan.at.getTime() : undefined;
}

/** Ten in the morning: banks are awake and the day's pay has come. */
const goodHour = 10;

/**
 * Rules by hand: a technical decline is tried again after an hour, then daily; an advised wait is
 * taken at its word; all else goes to the next Friday, 1st or 15th, at ten in the payer's morning.
 */
export const codeAwarePolicy: BacktestPolicy = {
  name: 'code_aware',
  nextTryMs: ({ plan, terms: { windowDays, maxAttempts }, offsetMinutes }) => {
    if (plan.tries.length >= maxAttempts) return undefined;
    const settings = { kind: 'even', windowDays, maxAttempts } as const;
    const [method] = usableMethods({ ...plan, settings });
    if (method === undefined) return undefined;
    const last = plan.tries.at(-1)?.declines[0]?.decline ?? plan.firstDecline;
    const isFirst = plan.tries.length === 0;
    const wanted =
      last.category === 'technical'
        ? addMs(plan.now, isFirst ? hourMs : dayMs)
        : last.waitMs === undefined
          ? goodMorning(plan.now, offsetMinutes)
          : method.allowedAt;
    const at = laterOf(wanted, method.allowedAt).getTime();
    return at <= plan.windowEndsAt.getTime() ? at : undefined;
  },
};

function goodMorning(now: Date, offsetMinutes: number): Date {
  const offsetMs = offsetMinutes * 60_000;
  const today = Math.floor((now.getTime() + offsetMs) / dayMs);
  for (let day = today + 1; ; day += 1) {
    const date = new Date(day * dayMs);
    const isGood = date.getUTCDay() === 5 || date.getUTCDate() === 1 || date.getUTCDate() === 15;
    if (isGood) return new Date(day * dayMs + goodHour * hourMs - offsetMs);
  }
}
