import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { CardCode } from '../../src/domain/card-code.ts';

const digits = '90417';
const code = new CardCode(digits);

describe('a card code', () => {
  it('is given to who asks for it by name', () => {
    expect(code.reveal()).toBe(digits);
  });

  it('refuses to be written as JSON, at any depth', () => {
    expect(() => JSON.stringify(code)).toThrow(TypeError);
    expect(() => JSON.stringify({ token: { list: [code] } })).toThrow(/never written/);
  });

  it.each([
    ['as a text', () => String(code)],
    ['in a template', () => `${code}`],
    ['joined to a text', () => ['code', code].join(' ')],
    ['as a number', () => `${Number(code)}`],
    ['inspected', () => inspect(code, { showHidden: true, depth: 9, getters: true })],
    ['formatted', () => format('%s %o %O %d', code, code, code, code)],
    ['by its tag', () => Object.prototype.toString.call(code)],
    ['by its members', () => JSON.stringify([Object.entries(code), Reflect.ownKeys(code)])],
    ['spread', () => JSON.stringify({ ...code })],
    ['cloned', () => JSON.stringify(structuredClone(code))],
    ['serialised', () => serialize(code).toString('latin1')],
  ])('does not show %s', (_, written) => {
    expect(written()).not.toContain(digits);
  });
});
