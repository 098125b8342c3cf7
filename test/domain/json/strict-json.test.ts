import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStrictJson } from '../../../src/domain/json/strict-json.ts';
import { limits } from '../../../src/domain/limits.ts';

function read(text: string) {
  return readStrictJson(Buffer.from(text));
}

/** The faults of a text as `location: text` lines; none for a text that is read. */
function faultsOf(text: string): readonly string[] {
  const result = read(text);
  return result.kind === 'value' ? [] : result.faults.map((fault) => `${fault.at}: ${fault.text}`);
}

const twice = 'Field given more than once';
const tooLarge = 'Number is too large to be kept exactly; send it as a string';
const nul = 'String should not contain NUL characters';
const lone = 'String should not contain lone surrogates';

describe('refuses', () => {
  test.each([
    ['an empty body', '', ['body: Field required']],
    ['a byte order mark', '\ufeff{}', ['body: Input should be valid JSON']],
    ['half a JSON text', '{"a":', ['body: Input should be valid JSON']],
    ['text after the value', '{} {}', ['body: Input should be valid JSON']],
    ['an unescaped NUL', '{"a":"\0"}', ['body: Input should be valid JSON']],
    ['single quotes', "{'a':1}", ['body: Input should be valid JSON']],
    ['a trailing comma', '[1,]', ['body: Input should be valid JSON']],
    ['NaN', '{"a":NaN}', ['body: Input should be valid JSON']],
    ['a member twice', '{"a":1,"a":2}', [`a: ${twice}`]],
    ['a member three times, once', '{"a":1,"a":2,"a":3}', [`a: ${twice}`]],
    ['a member twice by its escape', '{"ab":1,"a\\u0062":2}', [`ab: ${twice}`]],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', [`__proto__: ${twice}`]],
    [
      'members twice at any depth',
      '[{"b":{"c":1,"c":{"d":1,"d":2}}}]',
      [`0.b.c: ${twice}`, `0.b.c.d: ${twice}`],
    ],
    ['an escaped NUL', '{"a":["\\u0000"]}', [`a.0: ${nul}`]],
    ['an escaped NUL in a name', '{"a\\u0000":1}', [`a\0: ${nul}`]],
    ['a lone surrogate', '{"a":"\\udC00x"}', [`a: ${lone}`]],
    ['a lone low surrogate after a pair', '{"a":"\\ud83d\\ude00\\ude00"}', [`a: ${lone}`]],
    ['two high surrogates', '{"a":"\\ud83d\\ud83d\\ude00"}', [`a: ${lone}`]],
    ['half a pair behind an escaped backslash', '{"a":"\\\\ud83d\\ude00"}', [`a: ${lone}`]],
    ['an integer beyond 2^53 - 1', '{"a":9007199254740992}', [`a: ${tooLarge}`]],
    ['a number beyond a double', '{"a":[-1e400]}', [`a.0: ${tooLarge}`]],
    [
      'a level too many',
      '['.repeat(33) + ']'.repeat(33),
      ['body: Input should be nested at most 32 levels deep'],
    ],
  ])('%s', (_name, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  test.each([
    ['UTF-16, little-endian', Buffer.from('{"a":1}', 'utf16le'), 'Input should be valid JSON'],
    ['UTF-16 with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'Input should be valid UTF-8'],
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1'), 'Input should be valid UTF-8'],
    ['an overlong sequence', Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'Input should be valid UTF-8'],
    [
      'a surrogate in UTF-8',
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      'Input should be valid UTF-8',
    ],
  ])('%s', (_name, bytes, text) => {
    expect(readStrictJson(bytes)).toEqual({ kind: 'faults', faults: [{ at: 'body', text }] });
  });

  test('a body of nothing but brackets without running out of stack', () => {
    expect(faultsOf('['.repeat(32_000) + ']'.repeat(32_000))).toHaveLength(1);
    expect(faultsOf(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)).toHaveLength(1);
  });
});

describe('reads', () => {
  test.each([
    ['a scalar', '7'],
    ['the deepest nesting', '['.repeat(32) + ']'.repeat(32)],
    ['the same name in two objects', '[{"a":1},{"a":{"a":2}}]'],
    ['colons, braces and quotes in strings', '{"a:":"{\\"b\\":[1,2]}","c":"\\\\"}'],
    ['an escaped pair of surrogates', '{"a":"\\ud83d\\ude00"}'],
    ['an escaped backslash before u0000', '{"a":"\\\\u0000"}'],
    ['an escaped letter', '{"a":"caf\\u00e9"}'],
    ['the largest exact integers', '[9007199254740991,-9007199254740991]'],
    ['numbers in every notation', '[-0,1.5e3,2E-2,0.1]'],
  ])('%s', (_name, text) => {
    expect(read(text)).toEqual({ kind: 'value', value: JSON.parse(text) });
  });

  test('a member called __proto__ without changing a prototype', () => {
    const result = read('{"__proto__":{"polluted":true}}');
    expect(result.kind).toBe('value');
    const value = result.kind === 'value' ? (result.value as object) : {};
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });
});

/** A JSON value before it is written, so that members can repeat and strings be ill-formed. */
type Node =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Node])[] };

