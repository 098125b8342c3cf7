import { expect, it } from 'vitest';
import { errorMessage } from '../../../src/domain/errors/error-message.ts';
import { AppError } from '../../../src/domain/errors.ts';

const unreadable = Object.assign(new Error('invalid input syntax for type uuid: "jo@x.test"'), {
  code: '22P02',
});

it.each([
  [new AppError('conflict', 'It is busy.'), new AppError('conflict', 'It is busy.').message],
  [new TypeError('x is not a function'), 'x is not a function'],
  [
    Object.assign(new Error('duplicate key violates unique constraint "a_pkey"'), {
      code: '23505',
      detail: 'Key (email)=(jo@x.test) already exists.',
    }),
    'duplicate key violates unique constraint "a_pkey"',
  ],
  [unreadable, 'a statement failed at a value (22P02)'],
  [
    Object.assign(new Error('jo@x.test is no number'), { code: 'P0001' }),
    'a statement failed at a value (P0001)',
  ],
  [Object.assign(new Error('broken pipe'), { code: 'EPIPE' }), 'broken pipe'],
  [new SyntaxError('"jo@x.test" is not valid JSON'), 'a text could not be read (SyntaxError)'],
  [{ message: 'a copy' }, 'a copy'],
  [undefined, 'an unknown fault'],
])('quotes no value that %s holds', (error, words) => {
  expect(errorMessage(error)).toBe(words);
});
