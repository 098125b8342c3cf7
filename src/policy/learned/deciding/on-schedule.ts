import { decide } from '../../decide.ts';
import type { Plan, PlanInput } from '../../plan.ts';
import type { ScheduleArm } from './choose-arm.ts';

/** The plan of a payment that the merchant's best fixed schedule keeps. */
export function onSchedule(
  plan: PlanInput,
  bestFixedDays: readonly number[],
  { arm, because, propensity }: ScheduleArm,
): Plan {
  const { maxAttempts, windowDays } = plan.settings;
  const fixedDays = bestFixedDays.filter((day) => day <= windowDays).slice(0, maxAttempts);
  const fixed = decide({ ...plan, settings: { ...plan.settings, kind: 'fixed', fixedDays } });
  const words = `${fixed.decision.because}: ${because}`;
  return { ...fixed, decision: { ...fixed.decision, because: words, propensity, arm } };
}
