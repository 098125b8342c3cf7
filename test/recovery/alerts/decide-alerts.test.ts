import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import type {
  AlertChannel,
  AlertRoute,
  AlertSilence,
  ToldAlert,
  WatchedAlerts,
} from '../../../src/recovery/alerts/alert-ports.ts';
import { decideAlerts } from '../../../src/recovery/alerts/decide-alerts.ts';
import { toTold } from '../../../src/recovery/alerts/watch-alerts.ts';

const start = new Date('2026-03-01T12:00:00.000Z');
const minute = (n: number) => addMs(start, n * minuteMs);

const channel = (channelId: string, more: Partial<AlertChannel> = {}): AlertChannel => ({
  channelId,
  name: channelId,
  kind: 'slack',
  hint: 'hooks.example.com',
  isPaused: false,
  createdAt: start,
  ...more,
});

const route = (channelId: string, more: Partial<AlertRoute> = {}): AlertRoute => ({
  routeId: `alr_${channelId}`,
  channelId,
  repeatMs: 4 * hourMs,
  tellsResolved: true,
  createdAt: start,
  ...more,
});

const alert = (merchantId: string, more: Partial<ToldAlert> = {}): ToldAlert => ({
  key: `incidents/${merchantId}`,
  kind: 'incidents',
  count: 1,
  title: 'An incident',
  detail: '',
  at: start,
  merchantId,
  ...more,
});

const silence = (more: Partial<AlertSilence> = {}): AlertSilence => ({
  silenceId: 'als_1',
  reason: 'known',
  createdBy: 'op_1',
  createdAt: start,
  endsAt: minute(30),
  ...more,
});

const nothing: WatchedAlerts = { states: [], notices: [], routes: [], silences: [], channels: [] };

/** Looks one after the other, each on what the last one left, as the store keeps it. */
function watching(settings: Partial<WatchedAlerts>) {
  let known: WatchedAlerts = { ...nothing, ...settings };
  return {
    look(at: Date, seen: readonly ToldAlert[]) {
      const { states, ended, notices, messages } = decideAlerts(known, { seen, at });
      const nameOf = (n: { key: string; channelId: string }) => `${n.key} ${n.channelId}`;
      const kept = new Map([...known.notices, ...notices].map((each) => [nameOf(each), each]));
      const left = [...kept.values()].filter(({ key }) => !ended.includes(key));
      known = { ...known, states, notices: left };
      return messages.flatMap(({ channelId, items }) =>
        items.map(({ key, state }) => `${channelId} ${state} ${key}`),
      );
    },
    set(more: Partial<WatchedAlerts>) {
      known = { ...known, ...more };
    },
  };
}

const one = { channels: [channel('a')], routes: [route('a')] };

describe('what lasts', () => {
  it('is told once, again after the route’s time, and when it has ended', () => {
    const watch = watching(one);
    const seen = [alert('m')];
    expect(watch.look(minute(0), seen)).toEqual(['a firing incidents/m']);
    expect(watch.look(minute(1), seen)).toEqual([]);
    expect(watch.look(minute(239), seen)).toEqual([]);
    expect(watch.look(minute(240), seen)).toEqual(['a firing incidents/m']);
    expect(watch.look(minute(241), [])).toEqual([]);
    expect(watch.look(minute(244), [])).toEqual(['a resolved incidents/m']);
    expect(watch.look(minute(245), [])).toEqual([]);
  });

  it('is told once it has lasted as long as its kind asks', () => {
    const watch = watching(one);
    const seen = [alert('m', { kind: 'endpoint_failing', key: 'endpoint_failing/m' })];
    expect(watch.look(minute(0), seen)).toEqual([]);
    expect(watch.look(minute(14), seen)).toEqual([]);
    expect(watch.look(minute(15), seen)).toEqual(['a firing endpoint_failing/m']);
  });

  it('is one alert, though it goes and comes back within three minutes', () => {
    const watch = watching(one);
    watch.look(minute(0), [alert('m')]);
    expect(watch.look(minute(1), [])).toEqual([]);
    expect(watch.look(minute(3), [alert('m')])).toEqual([]);
    expect(watch.look(minute(5), [])).toEqual([]);
    expect(watch.look(minute(7), [])).toEqual([]);
    expect(watch.look(minute(8), [])).toEqual(['a resolved incidents/m']);
  });

  it('is told to the others where it is that a channel takes nothing', () => {
    const watch = watching({
      channels: [channel('alc_a'), channel('alc_b')],
      routes: [route('alc_a'), route('alc_b')],
    });
    const failing = toTold({
      kind: 'channel_failing',
      channelId: 'alc_a',
      channelName: 'a',
      message: '503',
      count: 1,
      at: start,
    });
    watch.look(minute(0), [failing]);
    expect(watch.look(minute(5), [failing])).toEqual([`alc_b firing ${failing.key}`]);
    watch.look(minute(6), []);
    expect(watch.look(minute(9), [])).toEqual([`alc_b resolved ${failing.key}`]);
  });

  it('is told when it has grown, a quarter of an hour after it was told at the earliest', () => {
    const watch = watching(one);
    watch.look(minute(0), [alert('m')]);
    expect(watch.look(minute(14), [alert('m', { count: 2 })])).toEqual([]);
    expect(watch.look(minute(15), [alert('m', { count: 2 })])).toEqual(['a firing incidents/m']);
    expect(watch.look(minute(40), [alert('m', { count: 2 })])).toEqual([]);
  });
});

