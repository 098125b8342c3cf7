import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchDatabase } from '../../../src/app/alerts/watch-database.ts';
import { minuteMs } from '../../../src/domain/clock.ts';
import type { RefusedWrites } from '../../../src/domain/held-back.ts';
import type { AlertItem } from '../../../src/recovery/alerts/alert-ports.ts';
import type { Routing } from '../../../src/recovery/alerts/tell-outage.ts';

const at = new Date('2026-06-01T10:00:00.000Z');
const channel = {
  channelId: 'alc_1',
  name: 'On call',
  kind: 'slack',
  hint: 'hooks.example.com',
  target: { kind: 'slack', url: 'https://hooks.example.com/1' },
  isPaused: false,
  createdAt: at,
} as const;
const route = {
  routeId: 'alr_1',
  channelId: 'alc_1',
  severities: ['page'],
  repeatMs: 60 * minuteMs,
  tellsResolved: true,
  createdAt: at,
} as const;
const routing: Routing = { channels: [channel], routes: [route], silences: [] };

/** A database that answers as the test says, looked at when the test says. */
function watched() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const told: AlertItem[] = [];
  let elapsedMs = 0;
  let answers = true;
  let refused: RefusedWrites | undefined;
  let looks = Promise.withResolvers<void>();
  const watch = watchDatabase(
    {
      random: { bytes: (count) => randomBytes(count) },
      machine: { now: () => at },
      elapsedMs: () => elapsedMs,
      writes: {
        note() {},
        async refused() {
          setImmediate(looks.resolve);
          return refused;
        },
      },
    },
    {
      store: {
        async readRouting() {
          if (answers) return routing;
          setImmediate(looks.resolve);
          throw new Error('connect ECONNREFUSED');
        },
      },
      async send(_target, { items }) {
        told.push(...items);
        return { kind: 'sent' };
      },
    },
  );
  onTestFinished(() => watch.close());
  return {
    told,
    set: (state: { readonly answers?: boolean; readonly refused?: RefusedWrites | undefined }) => {
      answers = state.answers ?? true;
      refused = state.refused;
    },
    /** Looks every half minute for so long, each look to its end. */
    async pass(minutes: number) {
      for (let n = 0; n < minutes * 2; n += 1) {
        await looks.promise;
        looks = Promise.withResolvers<void>();
        elapsedMs += minuteMs / 2;
        vi.advanceTimersByTime(minuteMs / 2);
      }
      await looks.promise;
    },
  };
}

test('a database that answers tells nobody anything', async () => {
  const { told, pass } = watched();
  await pass(10);
  expect(told).toEqual([]);
});

test('a database that does not answer for two minutes is told of once in the time of the route, and its end', async () => {
  const { told, set, pass } = watched();
  await pass(1);
  set({ answers: false });
  await pass(2);
  expect(told).toEqual([]);
  await pass(30);
  expect(told).toMatchObject([{ kind: 'database_refuses', state: 'firing' }]);
  set({});
  await pass(1);
  expect(told).toMatchObject([{ state: 'firing' }, { state: 'resolved' }]);
});

test('a database that takes no writes is told of with the reason', async () => {
  const { told, set, pass } = watched();
  await pass(1);
  set({ refused: { code: 'database_disk_full', message: 'The disk is full.' } });
  await pass(3);
  expect(told[0]?.detail).toContain('The disk is full.');
});
