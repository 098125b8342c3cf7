import { describe, expect, it } from 'vitest';
import { guardCards } from '../../../src/domain/cards/guard-cards.ts';
import type { Shape } from '../../../src/domain/json/shape.ts';

const visa = '4111111111111111';
const masked = '************1111';

/** What stands there once it was looked through, with the places of its faults. */
function guarded(shape: Shape, value: object) {
  const faults = guardCards(shape, value);
  return { value, at: faults.map(({ at }) => at) };
}

const ofProperties = (properties: Record<string, Shape>): Shape => ({ type: 'object', properties });
const text: Shape = { type: 'string' };

describe('a card number', () => {
  it('in an id is a fault at its place, and the value stays', () => {
    const id: Shape = { type: 'string', 'x-id': true };
    const shape = ofProperties({ id, list: { type: 'array', items: ofProperties({ id }) } });
    const value = { id: 'in_1', list: [{ id: 'in_2' }, { id: `in_${visa}` }] };
    expect(guarded(shape, structuredClone(value))).toEqual({ value, at: ['list.1.id'] });
    expect(guarded(shape, { id: visa, list: [] }).at).toEqual(['id']);
  });

  it('of American Express in a network’s transaction id is none: Visa’s ids look so', () => {
    const id: Shape = { type: 'string', 'x-id': true };
    const shape = ofProperties({ network_transaction_id: id, id });
    const amex = '378282246310005';
    expect(guarded(shape, { network_transaction_id: amex, id: amex }).at).toEqual(['id']);
  });

  it('in other text is masked, wherever it stands', () => {
    const shape = ofProperties({ note: text, notes: { type: 'array', items: text } });
    expect(guarded(shape, { note: `paid by ${visa}`, notes: ['none', visa] })).toEqual({
      value: { note: `paid by ${masked}`, notes: ['none', masked] },
      at: [],
    });
  });

  it('is masked in free objects with their names, and as a number where no number is asked for', () => {
    const shape = ofProperties({ custom: { type: 'object' }, amount: { type: 'number' } });
    const value = {
      custom: { card: Number(visa), deep: { list: [visa] }, [visa]: 'name', plan: 'gold' },
      amount: Number(visa),
    };
    expect(guarded(shape, value)).toEqual({
      value: {
        custom: { card: masked, deep: { list: [masked] }, [masked]: 'name', plan: 'gold' },
        amount: Number(visa),
      },
      at: [],
    });
  });

  it.each([
    ['a form', { type: 'string', format: 'date-time' }],
    ['a list of words', { type: 'string', enum: [visa] }],
    ['one word', { type: 'string', const: visa }],
    ['leave to be anything', { type: 'string', 'x-verbatim': true }],
  ] as const)('is left in text that has %s', (_name, shape) => {
    expect(guarded(ofProperties({ word: shape as Shape }), { word: visa })).toEqual({
      value: { word: visa },
      at: [],
    });
  });

  it('in a member that the schema does not know is not looked for: it is refused as a whole', () => {
    expect(guarded(ofProperties({ note: text }), { other: visa }).value).toEqual({ other: visa });
  });
});
