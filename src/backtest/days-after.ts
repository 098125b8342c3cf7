import { dayMs, hourMs } from '../domain/clock.ts';

/**
 * Days between two times less an hour, to be rounded or compared with whole and half days. Schedules are mostly
 * of whole or half days and tries come some seconds before or after them: without the hour, tries after three
 * and a half days would be divided between two days by those seconds.
 */
export function daysAfter(fromMs: number, toMs: number): number {
  return (toMs - fromMs - hourMs) / dayMs;
}
