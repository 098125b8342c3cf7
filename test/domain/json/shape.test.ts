import { describe, expect, it } from 'vitest';
import { isObject } from '../../../src/domain/json/is-object.ts';
import { dropNulls, membersOf, type Shape } from '../../../src/domain/json/shape.ts';

const dropped = (shape: Shape, value: unknown) => {
  dropNulls(shape, value);
  return value;
};
const text = { type: 'string' };

describe('a member that is null', () => {
  it.each([
    ['a text', text, {}],
    ['a text or null', { type: ['string', 'null'] }, { a: null }],
    ['a text or a number', { type: ['string', 'number'] }, {}],
    ['null', { type: 'null' }, { a: null }],
    ['one of several', { oneOf: [] }, {}],
    ['any of several', { anyOf: [] } as Shape, {}],
    ['a listed value', { enum: ['a'] }, {}],
    ['anything', {}, { a: null }],
  ])('is, where %s is asked for, left as %j says', (_what, a, expected) => {
    expect(dropped({ properties: { a } }, { a: null })).toStrictEqual(expected);
  });

  it('stays where it is required, where nothing declares it, and in free objects', () => {
    const shape = { properties: { a: text }, required: ['a'] };
    expect(dropped(shape, { a: null, b: null })).toStrictEqual({ a: null, b: null });
    expect(dropped({}, { a: null })).toStrictEqual({ a: null });
    expect(dropped({ properties: { a: text } }, {})).toStrictEqual({});
  });

  it('goes from objects in objects and in lists, however deep', () => {
    const inner = { properties: { b: text } };
    const shape = { properties: { a: inner, list: { items: inner } } };
    const value = { a: { b: null, c: 1 }, list: [{ b: null }, { b: 'x' }, 'y', null] };
    expect(dropped(shape, value)).toStrictEqual({ a: { c: 1 }, list: [{}, { b: 'x' }, 'y', null] });
    expect(dropped({ properties: { list: {} } }, { list: [{ b: null }] })).toStrictEqual({
      list: [{ b: null }],
    });
    expect(dropped(shape, { a: null, list: 7 })).toStrictEqual({ a: null, list: 7 });
  });
});

it('members are those that are declared, where no others may be there', () => {
  expect(membersOf({ properties: { a: text } })).toEqual({ a: text });
  expect(membersOf({ properties: { a: text }, additionalProperties: false })).toEqual({ a: text });
  expect(membersOf({ properties: { a: text }, additionalProperties: text })).toBeUndefined();
  expect(membersOf({})).toBeUndefined();
  expect(membersOf(undefined)).toBeUndefined();
});

it('an object is no list, no text and not null', () => {
  expect([{}, { a: 1 }].map(isObject)).toEqual([true, true]);
  expect([[], null, 'x', 1, undefined, () => 1].map(isObject)).toEqual(Array(6).fill(false));
});
