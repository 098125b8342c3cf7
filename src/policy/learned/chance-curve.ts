import { dayMs, hourMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { usableMethods } from '../gates.ts';
import type { LearnedInput } from './deciding/learned-input.ts';
import { factsOfPlan } from './facts-of-plan.ts';
import { economicsOf } from './learned-policy.ts';
import { hourStartMs, localHour } from './local-time.ts';
import { openPlanner } from './open-planner.ts';

/** The chance of an approval at each step of a payment's window, as the model sees it now. */
export interface ChanceCurve {
  readonly paymentMethodId: string;
  /** The beginning of the first step. */
  readonly from: Date;
  readonly stepMs: number;
  /** From 0 to 1, one for each step. */
  readonly chances: readonly number[];
  /** Before it the issuer's advice or a network's rule forbids a try. */
  readonly allowedAt: Date;
  /** What forbids it, in words. */
  readonly boundBy?: string;
  /** The payer's zone at the beginning, by which nights are told. */
  readonly utcOffsetMinutes: number;
}

/** Long windows go by steps of two hours and more: a picture shows no finer. */
const maxSteps = 336;

/**
 * The curve of one method; undefined for one that may not be tried, or once the window is over. Reads
 * what the plan was made of, and decides nothing.
 */
export function chanceCurve(
  { plan, payment, cards, policy }: LearnedInput,
  paymentMethodId: string,
): ChanceCurve | undefined {
  const method = usableMethods(plan).find((item) => item.paymentMethodId === paymentMethodId);
  if (method === undefined || plan.now.getTime() >= plan.windowEndsAt.getTime()) return undefined;
  const facts = factsOfPlan(plan, paymentMethodId, payment, cards[paymentMethodId] ?? {});
  const planner = openPlanner(policy, facts, economicsOf(policy.costs, payment));
  const { utcOffsetMinutes } = payment;
  const first = localHour(plan.now.getTime() + hourMs - 1, utcOffsetMinutes);
  const last = localHour(plan.windowEndsAt.getTime(), utcOffsetMinutes);
  const step = stepHours(last - first + 1);
  const chances: number[] = [];
  for (let hour = first; hour <= last; hour += step) {
    chances.push(Number(planner.chanceAt(hour).toPrecision(4)));
  }
  return {
    paymentMethodId,
    from: new Date(hourStartMs(first, utcOffsetMinutes)),
    stepMs: step * hourMs,
    chances,
    allowedAt: method.allowedAt,
    ...present({ boundBy: method.boundBy }),
    utcOffsetMinutes,
  };
}

/** A divisor of a day, so that each day has the same hours. */
function stepHours(hours: number): number {
  const dayHours = dayMs / hourMs;
  const steps = [1, 2, 3, 4, 6, 8, 12, dayHours];
  return steps.find((step) => hours / step <= maxSteps) ?? dayHours;
}
