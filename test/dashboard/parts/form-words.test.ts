import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { faultText, formMessage } from '../../../dashboard/src/parts/form-words.ts';
import { attachWords } from '../../../src/disputes/added/attach-words.ts';
import { AppError, type ErrorCode, errorRegistry } from '../../../src/domain/errors.ts';
import { fieldRequired } from '../../../src/domain/json/fault.ts';
import { tooManyItemsText } from '../../../src/http/schema-fault.ts';
import { compilePart } from '../../../src/operator/validate.ts';

/** As the operator API says it. */
function said(code: ErrorCode, detail: string = errorRegistry[code].what) {
  return formMessage({ code, message: `${detail} ${errorRegistry[code].action}` });
}

test('a form says nothing of bodies, answers and states of the API', () => {
  expect(said('invalid_request')).toBe('Correct this and try again:');
  expect(said('invalid_request', 'headers must not hold host.')).toBe(
    'headers must not hold host. Correct it and try again.',
  );
  expect(said('conflict', 'The payment is already stopped.')).toBe(
    'The payment is already stopped.',
  );
  expect(said('attachment_refused', attachWords.empty)).toBe(
    'The file is empty. Choose a complete PDF, PNG or JPEG file.',
  );
  expect(said('merchant_auth_needed')).toMatch(/^The stored credentials .*“Our calls authenticate/);
  expect(said('scope_missing', 'The portal needs the scope read.')).toBe(
    'The portal needs the scope read. Use a key that has it, or ask for one.',
  );
  expect(said('merchant_url_refused')).toBe(
    new AppError('merchant_url_refused').message.replace(' [merchant_url_refused]', ''),
  );
});

test('what the checks of the API find is said as what to enter', () => {
  const check = compilePart(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      secret: Type.String({ minLength: 24 }),
      key: Type.String({ maxLength: 5 }),
      to: Type.Array(Type.String(), { minItems: 1 }),
      tries: Type.Integer({ maximum: 20 }),
      days: Type.Integer({ minimum: 1 }),
      share: Type.Number(),
      at: Type.String({ pattern: '^x$', 'x-fault': 'Input should be an x' }),
      gone: Type.String(),
    }),
    'body',
  );
  const bad = {
    name: '',
    secret: 'x',
    key: 'toolong',
    to: [],
    tries: 21,
    days: 0,
    share: 'a',
    at: 'y',
  };
  const found = check(bad).map(({ at, text }) => `${at}: ${faultText(text)}`);
  expect(found.sort()).toEqual([
    'at: Enter an x',
    'days: Enter 1 or more',
    'gone: Fill this in',
    'key: Enter at most 5 characters',
    'name: Fill this in',
    'secret: Enter at least 24 characters',
    'share: Enter a number',
    'to: At least one is needed',
    'tries: Enter 20 or less',
  ]);
  expect(faultText(tooManyItemsText(20))).toBe('Enter at most 20');
  expect(faultText(fieldRequired)).toBe('Fill this in');
  expect(faultText('Processor given twice')).toBe('Processor given twice');
});
