import { assert, boolean, constant, date, integer, option, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import { defaultMessageSettings } from '../../../src/domain/messages/message-settings.ts';
import { type WarnFacts, whenToWarn } from '../../../src/policy/messages/when-to-warn.ts';

const now = new Date('2026-04-10T12:00:00Z');
const hours = (count: number) => addMs(now, count * hourMs);
const settings = { ...defaultMessageSettings, firstAfterHours: 1, gapHours: 72 };
const plain: WarnFacts = {
  isEnded: false,
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

test('no message goes beside a payment that is being recovered, nor after the end', () => {
  const facts = record({
    isEnded: boolean(),
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
