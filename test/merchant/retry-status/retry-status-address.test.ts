import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryStatusAddress } from '../../../src/merchant/retry-status/retry-status-address.ts';

describe('the retry-status address', () => {
  it.each([
    ['https://m.example/retry/{invoice_id}', 'https://m.example/retry/in_1'],
    ['https://m.example/retry/%7Binvoice_id%7D', 'https://m.example/retry/in_1'],
    [
      'https://m.example/{invoice_id}/status?i={invoice_id}',
      'https://m.example/in_1/status?i=in_1',
    ],
    ['https://m.example/retry', 'https://m.example/retry/in_1'],
    ['https://m.example/retry/', 'https://m.example/retry/in_1'],
    ['https://m.example', 'https://m.example/in_1'],
    ['https://m.example/retry?a=b/c', 'https://m.example/retry/in_1?a=b/c'],
  ])('of %s names the invoice', (template, url) => {
    expect(retryStatusAddress(template, 'in_1')).toBe(url);
  });

  it('never lets an invoice id choose another address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (invoiceId) => {
        const url = retryStatusAddress('https://m.example/retry/{invoice_id}?x=1', invoiceId);
        if (url === undefined) return;
        const { origin, pathname, search } = new URL(url);
        expect([origin, search]).toEqual(['https://m.example', '?x=1']);
        expect(pathname.startsWith('/retry/')).toBe(true);
        expect(decodeURIComponent(pathname.slice('/retry/'.length))).toBe(invoiceId);
      }),
    );
  });

  it.each(['', '.', '..', '\ud800'])('cannot carry the id %j', (invoiceId) => {
    expect(retryStatusAddress('https://m.example/{invoice_id}', invoiceId)).toBeUndefined();
  });

  it.each(['$&', "$'", '../../admin', 'a/b', 'a?b', 'a#b', '%2e%2e', 'é', '{invoice_id}'])(
    'encodes %j',
    (invoiceId) => {
      expect(retryStatusAddress('https://m.example/{invoice_id}', invoiceId)).toBe(
        `https://m.example/${encodeURIComponent(invoiceId)}`,
      );
    },
  );
});
