import { Type } from 'typebox';
import type { Fault } from '../../domain/json/fault.ts';
import {
  daysOf,
  evenDays,
  maxExploreShare,
  maxHoldoutShare,
  type PolicySettings,
  policyKinds,
  policyOf,
  sharesOf,
} from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import { enumField } from '../../http/fields.ts';

const maxWindowDays = 60;
const maxTries = 20;

/** How failed payments are retried; what is left out comes from the default, or stays as it is. */
export const policyBody = Type.Object(
  {
    kind: Type.Optional(
      enumField(
        policyKinds,
        'fixed: on the days of fixed_days. even: max_attempts tries evenly over the window. learned: when a model trained on past tries expects most; fixed_days are then the schedule of the payments that it does not plan, and the one it has to beat.',
      ),
    ),
    window_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxWindowDays,
        description: 'Days from the failure to the last moment of a try. Default: 28.',
      }),
    ),
    max_attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxTries, description: 'Tries in all. Default: 8.' }),
    ),
    fixed_days: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: maxWindowDays }), {
        minItems: 1,
        maxItems: maxTries,
        description:
          'Days after the failure, ascending, inside the window. Default: an even spread of the tries over it.',
      }),
    ),
    holdout_share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: maxHoldoutShare,
        description:
          'For learned: the share of payments that always stay on fixed_days, to compare with. Default: 0.1.',
      }),
    ),
    learned_share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'For learned: the share of payments that the model plans, set by hand. If left out: none until a model is trained, then 10, 50 and 90 %, each step once the payments of the step before did as well as the others.',
      }),
    ),
    explore_share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: maxExploreShare,
        description:
          'For learned: the share of decisions that take a random time, to learn from. Default: 0.07.',
      }),
    ),
  },
  { title: 'PolicySettings', additionalProperties: false },
);
export type PolicyBody = Type.Static<typeof policyBody>;

/** Either the settings, or what is wrong with them together. */
export interface PolicyReading {
  readonly policy?: PolicySettings;
  readonly faults: readonly Fault[];
}

/** The settings that a body asks for, over those that stand. */
export function policyFrom(body: PolicyBody, standing: PolicySettings): PolicyReading {
  const { window_days: windowDays = standing.windowDays } = body;
  const kind = body.kind ?? kindOf(body, standing);
  const maxAttempts = body.max_attempts ?? standing.maxAttempts;
  const fixedDays = body.fixed_days ?? standingDays(standing, windowDays, maxAttempts);
  const faults = dayFaults(fixedDays, windowDays);
  if (faults.length > 0) return { faults };
  const kept = sharesOf(standing);
  const shares = present({
    holdoutShare: body.holdout_share ?? kept.holdoutShare,
    exploreShare: body.explore_share ?? kept.exploreShare,
    learnedShare: body.learned_share ?? kept.learnedShare,
  });
  return { policy: policyOf({ kind, windowDays, maxAttempts, fixedDays, shares }), faults };
}

/** Who names days and no kind means them. */
function kindOf(body: PolicyBody, { kind }: PolicySettings): PolicySettings['kind'] {
  return kind === 'even' && body.fixed_days !== undefined ? 'fixed' : kind;
}

/** An even spread that nobody asked to change follows the window and the tries. */
function standingDays(
  standing: PolicySettings,
  newWindowDays: number,
  newMaxAttempts: number,
): readonly number[] {
  const fixedDays = daysOf(standing);
  const isEven = evenDays(standing.windowDays, standing.maxAttempts).join() === fixedDays.join();
  return isEven ? evenDays(newWindowDays, newMaxAttempts) : daysInside(fixedDays, newWindowDays);
}

/** Days that nobody asked for anew go when the window becomes shorter than they are. */
function daysInside(days: readonly number[], windowDays: number): readonly number[] {
  const inside = days.filter((day) => day <= windowDays);
  return inside.length === 0 ? [windowDays] : inside;
}

function dayFaults(days: readonly number[], windowDays: number): readonly Fault[] {
  return days.flatMap((day, index) => {
    const at = `policy.fixed_days.${index}`;
    if (day > windowDays)
      return [{ at, text: `Day ${day} is after the window of ${windowDays} days` }];
    if (day <= (days[index - 1] ?? 0))
      return [{ at, text: 'Each day should be later than the one before it' }];
    return [];
  });
}
