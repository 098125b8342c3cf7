import {
  assert,
  boolean,
  constantFrom,
  date,
  double,
  integer,
  option,
  property,
  record,
} from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { defaultMessageSettings } from '../../../src/domain/messages/message-settings.ts';
import { isQuiet } from '../../../src/domain/messages/quiet-hours.ts';
import { isFinal, paymentStates } from '../../../src/domain/states.ts';
import {
  messageArm,
  type TellFacts,
  whenToTell,
} from '../../../src/policy/messages/when-to-tell.ts';

const noon = new Date('2026-06-10T12:00:00.000Z');
const settings = defaultMessageSettings;

function facts(
  more: Partial<TellFacts> = {},
  payment: Partial<TellFacts['payment']> = {},
): TellFacts {
  return {
    payment: {
      state: 'scheduled',
      waitsForCustomer: true,
      nextAttemptAt: addMs(noon, 10 * dayMs),
      windowEndsAt: addMs(noon, 10 * dayMs),
      isHeld: false,
      ...payment,
    },
    address: 'known',
    hasRefused: false,
    begunAt: addMs(noon, -dayMs),
    sent: 0,
    ...more,
  };
}

describe('a customer is written to', () => {
  test('while the payment waits for them', () => {
    expect(whenToTell(facts(), settings, noon)).toEqual({ kind: 'send' });
  });

  test.each<readonly [string, TellFacts, object]>([
    [
      'an attempt is under way',
      facts({}, { state: 'attempting' }),
      { because: 'attempt_in_flight' },
    ],
    [
      'an attempt is planned',
      facts({}, { waitsForCustomer: false, nextAttemptAt: addMs(noon, hourMs) }),
      { because: 'attempt_due', until: addMs(noon, 3 * hourMs) },
    ],
    ['a person has to look at it', facts({}, { isHeld: true }), { because: 'held' }],
    [
      'the last message is too near',
      facts({ sent: 1, lastSentAt: addMs(noon, -hourMs) }),
      {
        because: 'gap',
        until: addMs(noon, 71 * hourMs),
      },
    ],
    [
      'it began a moment ago',
      facts({ begunAt: noon }),
      { because: 'gap', until: addMs(noon, hourMs) },
    ],
    ['it is night there', facts({ timeZone: 'Asia/Tokyo' }), { because: 'quiet_hours' }],
  ])('not yet while %s', (_, given, held) => {
    expect(whenToTell(given, settings, noon)).toMatchObject({ kind: 'wait', ...held });
  });

  test.each<readonly [string, TellFacts]>([
    ['payment_ended', facts({}, { state: 'recovered' })],
    ['payment_ended', facts({}, { windowEndsAt: addMs(noon, 5 * hourMs) })],
    ['no_address', facts({ address: 'none' })],
    ['suppressed', facts({ address: 'suppressed' })],
    ['refused', facts({ hasRefused: true })],
    ['enough', facts({ sent: 3, lastSentAt: addMs(noon, -9 * dayMs) })],
  ])('never again: %s', (because, given) => {
    expect(whenToTell(given, settings, noon)).toEqual({ kind: 'end', because });
  });
});

const times = date({
  min: new Date('2026-01-01'),
  max: new Date('2026-12-31'),
  noInvalidDate: true,
});
const anyFacts = record({
  payment: record({
    state: constantFrom(...paymentStates),
    waitsForCustomer: boolean(),
    nextAttemptAt: times,
    windowEndsAt: times,
    isHeld: boolean(),
  }),
  address: constantFrom('known' as const, 'none' as const, 'suppressed' as const),
  hasRefused: boolean(),
  begunAt: times,
  sent: integer({ min: 0, max: 5 }),
  lastSentAt: times,
});
const zones = constantFrom(
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Pacific/Chatham',
);
const anySettings = record({
  timeZone: zones,
  quietFrom: integer({ min: 0, max: 23 }),
  quietUntil: integer({ min: 0, max: 23 }),
  maxMessages: integer({ min: 1, max: 4 }),
  firstAfterHours: integer({ min: 0, max: 48 }),
  gapHours: integer({ min: 1, max: 96 }),
});

describe('whatever the payment, the settings and the time', () => {
  it('no message goes beside a retry, after the end, beyond the limits or in quiet hours', () => {
    const run = property(anyFacts, anySettings, option(zones), times, (given, set, zone, now) => {
      const all = zone === null ? given : { ...given, timeZone: zone };
      if (whenToTell(all, set, now).kind !== 'send') return;
      const { payment } = given;
      expect(isFinal(payment.state) || payment.state === 'attempting').toBe(false);
      expect([payment.waitsForCustomer, payment.isHeld]).toEqual([true, false]);
      expect([given.address, given.hasRefused]).toEqual(['known', false]);
      expect(given.sent).toBeLessThan(set.maxMessages);
      expect(now.getTime() - given.lastSentAt.getTime()).toBeGreaterThanOrEqual(
        set.gapHours * hourMs,
      );
      expect(now.getTime()).toBeLessThan(payment.windowEndsAt.getTime());
      expect(isQuiet(now, { ...set, timeZone: zone ?? set.timeZone })).toBe(false);
    });
    assert(run, { numRuns: 2_000 });
  });

  it('a wait lies ahead, and leads to a message or an end in a few looks where nothing else happens', () => {
    const run = property(anyFacts, anySettings, times, (given, set, now) => {
      const open = {
        ...given,
        payment: { ...given.payment, waitsForCustomer: true, isHeld: false },
      };
      let at = now;
      for (let look = 0; look < 4; look += 1) {
        const told = whenToTell(open, set, at);
        if (told.kind !== 'wait' || told.because === 'attempt_in_flight') return;
        expect(told.until.getTime()).toBeGreaterThan(at.getTime());
        at = told.until;
      }
      throw new Error('it waits for ever');
    });
    assert(run, { numRuns: 1_000 });
  });

  it('a message is held back by a retry for hours after its time', () => {
    const run = property(anyFacts, anySettings, times, (given, set, now) => {
      const planned = { ...given, payment: { ...given.payment, waitsForCustomer: false } };
      const told = whenToTell(planned, set, now);
      if (told.kind !== 'wait' || told.because !== 'attempt_due') return;
      expect(told.until.getTime()).toBeGreaterThanOrEqual(
        given.payment.nextAttemptAt.getTime() + 2 * hourMs,
      );
    });
    assert(run);
  });
});

describe('the holdout', () => {
  const payments = Array.from({ length: 20_000 }, (_, at) => ({
    merchantId: 'mer_1',
    invoiceId: `in_${at}`,
  }));

  test('is its share of the payments, and the same each time', () => {
    const held = payments.filter((payment) => messageArm(payment, 0.1) === 'holdout').length;
    expect(held / payments.length).toBeCloseTo(0.1, 2);
  });

  test('of a smaller share is a part of that of a larger one', () => {
    const run = property(double({ min: 0, max: 0.5, noNaN: true }), (share) => {
      for (const payment of payments.slice(0, 200)) {
        if (messageArm(payment, share) === 'holdout') {
          expect(messageArm(payment, 0.5)).toBe('holdout');
        }
      }
    });
    assert(run, { numRuns: 20 });
  });
});
