import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { present } from '../../src/domain/present.ts';
import { groupCommit } from '../../src/store/group-commit.ts';

/** Batches in memory, each of which ends when the test says so. */
function batches(
  options: {
    maxBatchSize?: number;
    maxInFlight?: number;
    beside?: { minItems: number; afterMs: number };
  } = {},
) {
  const begun: (readonly number[])[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const commit = groupCommit<number, string>({
    run: (items) => {
      begun.push(items);
      return new Promise((resolve, reject) => {
        ends.push({ resolve: () => resolve(items.map((item) => `done ${item}`)), reject });
      });
    },
    maxBatchSize: options.maxBatchSize ?? 100,
    maxInFlight: options.maxInFlight ?? 1,
    ...present({ beside: options.beside }),
  });
  return { commit, begun, ends };
}

const turn = () => new Promise(setImmediate);

describe('items that arrive together', () => {
  it('share a batch, and each gets its own result', async () => {
    const { commit, begun, ends } = batches();
    const results = Promise.all([commit(1), commit(2), commit(3)]);
    await turn();
    expect(begun).toEqual([[1, 2, 3]]);
    ends[0]?.resolve();
    expect(await results).toEqual(['done 1', 'done 2', 'done 3']);
  });

  it('wait for the batch on its way, and then go together', async () => {
    const { commit, begun, ends } = batches();
    const first = commit(1);
    await turn();
    const others = [commit(2), commit(3)];
    await turn();
    const last = commit(4);
    await turn();
    expect(begun).toEqual([[1]]);
    ends[0]?.resolve();
    await first;
    await turn();
    expect(begun).toEqual([[1], [2, 3, 4]]);
    ends[1]?.resolve();
    expect(await Promise.all([...others, last])).toEqual(['done 2', 'done 3', 'done 4']);
  });

  it('fill no batch beyond its most, and go in as many at once as may', async () => {
    const { commit, begun } = batches({ maxBatchSize: 2, maxInFlight: 2 });
    for (const item of [1, 2, 3, 4, 5]) void commit(item);
    await turn();
    expect(begun).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('go beside another batch only when they are enough', async () => {
    const beside = { minItems: 3, afterMs: 60_000 };
    const { commit, begun, ends } = batches({ maxInFlight: 2, beside });
    for (const item of [1, 2, 3]) {
      void commit(item);
      await turn();
    }
    expect(begun).toEqual([[1]]);
    const last = commit(4);
    await turn();
    expect(begun).toEqual([[1], [2, 3, 4]]);
    void commit(5);
    ends[1]?.resolve();
    await last;
    await turn();
    expect(begun).toEqual([[1], [2, 3, 4]]);
    ends[0]?.resolve();
    await vi.waitUntil(() => begun.length === 3);
    expect(begun).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('go beside a batch that is slow as if it were not there, and beside no more than may', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const beside = { minItems: 100, afterMs: 50 };
    const { commit, begun, ends } = batches({ maxInFlight: 2, beside });
    void commit(1);
    await turn();
    const second = commit(2);
    await turn();
    vi.advanceTimersByTime(49);
    expect(begun).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    expect(begun).toEqual([[1], [2]]);
    void commit(3);
    vi.advanceTimersByTime(1_000);
    await turn();
    expect(begun).toEqual([[1], [2]]);
    ends[1]?.resolve();
    await second;
    await turn();
    expect(begun).toEqual([[1], [2], [3]]);
    // The slow one is over: what is left is waited for again.
    ends[0]?.resolve();
    await turn();
    void commit(4);
    await turn();
    expect(begun).toEqual([[1], [2], [3]]);
  });

  it('do not make a lone caller wait for others', async () => {
    const { commit, begun, ends } = batches();
    const only = commit(7);
    await turn();
    expect(begun).toEqual([[7]]);
    ends[0]?.resolve();
    expect(await only).toBe('done 7');
  });
});

describe('a batch that fails', () => {
  it('fails each of its items, and none of the next batch', async () => {
    const { commit, ends } = batches();
    const lost = [commit(1), commit(2)];
    const settled = Promise.allSettled(lost);
    await turn();
    const next = commit(3);
    ends[0]?.reject(new Error('away'));
    expect(await settled).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await turn();
    ends[1]?.resolve();
    expect(await next).toBe('done 3');
  });

  it('is tried item by item where the fault may be one item’s own', async () => {
    const runs: (readonly number[])[] = [];
    const commit = groupCommit<number, number>({
      run: async (items) => {
        runs.push(items);
        if (items.includes(2)) throw new Error('2 is bad');
        return items.map((item) => item * 10);
      },
      maxBatchSize: 100,
      maxInFlight: 1,
      isolate: () => true,
    });
    const results = await Promise.allSettled([commit(1), commit(2), commit(3)]);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 10 },
      { status: 'rejected', reason: new Error('2 is bad') },
      { status: 'fulfilled', value: 30 },
    ]);
    expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('is not tried again where the fault is everybody’s', async () => {
    let runs = 0;
    const commit = groupCommit<number, number>({
      run: () => {
        runs += 1;
        throw new Error('the database is away');
      },
      maxBatchSize: 100,
      maxInFlight: 1,
      isolate: (error) => !(error instanceof Error && error.message.includes('away')),
    });
    const results = await Promise.allSettled([commit(1), commit(2)]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
  });
});

it('every item is run exactly once and gets its own answer, whatever arrives when', async () => {
  const plans = fc.record({
    // So many turns before each item arrives.
    gaps: fc.array(fc.nat(3), { maxLength: 60 }),
    // So many turns that each batch takes.
    times: fc.array(fc.nat(4), { minLength: 1, maxLength: 10 }),
    maxBatchSize: fc.integer({ min: 1, max: 8 }),
    maxInFlight: fc.integer({ min: 1, max: 3 }),
    beside: fc.option(fc.record({ minItems: fc.integer({ min: 1, max: 9 }), afterMs: fc.nat(2) })),
    bad: fc.uniqueArray(fc.nat(59), { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ gaps, times, maxBatchSize, maxInFlight, beside, bad }) => {
      const committed: number[] = [];
      let inFlight = 0;
      let batch = 0;
      const commit = groupCommit<number, number>({
        run: async (items) => {
          inFlight += 1;
          expect(inFlight).toBeLessThanOrEqual(maxInFlight);
          expect(items.length).toBeLessThanOrEqual(maxBatchSize);
          for (let left = times[batch++ % times.length] ?? 0; left > 0; left -= 1) await turn();
          inFlight -= 1;
          if (items.some((item) => bad.includes(item))) throw new Error('bad');
          committed.push(...items);
          return items;
        },
        maxBatchSize,
        maxInFlight,
        ...present({ beside: beside ?? undefined }),
        isolate: () => true,
      });
      const results: Promise<number>[] = [];
      for (const [item, gap] of gaps.entries()) {
        for (let left = gap; left > 0; left -= 1) await turn();
        results.push(commit(item));
        results.at(-1)?.catch(() => undefined);
      }
      const settled = await Promise.allSettled(results);
      for (const [item, result] of settled.entries()) {
        if (bad.includes(item)) expect(result.status).toBe('rejected');
        else expect(result).toEqual({ status: 'fulfilled', value: item });
      }
      const good = gaps.map((_, item) => item).filter((item) => !bad.includes(item));
      expect(committed.toSorted((a, b) => a - b)).toEqual(good);
    }),
    { numRuns: 60 },
  );
});
