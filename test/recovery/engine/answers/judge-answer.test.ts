import { expect, it } from 'vitest';
import { modeOf, whatDiffers } from '../../../../src/recovery/engine/answers/judge-answer.ts';

const transaction = {
  ordinal: 1,
  state: 'sending',
  idempotencyKey: 'rcp_1',
  paymentMethodId: 'pm_1',
  amountMinor: 1_999,
  currency: 'USD',
  sentAt: new Date('2026-03-01T12:00:00Z'),
  connectionVersion: 1,
} as const;

it.each([
  ['the same', { amountMinor: 1_999, currency: 'USD', isLive: true }, true, undefined],
  ['another amount', { amountMinor: 999 }, true, 'amount'],
  ['another currency', { amountMinor: 1_999, currency: 'EUR' }, true, 'amount'],
  ['a test at a live account', { isLive: false }, true, 'mode'],
  ['real money at a test account', { isLive: true }, false, 'mode'],
  ['a mode where ours is not known', { isLive: true }, undefined, undefined],
  ['nothing', {}, true, undefined],
] as const)('what a PSP says of a charge is compared with what was sent: %s', (...given) => {
  const [, told, isLive, differs] = given;
  expect(whatDiffers({ transaction }, told, isLive)).toBe(differs);
});

it.each([
  ['live', { isLive: true }],
  ['test', { isLive: false }],
  ['sandbox', { isLive: false }],
  ['unknown', {}],
] as const)('an account of the mode %s is compared as such', (mode, expected) => {
  expect(modeOf({ connection: { version: 1, mode, isActive: true } })).toEqual(expected);
});
