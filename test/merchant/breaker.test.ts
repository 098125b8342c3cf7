import { expect, test } from 'vitest';
import { addMs } from '../../src/domain/clock.ts';
import { Breaker } from '../../src/merchant/breaker.ts';

function breakerAt() {
  const clock = { at: new Date('2026-06-02T00:00:00Z'), now: () => clock.at };
  const breaker = new Breaker(clock);
  const fail = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      await breaker.admit('a');
      breaker.ended('a', false);
    }
  };
  return { breaker, fail, pass: (ms: number) => (clock.at = addMs(clock.at, ms)) };
}

test('after five calls in a row without an answer a server is left alone for ten seconds', async () => {
  const { breaker, fail, pass } = breakerAt();
  await fail(4);
  expect(await breaker.admit('a')).toEqual({ kind: 'ask' });
  breaker.ended('a', false);
  expect(await breaker.admit('a')).toEqual({ kind: 'open', leftMs: 10_000 });
  expect(await breaker.admit('b')).toEqual({ kind: 'ask' });
  pass(9_999);
  expect((await breaker.admit('a')).kind).toBe('open');
  pass(1);
  expect((await breaker.admit('a')).kind).toBe('ask');
});

test('an answer in between begins the count anew', async () => {
  const { breaker, fail } = breakerAt();
  await fail(4);
  breaker.ended('a', true);
  await fail(4);
  expect((await breaker.admit('a')).kind).toBe('ask');
});

test('one call tries it again, and the others wait for how it ends', async () => {
  const { breaker, fail, pass } = breakerAt();
  await fail(5);
  pass(10_000);
  expect((await breaker.admit('a')).kind).toBe('ask');
  const others = [breaker.admit('a'), breaker.admit('a')];
  breaker.ended('a', true);
  expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(['ask', 'ask']);
});

test('a try without an answer leaves it alone for twice as long, up to a minute', async () => {
  const { breaker, fail, pass } = breakerAt();
  await fail(5);
  for (const leftMs of [20_000, 40_000, 60_000, 60_000]) {
    pass(60_000);
    expect((await breaker.admit('a')).kind).toBe('ask');
    const other = breaker.admit('a');
    breaker.ended('a', false);
    expect(await other).toEqual({ kind: 'open', leftMs });
  }
});

test('a clock that is set back an hour leaves no server alone for that hour', async () => {
  const { breaker, fail, pass } = breakerAt();
  await fail(5);
  pass(-3_600_000);
  expect((await breaker.admit('a')).kind).toBe('ask');
  breaker.ended('a', false);
  expect(await breaker.admit('a')).toEqual({ kind: 'open', leftMs: 20_000 });
});
