import { describe, expect, it } from 'vitest';
import { hourMs } from '../../../src/domain/clock.ts';
import { cycleDay, cyclePhases } from '../../../src/policy/learned/belief/pay-cycles.ts';
import { judgeDrift } from '../../../src/policy/learned/drift.ts';
import { unitOf } from '../../../src/policy/learned/hash.ts';
import {
  holidayCalendar,
  isBusinessDay,
  localHour,
  weekdayOf,
  zoneOffsetMinutes,
} from '../../../src/policy/learned/local-time.ts';
import { issuerState } from '../../../src/policy/learned/outage.ts';

describe('an issuer', () => {
  const now = 1_000 * hourMs;
  it('is down when most of enough late charges failed technically', () => {
    const lastAtMs = now - hourMs;
    expect(issuerState({ charges: 10, technical: 8, lastAtMs }, now)).toEqual({
      kind: 'down',
      untilMs: now + hourMs,
    });
  });

  it.each([
    [5, 3, 4],
    [10, 5, 6],
    [20, 9, 10],
    [100, 37, 38],
  ])('of %i late charges is up at %i failures, which may be chance, and down at %i', (...row) => {
    const [charges, up, down] = row;
    const kind = (technical: number) =>
      issuerState({ charges, technical, lastAtMs: now }, now).kind;
    expect([kind(up), kind(down)]).toEqual(['up', 'down']);
  });

  it('is up again two hours after the last charge that was counted', () => {
    const kind = (agoMs: number) =>
      issuerState({ charges: 10, technical: 10, lastAtMs: now - agoMs }, now).kind;
    expect([kind(2 * hourMs - 1), kind(2 * hourMs)]).toEqual(['down', 'up']);
  });

  it.each([
    ['few charges', { charges: 4, technical: 4, lastAtMs: now }],
    ['a usual share', { charges: 100, technical: 10, lastAtMs: now }],
    ['old charges', { charges: 10, technical: 10, lastAtMs: now - 3 * hourMs }],
    ['none', undefined],
  ])('is up for %s', (_name, counters) => {
    expect(issuerState(counters, now)).toEqual({ kind: 'up' });
  });
});

describe('drift', () => {
  const play = (tries: number, foretold: number, observed: number) => {
    const passed = Array.from({ length: tries }, (_, at) => unitOf(`${at}`, 'drift') < observed);
    return judgeDrift({
      tries,
      successes: passed.filter(Boolean).length,
      foretold: tries * foretold,
      variance: tries * foretold * (1 - foretold),
    }).kind;
  };

  it('is seen when far fewer pass than were predicted', () => {
    expect(play(1_000, 0.3, 0.15)).toBe('drifted');
  });

  it('is seen from four deviations on, where a quarter is missing', () => {
    const counts = { tries: 1_000, foretold: 100, variance: 100 };
    expect(judgeDrift({ ...counts, successes: 60 }).kind).toBe('drifted');
    expect(judgeDrift({ ...counts, successes: 61 }).kind).toBe('steady');
  });

  const ranked = (tries: number, ranking: number) => {
    const successes = tries / 4;
    const rankSum = ranking * successes * (tries - successes) + (successes * (successes + 1)) / 2;
    return judgeDrift({ tries, successes, foretold: successes, variance: tries / 5, rankSum });
  };

  it('is seen when a model surely ranks tries no better than chance, however well it counts them', () => {
    expect(ranked(1_200, 0.45)).toMatchObject({
      message: expect.stringContaining('45 % of pairs'),
    });
    expect(ranked(20_000, 0.51).kind).toBe('drifted');
    expect(ranked(1_200, 0.52).kind).toBe('steady');
    expect(ranked(20_000, 0.55).kind).toBe('steady');
    expect(ranked(180, 0.1).kind).toBe('steady');
  });

  it('is not seen in noise, in small errors and in few tries', () => {
    expect(play(1_000, 0.3, 0.3)).toBe('steady');
    expect(play(50_000, 0.3, 0.27)).toBe('steady');
    expect(play(100, 0.3, 0)).toBe('steady');
  });
});

describe('the payer’s clock', () => {
  it('knows zones with and without summer time', () => {
    expect(zoneOffsetMinutes('America/New_York', new Date('2026-01-15T12:00:00Z'))).toBe(-300);
    expect(zoneOffsetMinutes('America/New_York', new Date('2026-07-15T12:00:00Z'))).toBe(-240);
    expect(zoneOffsetMinutes('Asia/Kolkata', new Date('2026-07-15T12:00:00Z'))).toBe(330);
    expect(zoneOffsetMinutes('UTC', new Date('2026-07-15T12:00:00Z'))).toBe(0);
  });

  it('counts hours from midnight of the payer', () => {
    const at = Date.parse('2026-03-06T02:00:00Z');
    const hour = localHour(at, -300);
    expect(hour % 24).toBe(21);
    expect(weekdayOf(Math.floor(hour / 24))).toBe(4);
  });

  it('moves pay before holidays', () => {
    const calendar = holidayCalendar(['2026-05-01']);
    const friday = Date.parse('2026-05-01T00:00:00Z') / (24 * hourMs);
    expect(isBusinessDay(calendar, friday)).toBe(false);
    const weekly = cyclePhases.findIndex(({ cycle, phase }) => cycle === 0 && phase === 5);
    expect(cycleDay(calendar, friday - 1).daysSincePayday[weekly]).toBe(0);
    expect(cycleDay(calendar, friday).daysSincePayday[weekly]).toBe(1);
    expect(cycleDay(calendar, friday + 7).daysSincePayday[weekly]).toBe(0);
  });
});
