import { expect, test } from 'vitest';
import { normaliseReason } from '../../../../src/domain/disputes/normalise/normalise-reason.ts';
import {
  reasonCodes,
  reasonFamilies,
} from '../../../../src/domain/disputes/normalise/reason-codes.ts';

test.each([
  ['visa', '10.4', '10.4', 'fraud'],
  ['VISA', '1040', '10.4', 'fraud'],
  ['visa', '83', '10.4', 'fraud'],
  ['visa', '1261', '12.6.1', 'processing'],
  ['visa', '1310', '13.1', 'consumer'],
  ['visa', '11.3', '11.3', 'authorisation'],
  ['mc', '37', '4837', 'fraud'],
  ['mastercard', ' 4853', '4853', 'consumer'],
  ['mastercard', '4808', '4808', 'authorisation'],
  ['mastercard', '34', '4834', 'processing'],
  ['amex', 'f29', 'F29', 'fraud'],
  ['discover', 'UA02', 'UA02', 'fraud'],
  ['diners', 'UA02', 'UA02', 'fraud'],
])('%s %j is %s, %s', (scheme, said, code, family) => {
  expect(normaliseReason(scheme, said)).toMatchObject({ code, family });
});

test('an unknown code or scheme gives nothing', () => {
  expect(normaliseReason('visa', '99.9')).toBeUndefined();
  expect(normaliseReason('mastercard', '99')).toBeUndefined();
  expect(normaliseReason('jcb', '10.4')).toBeUndefined();
});

test('no code of a network stands in two families', () => {
  for (const families of Object.values(reasonCodes)) {
    const all = reasonFamilies.flatMap((family) => families[family]);
    expect(new Set(all).size).toBe(all.length);
  }
});
