import { dayOfHour } from '../local-time.ts';
import type { Slot, SlotPlan } from '../plan-slots.ts';
import {
  type CoverageFacts,
  type CoverageModel,
  coverageChance,
  leftBeside,
} from './coverage-model.ts';

export interface CoverageInput {
  readonly model: CoverageModel;
  readonly facts: CoverageFacts;
  /** Local hours between which tries are allowed, both included. */
  readonly fromHour: number;
  readonly toHour: number;
  readonly triesLeft: number;
  /** Of the payments still open, those that are lost with each day. */
  readonly lossPerDay: number;
}

/** Ten in the morning: banks are awake and the day's pay has come. */
const dayHour = 10;
/** Slots soon after a failure, in hours: technical declines and holds often end within a day. */
const soonHours = [1, 4, 9] as const;

/**
 * Spreads the tries that are left over the days that pass most often: one after the other goes where
 * its chance is highest, given that all chosen ones were declined. Undefined where no slot is left.
 */
export function planCoverage(input: CoverageInput): SlotPlan | undefined {
  const { model, facts, fromHour, lossPerDay } = input;
  const reach = model.reachDays[facts.codeClass] ?? 0;
  const hours = slotHours(input);
  const chances = hours.map((hour) => coverageChance(model, facts, hour));
  const values = Float64Array.from(hours, (hour, at) => {
    return (chances[at] ?? 0) * Math.exp((-lossPerDay * (hour - fromHour)) / 24);
  });
  const open = values.slice();
  const tries: Slot[] = [];
  while (tries.length < input.triesLeft) {
    let best = -1;
    for (let at = 0; at < open.length; at += 1) {
      if ((open[at] ?? 0) > 0 && (best < 0 || (open[at] ?? 0) > (open[best] ?? 0))) best = at;
    }
    const hour = hours[best];
    if (hour === undefined) break;
    tries.push({ hour, chance: chances[best] ?? 0, value: open[best] ?? 0 });
    for (let at = 0; at < open.length; at += 1) {
      const other = hours[at] ?? 0;
      open[at] = at === best ? 0 : (open[at] ?? 0) * leftBeside(reach, other - hour);
    }
  }
  tries.sort((a, b) => a.hour - b.hour);
  const [next] = tries;
  if (next === undefined) return undefined;
  const candidates = hours
    .map((hour, at): Slot => ({ hour, chance: chances[at] ?? 0, value: values[at] ?? 0 }))
    .sort((a, b) => b.value - a.value || a.hour - b.hour)
    .slice(0, 5);
  return { next, tries, worth: tries.reduce((sum, { value }) => sum + value, 0), candidates };
}

function slotHours({ fromHour, toHour }: CoverageInput): readonly number[] {
  const hours: number[] = [];
  for (const soon of soonHours) if (fromHour + soon <= toHour) hours.push(fromHour + soon);
  const begin = fromHour + (soonHours.at(-1) ?? 0);
  for (let day = dayOfHour(fromHour); day * 24 + dayHour <= toHour; day += 1) {
    if (day * 24 + dayHour > begin) hours.push(day * 24 + dayHour);
  }
  return hours.length === 0 ? [toHour] : hours;
}
