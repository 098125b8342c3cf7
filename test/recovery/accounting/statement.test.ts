import { expect, it } from 'vitest';
import {
  firstPreviousHash,
  type StatedSum,
  statementJson,
} from '../../../src/recovery/accounting/statement.ts';

const day = '2026-03-02';
const sum = (changes: Partial<StatedSum>): StatedSum => ({
  day,
  psp: 'stripe',
  connectionVersion: 1,
  currency: 'EUR',
  kind: 'succeeded',
  count: 1,
  amountMinor: 4_900,
  ...changes,
});
const stated = (sums: readonly StatedSum[]) =>
  statementJson({ merchantId: 'mer_1', day, previousHash: firstPreviousHash, sums });

it('a statement is the same in whichever order its sums come', () => {
  const sums = [
    sum({ currency: 'USD' }),
    sum({ psp: 'adyen' }),
    sum({}),
    sum({ day: '2026-02-27', psp: 'paypal' }),
    sum({ day: '2026-03-01' }),
    sum({ day: '2026-02-28', psp: '', currency: '', kind: 'delivered' }),
    sum({ day: '2026-02-27', psp: '', currency: '', kind: 'delivered' }),
  ];
  const text = stated(sums);
  expect(stated([...sums].reverse())).toBe(text);
  const { accounts, corrections } = JSON.parse(text);
  const keys = accounts.map((each: { psp: string; currency: string }) => each.psp + each.currency);
  expect(keys).toEqual([...keys].sort());
  expect(corrections.events.map((each: { day: string }) => each.day)).toEqual([
    '2026-02-27',
    '2026-02-28',
  ]);
});
