import { expect, it } from 'vitest';
import { appliesTo } from '../../../../src/domain/disputes/ce3/applies-to.ts';

it.each([
  ['visa', '10.4', 'fraud', 'yes'],
  ['mastercard', '4837', 'fraud', 'yes'],
  ['visa', '13.1', 'consumer', 'no'],
  ['visa', '10.1', 'fraud', 'no'],
  ['mastercard', '4853', 'consumer', 'no'],
  ['amex', 'F29', 'fraud', 'no'],
  ['amex', 'unknown', 'unknown', 'no'],
  ['unknown', 'product_not_received', 'consumer', 'no'],
  ['unknown', 'fraudulent', 'fraud', 'unknown'],
  ['visa', 'fraudulent', 'fraud', 'unknown'],
  ['visa', 'unknown', 'unknown', 'unknown'],
  ['unknown', 'unknown', 'unknown', 'unknown'],
] as const)('a test of prior charges for %s %s (%s): %s', (network, code, family, applies) => {
  expect(appliesTo({ network, code, family })).toBe(applies);
});
