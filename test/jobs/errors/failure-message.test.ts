import { expect, it } from 'vitest';
import { AppError, InvariantError } from '../../../src/domain/errors.ts';
import { failureMessage, isOutage } from '../../../src/jobs/errors/failure-message.ts';

it.each([
  [new AppError('conflict', 'It is busy.'), 'It is busy. [conflict]'],
  [new InvariantError('a charge has a card'), 'Invariant broken: a charge has a card'],
  [
    Object.assign(new Error('key (a@x.test) exists'), { code: '23505' }),
    'a fault of ours: Error (23505)',
  ],
  [new SyntaxError('"Ada Lovelace" is not valid JSON'), 'a fault of ours: SyntaxError'],
  [Object.assign(new Error('x'), { code: 'said by a person' }), 'a fault of ours: Error'],
  ['a text', 'a fault of ours: an unknown fault'],
])('keeps codes and our own words of %s', (error, words) => {
  expect(failureMessage(error)).toBe(words);
});

it.each([
  'database_unreachable',
  'database_login_refused',
  'database_unknown',
  'database_out_of_resources',
  'database_disk_full',
] as const)('blames no row for %s', (code) => {
  expect(isOutage(new AppError(code))).toBe(true);
});

it('blames the row for what is wrong with it', () => {
  expect(isOutage(new AppError('encryption_key_wrong'))).toBe(false);
  expect(isOutage(new Error('database_unreachable'))).toBe(false);
});
