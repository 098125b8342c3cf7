import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { readStrictJson } from '../../../src/merchant/retry-status/strict-json.ts';

const read = (text: string) => readStrictJson(Buffer.from(text));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('strict JSON', () => {
  it('reads what has one meaning', () => {
    const text = ' {"a":[1,{"a":null}],"b":{"a":"\\"{,[","c":"\\\\"},"\\u0061b":true} ';
    expect(read(text)).toEqual({
      kind: 'json',
      value: { a: [1, { a: null }], b: { a: '"{,[', c: '\\' }, ab: true },
    });
  });

  it.each([
    ['a key twice', '{"retry":false,"retry":true}', 'a key stands twice or is not allowed'],
    ['a key twice, escaped', '{"retry":1,"\\u0072etry":2}', 'a key stands twice'],
    ['a key twice, deep', '{"a":[{"b":1,"c":{"d":[]},"b":2}]}', 'a key stands twice'],
    ['a prototype', '{"__proto__":{"retry":true}}', 'not allowed'],
    ['NUL', '{"a":"\\u0000"}', 'not Unicode text'],
    ['NUL in a key', '{"\\u0000":1}', 'not Unicode text'],
    ['half a surrogate pair', '["\\ud800"]', 'not Unicode text'],
    ['half of JSON', '{"retry":tr', 'it is not JSON'],
    ['nothing', '', 'it is not JSON'],
    ['two values', '{} {}', 'it is not JSON'],
    ['not a number', '{"amount":NaN}', 'it is not JSON'],
    ['a comment', '{} // yes', 'it is not JSON'],
  ])('refuses %s', (_words, text, fault) => {
    const reading = read(text);
    expect(reading.kind === 'fault' && reading.fault).toContain(fault);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(readStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
      fault: 'it is not UTF-8',
    });
    const utf16 = Buffer.from('{"retry":true}', 'utf16le');
    expect(readStrictJson(utf16).kind).toBe('fault');
  });

  it('limits the nesting', () => {
    expect(read(nested(limits.requestBodyDepth)).kind).toBe('json');
    expect(read(nested(limits.requestBodyDepth + 1)).kind).toBe('fault');
    expect(read(nested(30_000)).kind).toBe('fault');
  });

  it('agrees with JSON.parse on every value that is written plainly', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const reading = read(text);
        const isOdd = text.includes('\\u0000') || text.includes('"__proto__"');
        expect(reading).toEqual(
          isOdd ? expect.anything() : { kind: 'json', value: JSON.parse(text) },
        );
      }),
    );
  });

  it('never throws and never quotes the bytes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const reading = read(`canary${text}`);
        expect(JSON.stringify(reading)).not.toContain('canary');
      }),
    );
  });
});
