import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import { startJobLook } from '../../src/jobs/job-look.ts';
import { databaseFault } from '../../src/store/database-fault.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const atRest = { name: 'daily', is_due: false, is_active: false, is_stuck: false };

/** Looks at rows that the test says, and when; `told` are the workers that were rung. */
function look({ withRings = true } = {}) {
  const begunMs = Date.now();
  const looks: number[] = [];
  const told: string[] = [];
  const warnings: unknown[] = [];
  let failure: unknown;
  let rows: readonly object[] = [{ ...atRest, next_in_ms: 86_400_000 }];
  const boss = {
    getDb: () => ({
      async executeSql() {
        looks.push(Date.now() - begunMs);
        if (failure !== undefined) throw failure;
        return { rows };
      },
    }),
    notifyWorker: (id: string) => void told.push(id),
  } as unknown as PgBoss;
  const rings = { ring: () => undefined, on: () => undefined };
  const own = startJobLook(
    {
      log: { info() {}, warn: (...line) => void warnings.push(line), error() {} },
      databaseFault,
      ...(withRings && { rings }),
    },
    { boss, schema: 'pgboss', workers: new Map([['daily', 'worker-1']]) },
  );
  const say = (...next: readonly object[]) => {
    rows = next;
  };
  const fail = (error: unknown) => {
    failure = error;
  };
  return { own, looks, told, warnings, say, fail };
}

it('rests for ten seconds while no run is near', async () => {
  const { own, looks } = look();
  await vi.advanceTimersByTimeAsync(33_000);
  expect(looks).toEqual([2_000, 12_000, 22_000, 32_000]);
  await own.stop();
});

it('looks when the next run falls due, and rings its worker', async () => {
  const { own, looks, told, say } = look();
  say({ ...atRest, next_in_ms: 5_000 });
  await vi.advanceTimersByTimeAsync(6_999);
  say({ ...atRest, is_due: true, next_in_ms: null });
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect([looks, told]).toEqual([[2_000, 7_000], ['worker-1']]);
  await own.stop();
});

it('looks each two seconds while a run is due or under way, and where nobody rings', async () => {
  const { own, looks, say } = look();
  say({ ...atRest, is_active: true, next_in_ms: null });
  await vi.advanceTimersByTimeAsync(5_000);
  say({ ...atRest, is_due: true, next_in_ms: null });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(looks).toEqual([2_000, 4_000, 6_000, 8_000]);
  await own.stop();
  const alone = look({ withRings: false });
  await vi.advanceTimersByTimeAsync(7_000);
  expect(alone.looks).toEqual([2_000, 4_000, 6_000]);
  await alone.own.stop();
});

it('looks at once where somebody rings, and rests anew', async () => {
  const { own, looks } = look();
  await vi.advanceTimersByTimeAsync(5_000);
  own.now();
  await vi.advanceTimersByTimeAsync(10_500);
  expect(looks).toEqual([2_000, 5_000, 15_000]);
  await own.stop();
  own.now();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toHaveLength(3);
});

it.each([
  [failed('57P01', 'terminating connection due to administrator command'), 'database_unreachable'],
  [failed('53300', 'sorry, too many clients already'), 'database_connections_exhausted'],
  [new Error('Connection terminated unexpectedly'), 'database_unreachable'],
  [{ message: 'Connection terminated unexpectedly' }, 'database_unreachable'],
] as const)(
  'says what keeps it from looking as everything else does, and once: %s',
  async (error, code) => {
    const { own, looks, warnings, fail } = look();
    fail(error);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(looks).toHaveLength(3);
    const words = new AppError(code).message;
    expect(warnings).toEqual([[{ error: words }, 'due jobs could not be looked for']]);
    await own.stop();
  },
);

function failed(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code });
}
