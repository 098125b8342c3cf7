import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { isOwnKey } from '../../src/psp/own-key.ts';

it('knows every key that a charge can have', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 15, maxLength: 15 }),
      fc.integer({ min: 1, max: 99 }),
      (bytes, ordinal) => {
        expect(isOwnKey(`${newId({ bytes: () => bytes }, 'att')}-${ordinal}`)).toBe(true);
      },
    ),
  );
});

it.each([
  '',
  'ORDER-17',
  'att_1-1',
  'evt_0123456789abcdefghjkmnpq-1',
  'att_0123456789abcdefghjkmnpq-0',
])('does not take "%s" for one', (reference) => {
  expect(isOwnKey(reference)).toBe(false);
});
