import { assert, boolean, constant, date, integer, option, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { defaultMessageSettings } from '../../../src/domain/messages/message-settings.ts';
import { type WarnFacts, whenToWarn } from '../../../src/policy/messages/when-to-warn.ts';

const now = new Date('2026-04-10T12:00:00Z');
const hours = (count: number) => addMs(now, count * hourMs);
const settings = { ...defaultMessageSettings, firstAfterHours: 1, gapHours: 72 };
const plain: WarnFacts = {
  isEnded: false,
  cardEndsAt: new Date('2026-05-01T00:00:00Z'),
  renewsAt: hours(200),
  open: { payments: 0, hasAttempt: false },
  address: 'known',
  hasRefused: false,
  begunAt: hours(-2),
};
const of = (change: Partial<WarnFacts>) => whenToWarn({ ...plain, ...change }, settings, now);

describe('a customer whose card expires before it is charged again', () => {
  test('is written to', () => expect(of({})).toEqual({ kind: 'send' }));

  test.each<[string, Partial<WarnFacts>, string, number?]>([
    [
      'while a payment of theirs is charged',
      { open: { payments: 1, hasAttempt: true } },
      'attempt_in_flight',
      2,
    ],
    [
      'while one is being recovered',
      { open: { payments: 1, hasAttempt: false, nextAttemptAt: hours(5) } },
      'attempt_due',
      7,
    ],
    ['so soon after a message about one', { lastWrittenAt: hours(-10) }, 'gap', 62],
    ['before the first hours are over', { begunAt: now }, 'gap', 1],
    [
      'before these, though the last message is long ago',
      { begunAt: now, lastWrittenAt: hours(-72) },
      'gap',
      1,
    ],
  ])('is not %s', (_when, change, because, until = 0) => {
    expect(of(change)).toEqual({ kind: 'wait', because, until: hours(until) });
  });

  test('is not at night', () => {
    expect(of({ timeZone: 'Asia/Tokyo' })).toMatchObject({ because: 'quiet_hours' });
  });

  test.each<[string, Partial<WarnFacts>, string]>([
    ['once the card was replaced', { isEnded: true }, 'payment_ended'],
    ['in the last hours before it is charged', { renewsAt: hours(6) }, 'payment_ended'],
    ['without an address', { address: 'none' }, 'no_address'],
    ['where they want no messages', { address: 'suppressed' }, 'suppressed'],
    ['once they said no', { hasRefused: true }, 'refused'],
  ])('is never %s', (_when, change, because) => {
    expect(of(change)).toEqual({ kind: 'end', because });
  });
});

describe('the message says that the card expires at the end of this month, so it goes', () => {
  const settled = { ...settings, quietFrom: 0, quietUntil: 0 };
  const facts = { ...plain, renewsAt: hours(9_000) };
  const at = (text: string, timeZone: string) =>
    whenToWarn({ ...facts, timeZone }, settled, new Date(text));

  test.each([
    ['Pacific/Auckland', '2026-04-30T11:59:00Z'],
    ['Pacific/Honolulu', '2026-05-01T09:59:00Z'],
    ['UTC', '2026-04-30T23:59:00Z'],
  ])('in that month of the calendar of %s', (timeZone, text) => {
    expect(at(text, timeZone)).toEqual({ kind: 'send' });
    const later = addMs(new Date(text), minuteMs).toISOString();
    expect(at(later, timeZone)).toEqual({ kind: 'end', because: 'payment_ended' });
  });

  test('not in the month before, which is still there west of Greenwich', () => {
    const early = { ...facts, begunAt: new Date('2026-04-01T00:05:00Z') };
    const of = (text: string) =>
      whenToWarn({ ...early, timeZone: 'Pacific/Honolulu' }, settled, new Date(text));
    const until = new Date('2026-04-01T10:00:00Z');
    expect(of('2026-04-01T09:00:00Z')).toEqual({ kind: 'wait', because: 'gap', until });
    expect(of('2026-04-01T10:00:00Z')).toEqual({ kind: 'send' });
  });
});

test('no message goes beside a payment that is being recovered, nor after the end', () => {
  const facts = record({
    isEnded: boolean(),
    cardEndsAt: constant(plain.cardEndsAt),
    renewsAt: date({ min: hours(-100), max: hours(1000) }),
    open: record({ payments: integer({ min: 0, max: 2 }), hasAttempt: boolean() }),
    address: constant('known' as const),
    hasRefused: boolean(),
    begunAt: date({ min: hours(-1000), max: now }),
    lastWrittenAt: option(date({ min: hours(-1000), max: now }), { nil: undefined }),
  });
  assert(
    property(facts, ({ lastWrittenAt, ...rest }) => {
      const given: WarnFacts = { ...rest, ...(lastWrittenAt && { lastWrittenAt }) };
      const telling = whenToWarn(given, settings, now);
      if (telling.kind !== 'send') return;
      expect([given.isEnded, given.hasRefused, given.open.payments]).toEqual([false, false, 0]);
      expect(given.renewsAt.getTime() - now.getTime()).toBeGreaterThan(6 * hourMs);
      if (lastWrittenAt)
        expect(now.getTime() - lastWrittenAt.getTime()).toBeGreaterThanOrEqual(72 * hourMs);
    }),
  );
});
