import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOwnKey } from '../../../src/psp/own-key.ts';
import { type ChargeTry, chargeKey } from '../../../src/recovery/engine/charge-key.ts';

const own: fc.Arbitrary<ChargeTry> = fc.record({
  merchantId: fc.string(),
  invoiceId: fc.string(),
  paymentMethodId: fc.string(),
  number: fc.integer({ min: 1, max: 400 }),
});

const parts = (item: ChargeTry) =>
  JSON.stringify([item.merchantId, item.invoiceId, item.paymentMethodId, item.number]);

describe('the key of a charge', () => {
  it('is the same for the same try, whoever makes it', () => {
    const input = {
      merchantId: 'mer_1',
      invoiceId: 'in_1',
      paymentMethodId: 'pm_1',
      number: 1,
    };
    expect(chargeKey(input)).toBe(chargeKey({ ...input }));
    // The bytes are part of the promise: another version of the service must make the same ones.
    expect(chargeKey(input)).toBe('rcp_fdtnr2bz028bnry3937wcx1054kxd9');
  });

  it('is another for another debt, method or try', () => {
    fc.assert(
      fc.property(own, own, (a, b) => {
        expect(chargeKey(a) === chargeKey(b)).toBe(parts(a) === parts(b));
      }),
    );
  });

  it('does not let one id run into the next', () => {
    const one = { merchantId: 'm', invoiceId: 'ab', paymentMethodId: 'c', number: 1 };
    expect(chargeKey(one)).not.toBe(chargeKey({ ...one, invoiceId: 'a', paymentMethodId: 'bc' }));
    expect(chargeKey(one)).not.toBe(chargeKey({ ...one, invoiceId: 'a', paymentMethodId: 'b1:c' }));
  });

  it('is known for ours at the PSP', () => {
    fc.assert(
      fc.property(own, (item) => {
        expect(isOwnKey(chargeKey(item))).toBe(true);
      }),
    );
  });
});
