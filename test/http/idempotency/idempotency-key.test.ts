import { expect, test } from 'vitest';
import { readIdempotencyKey } from '../../../src/http/idempotency/idempotency-key.ts';

test.each([
  ['8e03978e-40d5', '8e03978e-40d5'],
  ['"8e03978e-40d5"', '8e03978e-40d5'],
  ['a"b', 'a"b'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['~!', '~!'],
  ['k'.repeat(255), 'k'.repeat(255)],
  [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
])('%s is the key %s', (header, key) => {
  expect(readIdempotencyKey(header)).toEqual({ kind: 'key', key });
});

test.each([
  '',
  '""',
  '"',
  ' ',
  'a b',
  '"a b"',
  'a, b',
  '"a", "b"',
  '"a',
  '"a\\',
  '"a\\n"',
  '"a";p=1',
  'é',
  'a\tb',
  'k'.repeat(256),
  `"${'k'.repeat(256)}"`,
])('%j is no key', (header) => {
  expect(readIdempotencyKey(header)).toEqual({ kind: 'invalid' });
});

test('no header is no key', () => {
  expect(readIdempotencyKey(undefined)).toEqual({ kind: 'none' });
});