describe('a route', () => {
  const seen = [alert('m'), alert('n'), alert('m', { key: 'disk_low//p', kind: 'disk_low' })];
  it.each([
    [{}, ['incidents/m', 'incidents/n', 'disk_low//p']],
    [{ kinds: ['disk_low'] }, ['disk_low//p']],
    [{ severities: ['page'] }, ['disk_low//p']],
    [{ severities: ['ticket'], merchants: ['n'] }, ['incidents/n']],
  ] satisfies [Partial<AlertRoute>, string[]][])('of %j takes %j', (of, keys) => {
    const watch = watching({ channels: [channel('a')], routes: [route('a', of)] });
    expect(watch.look(minute(0), seen)).toEqual(keys.map((key) => `a firing ${key}`));
  });

  it('for merchants takes nothing that is about none', () => {
    const routes = [route('a', { merchants: ['m'] })];
    const { merchantId: _, ...nobodys } = alert('m', { key: 'disk_low//p', kind: 'disk_low' });
    expect(watching({ ...one, routes }).look(minute(0), [nobodys])).toEqual([]);
  });

  it('that wants no end is told none', () => {
    const watch = watching({ ...one, routes: [route('a', { tellsResolved: false })] });
    watch.look(minute(0), [alert('m')]);
    watch.look(minute(1), []);
    expect(watch.look(minute(9), [])).toEqual([]);
  });

  it('to a channel that is paused tells nothing until it is not', () => {
    const watch = watching({ ...one, channels: [channel('a', { isPaused: true })] });
    expect(watch.look(minute(0), [alert('m')])).toEqual([]);
    watch.set({ channels: [channel('a')] });
    expect(watch.look(minute(1), [alert('m')])).toEqual(['a firing incidents/m']);
  });

  it('two to one channel tell it once', () => {
    const watch = watching({ ...one, routes: [route('a'), route('a', { routeId: 'alr_2' })] });
    expect(watch.look(minute(0), [alert('m')])).toEqual(['a firing incidents/m']);
  });
});

describe('a silence', () => {
  it.each([
    [{}, []],
    [{ kind: 'incidents' }, []],
    [{ kind: 'incidents', merchantId: 'm' }, []],
    [{ kind: 'disk_low' }, ['a firing incidents/m']],
    [{ merchantId: 'n' }, ['a firing incidents/m']],
    [{ endsAt: minute(1) }, ['a firing incidents/m']],
  ] satisfies [Partial<AlertSilence>, string[]][])('of %j leaves %j', (of, told) => {
    const watch = watching({ ...one, silences: [silence(of)] });
    expect(watch.look(minute(1), [alert('m')])).toEqual(told);
  });

  it('ends with what is still there being told, and with nothing of what has gone', () => {
    const watch = watching({ ...one, silences: [silence()] });
    const both = [alert('m'), alert('n')];
    expect(watch.look(minute(0), both)).toEqual([]);
    expect(watch.look(minute(10), [alert('m')])).toEqual([]);
    expect(watch.look(minute(20), [alert('m')])).toEqual([]);
    expect(watch.look(minute(30), [alert('m')])).toEqual(['a firing incidents/m']);
  });
});

it('whatever comes and goes, each channel hears firing before resolved, and no more often than its route asks', () => {
  const steps = fc.array(
    fc.record({ waitMin: fc.integer({ min: 1, max: 90 }), isSeen: fc.boolean() }),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 12 }), (looks, repeatHours) => {
      const repeatMs = repeatHours * hourMs;
      const watch = watching({ ...one, routes: [route('a', { repeatMs })] });
      let at = start;
      let firedAt: Date | undefined;
      for (const { waitMin, isSeen } of looks) {
        at = addMs(at, waitMin * minuteMs);
        for (const told of watch.look(at, isSeen ? [alert('m')] : [])) {
          if (told.includes('resolved')) {
            expect(firedAt).toBeDefined();
            expect(isSeen).toBe(false);
            firedAt = undefined;
          } else {
            if (firedAt !== undefined) {
              expect(at.getTime() - firedAt.getTime()).toBeGreaterThanOrEqual(repeatMs);
            }
            firedAt = at;
          }
        }
        // What is there has been told within the route's time.
        if (isSeen) expect(firedAt).toBeDefined();
      }
    }),
  );
});
