import { describe, expect, it } from 'vitest';
import { findJsonFaults } from '../../../src/domain/json/find-json-faults.ts';

const text = { type: 'string' };
const shape = { properties: { a: text, b: text, inner: { properties: { a: text } } } };
const faultsOf = (json: string) => findJsonFaults(json, shape).map(({ at }) => at);

describe('members that no shape declares', () => {
  it.each([
    '"x":1',
    '"x" : -1.5e3 ',
    '"x":"}],{"',
    '"x":"\\""',
    '"x":{"a":1,"a":[2,{"a":"]"}]}',
    '"x":[[],[{"x":1,"x":2}]]',
    '"x":true , "x":null',
    `"x":${'['.repeat(100)}${']'.repeat(100)}`,
  ])('are passed over, whatever is in them: %s', (member) => {
    expect(faultsOf(`{${member}}`)).toEqual([]);
    expect(faultsOf(`{ ${member},"a":1,"a":2}`)).toEqual(['a']);
    expect(faultsOf(`{"a":1 , ${member} , "a":2}`)).toEqual(['a']);
    expect(faultsOf(`{"inner":{${member}},"b":1,"b":2}`)).toEqual(['b']);
  });

  it('are looked at where nothing is declared', () => {
    expect(findJsonFaults('{"x":1,"x":2}').map(({ at }) => at)).toEqual(['x']);
  });

  it('with a NUL in a name or a number too large are no fault', () => {
    expect(faultsOf('{"x\\u0000":1,"y":1e999}')).toEqual([]);
    expect(faultsOf('{"a":1e999}')).toEqual(['a']);
  });
});
