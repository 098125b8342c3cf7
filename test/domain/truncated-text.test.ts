import { expect, it, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { isStorableId, truncatedText } from '../../src/domain/truncated-text.ts';

test.each([
  ['x', true],
  ['x'.repeat(limits.idLength), true],
  ['x'.repeat(limits.idLength + 1), false],
  ['', false],
  ['a\0b', false],
  ['\ud83d', false],
  ['😀', true],
])('whether %j can be kept as an id: %s', (text, expected) => {
  expect(isStorableId(text)).toBe(expected);
});

it('a text is cut, and what the database refuses is replaced', () => {
  expect(truncatedText('x'.repeat(limits.messageLength + 1))).toHaveLength(limits.messageLength);
  expect(truncatedText('a\0b\ud83d')).toBe('a b\ufffd');
});
