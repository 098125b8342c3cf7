import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileQuery } from '../../src/http/check-query.ts';
import { compileSchema } from '../../src/http/check-schema.ts';

const schema = Type.Object({
  name: Type.String({ minLength: 2, maxLength: 3 }),
  kind: Type.Optional(Type.Enum(['a', 'b'], { type: 'string' })),
  only: Type.Optional(Type.Enum(['one'])),
  code: Type.Optional(Type.String({ pattern: '^x$', 'x-fault': 'Input should be an x' })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  parts: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), on: Type.Boolean() }), {
      minItems: 1,
      maxItems: 2,
    }),
  ),
  any: Type.Optional(Type.Unsafe({ type: 'object' })),
  either: Type.Optional(Type.Unsafe({ type: ['string', 'number'] })),
});

function lines(value: unknown): readonly string[] {
  return compileSchema(schema)(value).map((fault) => `${fault.at}: ${fault.text}`);
}

describe('the texts of faults', () => {
  test.each([
    [{}, ['name: Field required']],
    [{ name: 1 }, ['name: Input should be a valid string']],
    [{ name: null }, ['name: Input should be a valid string']],
    [{ name: 'a' }, ['name: String should have at least 2 characters']],
    [{ name: 'abcd' }, ['name: String should have at most 3 characters']],
    [{ name: 'ab', kind: 'c' }, ["kind: Input should be 'a' or 'b'"]],
    [{ name: 'ab', kind: 7 }, ["kind: Input should be 'a' or 'b'"]],
    [{ name: 'ab', only: 'two' }, ["only: Input should be 'one'"]],
    [{ name: 'ab', code: 'y' }, ['code: Input should be an x']],
    [{ name: 'ab', code: 5 }, ['code: Input should be a valid string']],
    [{ name: 'ab', count: 0 }, ['count: Input should be greater than or equal to 1']],
    [{ name: 'ab', count: 10 }, ['count: Input should be less than or equal to 9']],
    [{ name: 'ab', count: 1.5 }, ['count: Input should be a valid integer']],
    [{ name: 'ab', parts: {} }, ['parts: Input should be a valid array']],
    [{ name: 'ab', parts: [] }, ['parts: List should have at least 1 item']],
    [{ name: 'ab', any: [] }, ['any: Input should be a valid object']],
    [{ name: 'ab', either: true }, ['either: Input should be a valid string or number']],
    [[], ['body: Input should be a valid object']],
    [null, ['body: Input should be a valid object']],
    ['x', ['body: Input should be a valid object']],
  ])('%j', (value, expected) => {
    expect(lines(value)).toEqual(expected);
  });

  test('a body of which something has to change names what may', () => {
    const change = Type.Partial(Type.Object({ name: Type.String(), role: Type.String() }), {
      minProperties: 1,
    });
    expect(compileSchema(change)({})).toEqual([
      { at: 'body', text: "Input should have 1 or more of 'name' and 'role'" },
    ]);
    expect(compileSchema(change)({ role: 'viewer' })).toEqual([]);
  });

  test('a character outside the basic plane counts as one', () => {
    expect(lines({ name: '😀😀😀' })).toEqual([]);
  });
});

test('faults come in the order of declaration, whatever the order of the members', () => {
  const value = { parts: [{ on: 1 }, { id: 2 }], count: 'x', kind: 'z' };
  expect(lines(value)).toEqual([
    'name: Field required',
    "kind: Input should be 'a' or 'b'",
    'count: Input should be a valid integer',
    'parts.0.id: Field required',
    'parts.0.on: Input should be a valid boolean',
    'parts.1.id: Input should be a valid string',
    'parts.1.on: Field required',
  ]);
});

test('faults of rules are sorted among the others', () => {
  const check = compileSchema(schema, () => [{ at: 'kind', text: 'is out of fashion' }]);
  expect(check({ count: 0 }, undefined).map((fault) => fault.at)).toEqual([
    'name',
    'kind',
    'count',
  ]);
});

test('an over-long list is one fault, and only its beginning is judged', () => {
  const parts = Array.from({ length: 30_000 }, () => 0);
  expect(lines({ name: 'ab', parts })).toEqual([
    'parts: List should have at most 2 items',
    'parts.0: Input should be a valid object',
    'parts.1: Input should be a valid object',
  ]);
});

test('members that are not declared are removed, except in objects of any shape', () => {
  const value = {
    name: 'ab',
    card_number: '4242',
    parts: [{ id: 'x', on: true, cvc: '123' }],
    any: { kept: { as: 'it is' } },
  };
  expect(compileSchema(schema)(value)).toEqual([]);
  expect(value).toEqual({
    name: 'ab',
    parts: [{ id: 'x', on: true }],
    any: { kept: { as: 'it is' } },
  });
});

describe('a query', () => {
  const check = compileQuery(
    Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      name: Type.Optional(Type.String({ minLength: 1 })),
    }),
  );

  test('gives integers as numbers and ignores what is not declared', () => {
    expect(check({ limit: '20', name: '5', other: ['a', 'b'] })).toEqual({
      kind: 'query',
      query: { limit: 20, name: '5' },
    });
  });

  test.each([
    [{ limit: 'ten' }, 'limit', 'Input should be a valid integer'],
    [{ limit: '1e1' }, 'limit', 'Input should be a valid integer'],
    [{ limit: '-1' }, 'limit', 'Input should be a valid integer'],
    [{ limit: '' }, 'limit', 'Input should be a valid integer'],
    [{ limit: '0' }, 'limit', 'Input should be greater than or equal to 1'],
    [{ limit: '201' }, 'limit', 'Input should be less than or equal to 200'],
    [{ name: ['a', 'b'] }, 'name', 'Parameter given more than once'],
    [{ name: '' }, 'name', 'String should have at least 1 character'],
    [{ name: 'a\0b' }, 'name', 'String should not contain NUL characters'],
  ])('refuses %j', (query, at, text) => {
    expect(check(query)).toEqual({ kind: 'faults', faults: [{ at, text }] });
  });
});

test('a schema is compiled when the first value is checked, and one with a slip is refused then', () => {
  const check = compileSchema(Type.Unsafe<string>({ type: 'string', maxLenght: 3 }));
  expect(() => check('four')).toThrow('maxLenght');
});
