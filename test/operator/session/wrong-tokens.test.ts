import { expect, it } from 'vitest';
import { addMs, hourMs } from '../../../src/domain/clock.ts';
import { maxTries, WrongTokens } from '../../../src/operator/session/wrong-tokens.ts';

it('a clock that is set back an hour leaves nobody unheard, and nothing unnoted, for that hour', () => {
  const tokens = new WrongTokens();
  const at = new Date('2026-06-02T00:00:00Z');
  for (let n = 0; n < maxTries; n += 1) tokens.add('192.0.2.1', at);
  for (let n = 0; n < 100; n += 1) tokens.add(`192.0.3.${n}`, at);
  expect(tokens.add('192.0.2.1', at)).toEqual({ count: 11, waitSeconds: 60, isNoted: false });
  expect(tokens.add('192.0.2.1', addMs(at, -hourMs))).toEqual({ count: 1, isNoted: true });
});
