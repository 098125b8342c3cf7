import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRinger } from '../../src/jobs/ringer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('rings at once, and once for all that rang while it rested', async () => {
  const sent: string[] = [];
  const ringer = createRinger<'a' | 'b'>(async (kind) => void sent.push(kind));
  for (let n = 0; n < 100; n += 1) ringer.ring('a');
  ringer.ring('b');
  expect(sent).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual(['a', 'b', 'a']);
  ringer.ring('a');
  expect(sent).toEqual(['a', 'b', 'a', 'a']);
});

it('rings again after one that failed', async () => {
  let calls = 0;
  const ringer = createRinger<'a'>(async () => {
    calls += 1;
    throw new Error('away');
  });
  ringer.ring('a');
  await vi.advanceTimersByTimeAsync(100);
  ringer.ring('a');
  await vi.advanceTimersByTimeAsync(100);
  expect(calls).toBe(2);
});

it('tells those who listen to a kind, and nobody of another', () => {
  const heard: string[] = [];
  const ringer = createRinger<'a' | 'b'>(async () => undefined);
  ringer.on('a', () => heard.push('first'));
  ringer.on('a', () => heard.push('second'));
  ringer.heard('b');
  expect(heard).toEqual([]);
  ringer.heard('a');
  expect(heard).toEqual(['first', 'second']);
});
