import { expect, it } from 'vitest';
import { CardCode } from '../../src/domain/card-code.ts';
import { withoutCardCode } from '../../src/psp/without-card-code.ts';
import type { ChargeResult } from '../../src/recovery/psp-ports.ts';

const code = new CardCode('737');

it('takes the code out of reasons and messages', () => {
  const declined: ChargeResult = {
    kind: 'declined',
    pspTransactionId: 'ch_737',
    decline: { category: 'later', code: '737', message: 'cvc 737 is wrong: 737' },
  };
  expect(withoutCardCode(declined, code)).toEqual({
    kind: 'declined',
    pspTransactionId: 'ch_737',
    decline: { category: 'later', code: '737', message: 'cvc [card code] is wrong: [card code]' },
  });
  for (const kind of ['unknown', 'not_made'] as const) {
    const result = withoutCardCode({ kind, reason: 'sent {"cvc":"737"}' }, code);
    expect(result).toEqual({ kind, reason: 'sent {"cvc":"[card code]"}' });
  }
});

it('leaves a result alone that has nothing to hide', () => {
  const results: readonly ChargeResult[] = [
    { kind: 'succeeded', pspTransactionId: 'ch_737' },
    { kind: 'declined', decline: { category: 'later', code: '51' } },
    { kind: 'unknown', reason: 'no answer' },
  ];
  for (const result of results) {
    expect(withoutCardCode(result, code)).toEqual(result);
    expect(withoutCardCode(result, undefined)).toBe(result);
    expect(withoutCardCode(result, new CardCode(''))).toBe(result);
  }
});
