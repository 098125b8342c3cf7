import { describe, expect, it } from 'vitest';
import {
  codeOf,
  fieldsOf,
  idOf,
  listOf,
  parsedFields,
  retryAfterMs,
  textOf,
  timeOf,
} from '../../src/psp/answer-fields.ts';

describe('what a PSP sent is', () => {
  it('an object, or nothing', () => {
    expect(fieldsOf({ a: 1 })).toEqual({ a: 1 });
    for (const value of [null, undefined, [], 'x', 1, true])
      expect(fieldsOf(value)).toBeUndefined();
  });

  it('a JSON object as text, or nothing', () => {
    expect(parsedFields('{"a":1}')).toEqual({ a: 1 });
    for (const text of ['', '{', '[]', 'null', '1']) expect(parsedFields(text)).toBeUndefined();
  });

  it('a text that is not empty, or nothing', () => {
    expect(textOf('a')).toBe('a');
    for (const value of ['', 1, null, {}]) expect(textOf(value)).toBeUndefined();
  });

  it('a list of objects, with an empty one for what is none', () => {
    expect(listOf([{ a: 1 }, 'x', null])).toEqual([{ a: 1 }, {}, {}]);
    for (const value of [undefined, {}, 'ab']) expect(listOf(value)).toEqual([]);
  });

  it('a time, or nothing', () => {
    expect(timeOf('2026-11-02T09:00:00Z')).toEqual(new Date('2026-11-02T09:00:00Z'));
    for (const value of ['', 'soon', 0, 1_000, null]) expect(timeOf(value)).toBeUndefined();
  });

  it('an id of at most 255 characters, or nothing', () => {
    expect(idOf('x'.repeat(255))).toBe('x'.repeat(255));
    for (const value of ['x'.repeat(256), '', 7]) expect(idOf(value)).toBeUndefined();
  });

  it('a code of at most 64 letters, digits, dots and lines, whole, or nothing', () => {
    for (const code of ['a', 'A_1.b-2', 'x'.repeat(64)]) expect(codeOf(code)).toBe(code);
    for (const value of ['', 'x'.repeat(65), 'a b', ' a', 'a\n', 'a<', '<a', 5]) {
      expect(codeOf(value)).toBeUndefined();
    }
  });

  it('a wait in whole seconds of at most six digits, or nothing', () => {
    const wait = (value?: string) =>
      retryAfterMs(value === undefined ? {} : { 'retry-after': value });
    expect([wait('0'), wait('30'), wait('999999')]).toEqual([0, 30_000, 999_999_000]);
    for (const value of [undefined, '', '1000000', '-1', '1.5', '3 s', 's 3', 'Mon, 02 Nov 2026']) {
      expect(wait(value)).toBeUndefined();
    }
  });
});
