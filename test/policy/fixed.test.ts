import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../src/domain/clock.ts';
import { nextScheduled, scheduleTimes } from '../../src/policy/fixed.ts';
import { fixedPolicy } from '../kits/fixed-policy.ts';
import { day, failedAt, settingsArbitrary } from './plan-input.ts';

describe('the times of a schedule', () => {
  it('are 1, 3, 5 and 7 whole days after the failure by default', () => {
    const times = scheduleTimes(fixedPolicy, failedAt, day(28));
    expect(times).toEqual([day(1), day(3), day(5), day(7)]);
  });

  it('are days of 24 hours, also where a time zone changes its clocks', () => {
    const failed = new Date('2026-03-29T00:30:00.000Z');
    const [first] = scheduleTimes(fixedPolicy, failed, addMs(failed, 28 * dayMs));
    expect(first).toEqual(new Date('2026-03-30T00:30:00.000Z'));
  });

  it('are one at the end of each part of the window where they are even', () => {
    const settings = { kind: 'even', maxAttempts: 4, windowDays: 10 } as const;
    const times = scheduleTimes(settings, failedAt, day(10));
    expect(times).toEqual([day(2.5), day(5), day(7.5), day(10)]);
  });

  it('rise, lie after the failure and inside the window, whatever the settings', () => {
    fc.assert(
      fc.property(settingsArbitrary, (settings) => {
        const windowEndsAt = day(settings.windowDays);
        const times = scheduleTimes(settings, failedAt, windowEndsAt);
        expect(times.length).toBeGreaterThan(0);
        for (const [index, time] of times.entries()) {
          const before = times[index - 1] ?? failedAt;
          expect(time.getTime()).toBeGreaterThan(before.getTime());
          expect(time.getTime()).toBeLessThanOrEqual(windowEndsAt.getTime());
        }
      }),
    );
  });
});

describe('the next time of a schedule', () => {
  const times = [day(1), day(3), day(5)];

  it('is the first one before any try', () => {
    expect(nextScheduled(times, undefined)).toEqual(day(1));
  });

  it('is the first one after the last try', () => {
    expect(nextScheduled(times, day(1))).toEqual(day(3));
    expect(nextScheduled(times, addMs(day(1), hourMs))).toEqual(day(3));
    expect(nextScheduled(times, addMs(day(3), -1))).toEqual(day(3));
  });

  it('is none after the last one', () => {
    expect(nextScheduled(times, day(5))).toBeUndefined();
  });

  it('makes up for times that passed by one try, not by several', () => {
    const late = addMs(day(3), hourMs);
    expect(nextScheduled(times, late)).toEqual(day(5));
  });
});
