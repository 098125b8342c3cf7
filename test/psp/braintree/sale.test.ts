import { describe, expect, it } from 'vitest';
import type { SaleAnswer } from '../../../src/psp/braintree/client.ts';
import {
  isKeyNotAllowed,
  lookUpResult,
  retriedResult,
  retriesOf,
  saleAttributes,
  saleResult,
} from '../../../src/psp/braintree/map.ts';
import { answered, lost, notSent, refused } from '../watched.ts';
import { duplicate, request, sale } from './sales.ts';

describe('a sale at Braintree', () => {
  const sold = (transaction: unknown, more: object = {}, status = 201) =>
    saleResult(answered({ success: true, transaction, ...more } as SaleAnswer, status), request);
  const fault = (codes: readonly (string | undefined)[], more: object = {}, status = 422) =>
    sold(
      undefined,
      { success: false, errors: { deepErrors: () => codes.map((code) => ({ code })) }, ...more },
      status,
    );

  it('is what its transaction and its success say together', () => {
    expect(sold(sale).kind).toBe('succeeded');
    expect(sold({ ...sale, status: 'failed' }, { success: false }).kind).toBe('declined');
    expect(sold({ ...sale, status: 'authorized' }, { success: false }).kind).toBe('unknown');
    for (const [status, success] of [
      ['settled', false],
      ['failed', true],
    ] as const) {
      expect(sold({ ...sale, status }, { success })).toEqual({
        kind: 'unknown',
        reason: 'an answer that contradicts itself',
      });
    }
  });

  it('that was refused as a request was not made, with why', () => {
    expect(fault(['81501', undefined], { message: 'Amount is invalid.' })).toEqual({
      kind: 'not_made',
      isRequestRefused: true,
      reason: 'Braintree refused the request: Amount is invalid. (81501, no code)',
    });
    expect(fault(['1'.repeat(20)])).toMatchObject({
      reason: expect.stringMatching(/no words \(1{10}\)$/),
    });
    expect(fault([], { message: 'No.' })).toMatchObject({
      reason: expect.stringContaining('No. (no code)'),
    });
    expect(fault(Array.from({ length: 12 }, () => 'c'))).toMatchObject({
      reason: expect.stringMatching(/\(c(, c){9}\)$/),
    });
    expect(fault(['c'], { message: 'x'.repeat(5_000) })).toMatchObject({
      reason: expect.stringMatching(/^.{100,1000}$/),
    });
  });

  it.each(['915232', '915233', '915234', '915235'])(
    'with the fault %s of its key is not certain',
    (code) => {
      expect(fault(['81501', code]).kind).toBe('unknown');
    },
  );

  it.each([
    ['without a word or a code', fault([])],
    ['of a success', fault(['81501'], { success: true })],
    ['of another status', fault(['81501'], {}, 200)],
  ])('after an answer %s is not certain', (_what, result) => {
    expect(result).toEqual({ kind: 'unknown', reason: 'an answer that cannot be understood' });
  });

  it.each([
    [400, 'not_made'],
    [401, 'not_made'],
    [403, 'not_made'],
    [404, 'not_made'],
    [426, 'not_made'],
    [429, 'not_made'],
    [408, 'unknown'],
    [500, 'unknown'],
    [503, 'unknown'],
  ])('refused with %i is %s', (status, kind) => {
    const result = saleResult(refused(status), request);
    expect(result).toEqual({ kind, reason: expect.stringContaining(`HTTP ${status}`) });
  });

  it.each([
    ['30', 30_000],
    ['soon', undefined],
    ['1234567', undefined],
    ['3 s', undefined],
  ])('passes the wait %j on as %j', (text, retryAfterMs) => {
    const sent = {
      kind: 'refused',
      status: 429,
      headers: { 'retry-after': text },
      error: 0,
    } as const;
    const result = saleResult(sent, request);
    expect('retryAfterMs' in result ? result.retryAfterMs : undefined).toBe(retryAfterMs);
  });

  it('that was tried again is in doubt where those tries cannot be read', () => {
    const transaction = { ...sale, status: 'processor_declined', retryIds: ['tx_2', 7, ''] };
    const declined = answered({ success: false, transaction } as SaleAnswer, 422);
    expect(retriesOf(declined)).toEqual(['tx_2']);
    expect(retriesOf(lost)).toEqual([]);
    expect(retriedResult(declined, lost, request)).toEqual({
      kind: 'unknown',
      reason: lost.reason,
    });
  });

  it('was not made where nothing was sent, and is not known where its answer was lost', () => {
    expect(saleResult(notSent, request)).toEqual({ kind: 'not_made', reason: notSent.reason });
    expect(saleResult(lost, request)).toEqual({ kind: 'unknown', reason: lost.reason });
  });

  it.each([
    [{ name: 'Jane Q. Doe' }, { firstName: 'Jane Q.', lastName: 'Doe' }],
    [{ name: ' Cher ' }, { lastName: 'Cher' }],
    [
      { name: 7, city: 'Ulm', state: 'BW', zip: '89073' },
      { locality: 'Ulm', region: 'BW', postalCode: '89073' },
    ],
  ])('is sent with the address %j as %j', (billingAddress, billing) => {
    const attributes = saleAttributes({ ...request, billingAddress }, { useKey: false });
    expect(attributes).toEqual({
      amount: '12.23',
      paymentMethodToken: 'tok_1',
      orderId: 'key-1',
      transactionSource: 'recurring',
      billing,
      options: { submitForSettlement: true },
    });
  });
});

