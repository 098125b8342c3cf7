import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../src/domain/clock.ts';
import { inBatches, type JobContext, nextRunAt } from '../../src/jobs/background-job.ts';

const context = (signal = new AbortController().signal): JobContext & { seen: number[] } => {
  const seen: number[] = [];
  return { at: new Date(0), signal, progress: (done) => void seen.push(done), seen };
};

describe('the next run', () => {
  it('is at the next multiple of the period, never at the present one', () => {
    expect(nextRunAt(6 * hourMs, new Date('2026-03-01T05:59:59.999Z'))).toEqual(
      new Date('2026-03-01T06:00:00Z'),
    );
    expect(nextRunAt(6 * hourMs, new Date('2026-03-01T06:00:00Z'))).toEqual(
      new Date('2026-03-01T12:00:00Z'),
    );
    expect(nextRunAt(dayMs, new Date('2026-03-01T00:00:00.001Z'))).toEqual(
      new Date('2026-03-02T00:00:00Z'),
    );
  });

  it('is within one period after any instant', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 * dayMs }),
        fc.integer({ min: 0, max: 4e12 }),
        (everyMs, atMs) => {
          const next = nextRunAt(everyMs, new Date(atMs)).getTime();
          expect(next % everyMs).toBe(0);
          expect(next - atMs).toBeGreaterThan(0);
          expect(next - atMs).toBeLessThanOrEqual(everyMs);
        },
      ),
    );
  });
});

describe('work in batches', () => {
  it('goes on until a batch is empty, and says how far it is', async () => {
    const batches = [1_000, 1_000, 17, 0, 5];
    const given = context();
    expect(await inBatches(given, async () => batches.shift() ?? 0)).toBe(2_017);
    expect(given.seen).toEqual([1_000, 2_000, 2_017]);
    expect(batches).toEqual([5]);
  });

  it('ends between two batches when the run has to end', async () => {
    const ending = new AbortController();
    const given = context(ending.signal);
    const work = inBatches(given, async () => {
      if (given.seen.length === 1) ending.abort(new Error('stops'));
      return 10;
    });
    await expect(work).rejects.toThrow('stops');
    expect(given.seen).toEqual([10, 20]);
  });
});