const character = fc.constantFrom(
  ...['a', 'b', ':', '"', '\\', '{', '\0', '\ud83d', '\ude00', 'ud83d', 'u0000', '😀', 'é', '\n'],
);
const word = fc.string({ unit: character, maxLength: 3 });
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e300),
);

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({
      kind: fc.constant('scalar' as const),
      value: fc.oneof(word, number, fc.boolean(), fc.constant(null)),
    }),
    fc.record({
      kind: fc.constant('list' as const),
      items: fc.array(tie('node'), { maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('object' as const),
      members: fc.array(fc.tuple(word, tie('node')), { maxLength: 4 }),
    }),
  ),
}));

const space = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

/** As JSON, with everything outside ASCII escaped, as many writers do. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function written(value: Node, gap: string): string {
  if (value.kind === 'scalar') return quoted(value.value);
  if (value.kind === 'list') {
    return `[${gap}${value.items.map((item) => written(item, gap)).join(`${gap},${gap}`)}${gap}]`;
  }
  const members = value.members.map(
    ([name, member]) => `${quoted(name)}${gap}:${gap}${written(member, gap)}`,
  );
  return `{${gap}${members.join(`${gap},${gap}`)}${gap}}`;
}

function isClean(value: Node): boolean {
  if (value.kind === 'list') return value.items.every(isClean);
  if (value.kind === 'object') {
    const names = value.members.map(([name]) => name);
    return (
      new Set(names).size === names.length &&
      names.every(isCleanText) &&
      value.members.every(([, member]) => isClean(member))
    );
  }
  if (typeof value.value === 'string') return isCleanText(value.value);
  return typeof value.value !== 'number' || Math.abs(value.value) <= Number.MAX_SAFE_INTEGER;
}

function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function depthOf(value: Node): number {
  if (value.kind === 'scalar') return 0;
  const parts = value.kind === 'list' ? value.items : value.members.map(([, member]) => member);
  return 1 + Math.max(0, ...parts.map(depthOf));
}

describe('for any text', () => {
  test('reads exactly what has no member twice and nothing that cannot be kept', () => {
    fc.assert(
      fc.property(node, space, fc.nat(limits.requestBodyDepth + 2), (value, gap, levels) => {
        const wrapped = Array.from({ length: levels }).reduce<Node>(
          (inner) => ({ kind: 'list', items: [inner] }),
          value,
        );
        const text = written(wrapped, gap);
        const isGood = isClean(value) && depthOf(wrapped) <= limits.requestBodyDepth;
        const result = read(text);
        if (isGood) expect(result).toEqual({ kind: 'value', value: JSON.parse(text) });
        else expect(result.kind).toBe('faults');
      }),
      { numRuns: 2_000 },
    );
  });

  test('refuses whatever JSON.parse refuses, and throws for no bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((list) => Buffer.from(list)),
      fc
        .string({ unit: fc.constantFrom(...'{}[]":,\\u0e1-.tf '), maxLength: 30 })
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        const result = readStrictJson(body);
        if (result.kind === 'value') expect(result.value).toEqual(JSON.parse(body.toString()));
        else expect(result.faults.length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
