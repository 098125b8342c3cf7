import { describe, expect, it } from 'vitest';
import { TtlCache } from '../../../src/recovery/admin/ttl-cache.ts';

/** A cache over loads that a test answers by hand. */
function cacheWith(input: { ttlMs?: number; max?: number } = {}) {
  let nowMs = 1_000_000;
  const loads: { key: string; answer: PromiseWithResolvers<string | undefined> }[] = [];
  const cache = new TtlCache<string>(
    {
      clock: { now: () => new Date(nowMs) },
      load(key) {
        const answer = Promise.withResolvers<string | undefined>();
        loads.push({ key, answer });
        return answer.promise;
      },
    },
    { ttlMs: input.ttlMs ?? 1_000, max: input.max ?? 100 },
  );
  return {
    cache,
    loads,
    passMs(ms: number) {
      nowMs += ms;
    },
    /** Gets a key, answering the load that this starts, if any. */
    async read(key: string, value: string | undefined): Promise<string | undefined> {
      const before = loads.length;
      const got = cache.get(key);
      if (loads.length > before) loads.at(-1)?.answer.resolve(value);
      return await got;
    },
  };
}

describe('the cache', () => {
  it('answers from memory within its time, and loads again after it', async () => {
    const { read, loads, passMs } = cacheWith();
    expect(await read('a', 'one')).toBe('one');
    passMs(999);
    expect(await read('a', 'two')).toBe('one');
    expect(loads).toHaveLength(1);
    passMs(1);
    expect(await read('a', 'two')).toBe('two');
  });

  it('loads once for those who ask at the same time', async () => {
    const { cache, loads } = cacheWith();
    const asked = [cache.get('a'), cache.get('a'), cache.get('a')];
    loads[0]?.answer.resolve('one');
    expect(await Promise.all(asked)).toEqual(['one', 'one', 'one']);
    expect(loads).toHaveLength(1);
  });

  it('counts the age from the beginning of the load', async () => {
    const { cache, loads, passMs } = cacheWith();
    const asked = cache.get('a');
    passMs(1_000);
    loads[0]?.answer.resolve('one');
    expect(await asked).toBe('one');
    void cache.get('a');
    expect(loads).toHaveLength(2);
  });

  it('remembers what is absent too', async () => {
    const { read, loads } = cacheWith();
    expect(await read('a', undefined)).toBeUndefined();
    expect(await read('a', 'one')).toBeUndefined();
    expect(loads).toHaveLength(1);
  });

  it('does not remember a load that failed', async () => {
    const { cache, loads, read } = cacheWith();
    const asked = cache.get('a');
    loads[0]?.answer.reject(new Error('away'));
    await expect(asked).rejects.toThrow('away');
    expect(await read('a', 'one')).toBe('one');
  });

  it('never keeps more than its bound, the latest of them', async () => {
    const { read, loads } = cacheWith({ max: 2 });
    for (const key of ['a', 'b', 'c']) await read(key, key);
    await read('b', 'b');
    await read('c', 'c');
    expect(loads.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await read('a', 'a');
    expect(loads.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a']);
  });

  it('keeps what it found through a flood of unknown keys', async () => {
    const { read, loads } = cacheWith({ max: 10 });
    await read('good', 'one');
    for (let index = 0; index < 1_000; index += 1) await read(`bad ${index}`, undefined);
    const before = loads.length;
    expect(await read('good', 'two')).toBe('one');
    expect(loads).toHaveLength(before);
  });

  it('forgets what matches and keeps the rest', async () => {
    const { cache, read } = cacheWith();
    await read('a', 'one');
    await read('b', 'one');
    cache.forget((key) => key === 'a');
    expect(await read('a', 'two')).toBe('two');
    expect(await read('b', 'two')).toBe('one');
  });

  it('does not keep what a load read before it was told to forget', async () => {
    const { cache, loads, read } = cacheWith();
    const early = cache.get('a');
    cache.forget((key) => key === 'a');
    const late = read('a', 'after');
    expect(await late).toBe('after');
    loads[0]?.answer.resolve('before');
    expect(await early).toBe('before');
    expect(await read('a', 'again')).toBe('after');
  });

  it('loads again when the clock has been set back', async () => {
    const { read, passMs } = cacheWith();
    await read('a', 'one');
    passMs(-1);
    expect(await read('a', 'two')).toBe('two');
  });
});
