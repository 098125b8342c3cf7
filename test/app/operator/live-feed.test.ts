import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveFeed } from '../../../src/app/operator/live-feed.ts';
import type { LiveChange } from '../../../src/recovery/reports/live.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 0, 0, second));
const change = (invoiceId: string, second: number): LiveChange => ({
  merchantId: 'mer_1',
  invoiceId,
  status: 'scheduled',
  amountMinor: 1,
  currency: 'EUR',
  at: at(second),
});

function feedOf(rows: LiveChange[]) {
  const looks: Date[] = [];
  const clock = { at: at(0) };
  const feed = createLiveFeed({
    clock: { now: () => clock.at },
    log: { debug: () => {} },
    readChanges: async ({ since, limit }) => {
      looks.push(since);
      const found = rows.filter((row) => row.at.getTime() >= since.getTime());
      return found.sort((a, b) => a.at.getTime() - b.at.getTime()).slice(0, limit);
    },
  });
  const told: string[] = [];
  const listen = () => {
    const end = feed.subscribe((changes) => told.push(...changes.map((c) => c.invoiceId)));
    clock.at = at(2_000);
    return end;
  };
  return { looks, told, listen, clock };
}

test('tells each change once, also one that was committed late', async () => {
  const rows = [change('in_1', 10)];
  const { told, listen } = feedOf(rows);
  const end = listen();
  await vi.advanceTimersByTimeAsync(1_000);
  rows.push(change('in_late', 7));
  await vi.advanceTimersByTimeAsync(1_000);
  rows.push(change('in_1', 11));
  await vi.advanceTimersByTimeAsync(3_000);
  end();
  expect(told).toEqual(['in_1', 'in_late', 'in_1']);
});

test('looks only while somebody listens', async () => {
  const { looks, listen } = feedOf([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(looks).toEqual([]);
  const end = listen();
  await vi.advanceTimersByTimeAsync(2_000);
  end();
  const before = looks.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(looks.length - before).toBeLessThanOrEqual(1);
});

test('reads on where more changed than one look takes', async () => {
  const rows = Array.from({ length: 1_200 }, (_, n) => change(`in_${n}`, 10 + n));
  const { told, listen } = feedOf(rows);
  const end = listen();
  await vi.advanceTimersByTimeAsync(5_000);
  end();
  expect(new Set(told).size).toBe(1_200);
  expect(told).toHaveLength(1_200);
});

test('tells what changes after the clock was set back', async () => {
  const rows = [change('in_1', 1_999)];
  const { told, listen, clock } = feedOf(rows);
  const end = listen();
  await vi.advanceTimersByTimeAsync(1_000);
  clock.at = at(-1_600);
  await vi.advanceTimersByTimeAsync(1_000);
  rows.push(change('in_2', -1_599));
  await vi.advanceTimersByTimeAsync(3_000);
  end();
  expect(told).toEqual(['in_1', 'in_2']);
});
