import type { PolicySettings } from '../../domain/merchant.ts';
import { decide } from '../../policy/decide.ts';
import { usableMethods } from '../../policy/gates.ts';
import { hourOf, weekday } from '../calendar.ts';
import { purposes, unitAt } from '../draws.ts';
import { type NextTry, type Observed, type SimulatedPolicy, toPlanInput } from '../observed.ts';

/** The service's own policy, by its own code, under a merchant's settings. */
export function decidePolicy(name: string, settings: PolicySettings): SimulatedPolicy {
  return {
    name,
    next: (observed) => {
      const plan = decide(toPlanInput(observed, settings));
      switch (plan.kind) {
        case 'attempt':
          return { kind: 'try', hour: hourOf(plan.at) };
        case 'wait_for_update':
          return { kind: 'wait' };
        case 'exhausted':
          return { kind: 'stop' };
      }
    },
  };
}

/** Never tries: what mails and payers recover alone. */
export const noRetries: SimulatedPolicy = { name: 'none', next: () => ({ kind: 'stop' }) };

/**
 * A policy that wants certain hours, behind the service's gates: hard declines wait for a new card,
 * advice and network limits postpone, and a renewed card is tried at once.
 */
export function gatedPolicy(
  name: string,
  maxAttempts: number,
  wantedHour: (observed: Observed) => number | undefined,
): SimulatedPolicy {
  const settings: PolicySettings = { kind: 'fixed', windowDays: 60, maxAttempts, fixedDays: [] };
  return { name, next: (observed) => gated(observed, settings, wantedHour) };
}

function gated(
  observed: Observed,
  settings: PolicySettings,
  wantedHour: (observed: Observed) => number | undefined,
): NextTry {
  if (observed.tries.length >= settings.maxAttempts) return { kind: 'stop' };
  const [method] = usableMethods(toPlanInput(observed, settings));
  if (method === undefined) return { kind: 'wait' };
  const wanted = method.renewed ? observed.nowHour : wantedHour(observed);
  if (wanted === undefined) return { kind: 'wait' };
  return { kind: 'try', hour: Math.max(wanted, hourOf(method.allowedAt)) };
}

/** A policy whose choices are by chance, with the chance of each: what a log needs to learn from. */
export interface ChancePolicy extends SimulatedPolicy {
  readonly maxAttempts: number;
  propensity(observed: Observed): number;
}

/** Tries at uniform hours of the window: the budget's parts of it, one uniform hour in each. */
export function randomPolicy(seed: number, maxAttempts: number): ChancePolicy {
  const partHours = ({ nowHour, windowEndHour, tries }: Observed): number =>
    Math.max(1, Math.floor((windowEndHour - nowHour) / (maxAttempts - tries.length)));
  const policy = gatedPolicy('random', maxAttempts, (observed) => {
    const { payment, nowHour, tries } = observed;
    const luck = unitAt(seed, payment, tries.length, purposes.policy);
    return nowHour + 1 + Math.floor(luck * partHours(observed));
  });
  return {
    ...policy,
    maxAttempts,
    // A gate makes one hour of all that it forbids: the try at its end was as likely as all of them.
    propensity: (observed) => {
      const hours = partHours(observed);
      const moved = Math.min(hours, Math.max(1, allowedHour(observed) - observed.nowHour));
      const luck = unitAt(seed, observed.payment, observed.tries.length, purposes.policy);
      return (Math.floor(luck * hours) + 1 <= moved ? moved : 1) / hours;
    },
  };
}

/** From when on the gates let the card be tried; now, where nothing holds it back. */
function allowedHour(observed: Observed): number {
  const settings: PolicySettings = { kind: 'fixed', windowDays: 60, maxAttempts: 1, fixedDays: [] };
  const [method] = usableMethods(toPlanInput(observed, settings));
  return method === undefined ? observed.nowHour : hourOf(method.allowedAt);
}

/** Hours after the failure at which to try. */
export function hoursPolicy(name: string, hours: readonly number[]): SimulatedPolicy {
  return gatedPolicy(name, hours.length, ({ failedHour, tries, nowHour }) => {
    const last = tries.at(-1)?.hour ?? nowHour - 1;
    return hours.map((hour) => failedHour + hour).find((hour) => hour > last);
  });
}

/** Solidgate's first weekly schedule: after 1 day, on the next Friday, then after 2 and 5 days. */
export const solidgatePolicy: SimulatedPolicy = gatedPolicy('solidgate', 4, (observed) => {
  const { failedHour, tries } = observed;
  const last = tries.at(-1)?.hour ?? failedHour;
  switch (tries.length) {
    case 0:
      return last + 24;
    case 1:
      return nextDay(last, (day) => weekday(day) === 5);
    case 2:
      return last + 48;
    default:
      return last + 120;
  }
});

/** The same hour of the next day, from tomorrow on, that is wanted. */
export function nextDay(hour: number, isWanted: (day: number) => boolean): number {
  for (let later = hour + 24; ; later += 24) if (isWanted(Math.floor(later / 24))) return later;
}
