import type { SimulatedPolicy } from '../observed.ts';
import { dayPolicy, namedDays } from './fixed-family.ts';

/** Fixed schedules of at most so many tries in a window: the named ones, cut, and every n days. */
export function fixedCandidates(
  windowDays: number,
  maxAttempts: number,
): readonly SimulatedPolicy[] {
  const maxEveryDays = Math.ceil(windowDays / Math.min(maxAttempts, 4));
  const every = Array.from({ length: maxEveryDays }, (_, index) => {
    const days = Array.from({ length: maxAttempts }, (_unused, at) => (at + 1) * (index + 1));
    return dayPolicy(`every_${index + 1}`, windowDays, days);
  });
  const cut = Object.entries(namedDays)
    .filter(([name]) => !name.startsWith('every_'))
    .map(([name, days]) => dayPolicy(name, windowDays, days.slice(0, maxAttempts)));
  return [...cut, ...every];
}
