import { expect, it } from 'vitest';
import { mayActAs, operatorRoles } from '../../../src/domain/access/operators.ts';
import { inOrderOfScopes, missingScope } from '../../../src/domain/access/scopes.ts';

it('an operator may do what their role and all before it may', () => {
  const allowed = operatorRoles.map((role) =>
    operatorRoles.filter((needed) => mayActAs(role, needed)),
  );
  expect(allowed).toEqual([
    ['viewer'],
    ['viewer', 'disputes'],
    ['viewer', 'disputes', 'operator'],
    ['viewer', 'disputes', 'operator', 'administrator'],
  ]);
});

it('scopes stand in one order, each once', () => {
  expect(inOrderOfScopes(['act', 'intake', 'act'])).toEqual(['intake', 'act']);
});

it('a key without the scope is told which it needs and which it has', () => {
  expect(missingScope(['intake', 'act'], 'read')).toBe(
    "This needs the scope read, and the key's are: intake, act.",
  );
  expect(missingScope(['read'], 'read')).toBeUndefined();
  expect(missingScope([], 'any')).toBeUndefined();
});
