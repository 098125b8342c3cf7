import { expect, it } from 'vitest';
import { createJumpWatch } from '../../../src/jobs/time/jump-watch.ts';

function watch() {
  let monoMs = 0;
  let wallMs = Date.parse('2026-03-01T12:00:00.000Z');
  const look = createJumpWatch({
    wall: { now: () => new Date(wallMs) },
    elapsedMs: () => monoMs,
  });
  return (pass: { readonly monoMs: number; readonly wallMs: number }) => {
    monoMs += pass.monoMs;
    wallMs += pass.wallMs;
    return look();
  };
}

it.each([
  ['time that passes on both', { monoMs: 5_000, wallMs: 5_000 }, undefined],
  ['a second more on one of them', { monoMs: 1_000, wallMs: 2_000 }, undefined],
  ['more than that', { monoMs: 1_000, wallMs: 2_001 }, { byMs: 1_001, afterMs: 1_000 }],
  ['a wall clock set back', { monoMs: 10, wallMs: -60_000 }, { byMs: -60_010, afterMs: 10 }],
  ['a process that stood still', { monoMs: 5_001, wallMs: 5_001 }, { byMs: 0, afterMs: 5_001 }],
])('judges %s', (_what, pass, jump) => {
  expect(watch()(pass)).toEqual(jump);
});

it('judges each look by the one before it', () => {
  const pass = watch();
  expect(pass({ monoMs: 1_000, wallMs: 90_000 })).toBeDefined();
  expect(pass({ monoMs: 1_000, wallMs: 1_000 })).toBeUndefined();
});
