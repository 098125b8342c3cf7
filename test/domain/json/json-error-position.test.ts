import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonErrorPosition } from '../../../src/domain/json/json-error-position.ts';

/** Texts with the `pos` of the JSONDecodeError that Python 3.11 raises for each. */
const positions: readonly (readonly [text: string, position: number])[] = [
  ['', 0],
  ['  ', 2],
  ['nul', 0],
  ['x', 0],
  ['{', 1],
  ['{ ', 2],
  ['{a:1}', 1],
  ['{"a"', 4],
  ['{"a" 1}', 5],
  ['{"a":}', 5],
  ['{"a":1,}', 7],
  ['{"a":1 "b":2}', 7],
  ['{"a":1', 6],
  ['[', 1],
  ['[1,', 3],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['1 2', 2],
  ['{} {}', 3],
  ['01', 1],
  ['1.', 1],
  ['1e', 1],
  ['-', 0],
  ['"a', 0],
  ['["a', 1],
  ['"a\\', 0],
  ['"\\x"', 1],
  ['"\\u12"', 2],
  ['"\\u1234', 2],
  ['"\\u12g4"', 2],
  ['"a\nb"', 2],
  ['{"a":"\u0001"}', 6],
  ['["😀" x]', 5],
  ['{"é😀":tru}', 6],
];

describe('the position at which a text stops being JSON', () => {
  it.each(positions)('of %j is %i', (text, position) => {
    expect(jsonErrorPosition(text)).toBe(position);
  });

  it.each(['NaN', 'Infinity', '-Infinity'])('counts %s as no value', (word) => {
    expect(jsonErrorPosition(`{"a":${word}}`)).toBe(5);
  });

  it('is none exactly where JSON.parse reads it', () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '0', 'e', ' '))
      .map(([text, at, sign]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + sign + text.slice(index + 1);
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.json(), fc.string()), (text) => {
        expect(jsonErrorPosition(text) === undefined).toBe(isJson(text));
      }),
    );
  });

  it('is found at any depth', () => {
    expect(jsonErrorPosition('['.repeat(60_000))).toBe(60_000);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