describe('the look-up of a charge at Braintree', () => {
  const lookUp = { ...request, sentAt: new Date('2026-11-02T09:00:00Z') };
  const found = (...transactions: readonly unknown[]) =>
    lookUpResult(answered(transactions), lookUp);

  it('is answered by one success, else by one doubt, else by a decline', () => {
    const [failed, held] = [
      { ...sale, status: 'failed' },
      { ...sale, status: 'authorized' },
    ];
    expect(found(failed, held, sale).kind).toBe('succeeded');
    expect(found(failed, held).kind).toBe('unknown');
    expect(found(failed).kind).toBe('declined');
    expect(found()).toEqual({ kind: 'not_found' });
    expect(found('x').kind).toBe('unknown');
  });

  it('counts the tries that Braintree made of it by itself, whatever their order id', () => {
    const first = { ...sale, status: 'processor_declined', retryIds: ['tx_2'] };
    const retry = { ...sale, id: 'tx_2', orderId: '', retriedTransactionId: 'tx_1' };
    expect(found(first, retry)).toMatchObject({ kind: 'succeeded', pspTransactionId: 'tx_2' });
    expect(found(first, { ...retry, status: 'processor_declined' }).kind).toBe('declined');
    expect(found(first, { ...retry, retriedTransactionId: 'tx_9' }).kind).toBe('unknown');
  });

  it('is in doubt while Braintree is going to charge it again', () => {
    const declined = { ...sale, status: 'settlement_declined' };
    expect(found({ ...declined, upcomingRetryDate: '2026-11-05' }).kind).toBe('unknown');
    expect(found({ ...declined, upcomingRetryDate: '' }).kind).toBe('declined');
    expect(found({ ...sale, upcomingRetryDate: '2026-11-05' }).kind).toBe('succeeded');
  });

  it('looks past refused repetitions, which alone say nothing', () => {
    expect(found({ ...sale, ...duplicate }, { ...sale, status: 'failed' }).kind).toBe('declined');
    expect(found({ ...sale, ...duplicate })).toEqual({
      kind: 'unknown',
      reason: 'only refused repetitions of the charge are there',
    });
    expect(lookUpResult(lost, lookUp)).toEqual({ kind: 'unknown', reason: lost.reason });
  });
});

it.each([
  ['422 and the fault of the key', 422, undefined, ['915231'], true],
  ['422 and the fault among others', 422, undefined, ['81501', '915231'], true],
  ['422 and another fault', 422, undefined, ['915232'], false],
  ['another status', 200, undefined, ['915231'], false],
  ['a transaction', 422, sale, ['915231'], false],
])('an account without keys is told by %s', (_what, status, transaction, codes, expected) => {
  const errors = { deepErrors: () => codes.map((code) => ({ code })) };
  const sent = answered({ success: false, transaction, errors } as SaleAnswer, status);
  expect(isKeyNotAllowed(sent)).toBe(expected);
  expect(isKeyNotAllowed(refused(422))).toBe(false);
  expect(isKeyNotAllowed(answered({ success: false } as SaleAnswer, 422))).toBe(false);
});
