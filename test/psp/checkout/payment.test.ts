import { describe, expect, it } from 'vitest';
import { chargeResult, credentialsResult, lookUpResult } from '../../../src/psp/checkout/map.ts';
import { answeredPayment, recordedPayment } from '../../../src/psp/checkout/payment.ts';
import { answered, lost, notSent, refused } from '../watched.ts';

const asked = { idempotencyKey: 'key-1', units: 1_999, currency: 'EUR' };
const request = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key-1',
  amountMinor: 1_999,
  currency: 'EUR',
  paymentMethodId: 'src_1',
};
const lookUp = { ...request, sentAt: new Date('2026-11-02T09:00:00Z') };
const payment = {
  id: 'pay_1',
  reference: 'key-1',
  amount: 1_999,
  currency: 'EUR',
  status: 'Authorized',
  approved: true,
  response_code: '10000',
};
const success = {
  kind: 'succeeded',
  pspTransactionId: 'pay_1',
  told: { amountMinor: 1_999, currency: 'EUR' },
};
const approved = { type: 'Authorization', response_code: '10000' };

describe('the answer to a charge at Checkout.com', () => {
  it.each(['Authorized', 'Captured', 'Paid'])(
    'is a success where it is approved and %s',
    (status) => {
      expect(answeredPayment({ ...payment, status }, asked)).toEqual(success);
    },
  );

  it.each([
    ['without a payment', undefined, 'an answer without a payment'],
    ['without an id', { ...payment, id: undefined }, 'an answer without a payment'],
    ['about another payment', { ...payment, reference: 'key-2' }, 'about another payment'],
    ['over a part of a unit', { ...payment, amount: 19.5 }, 'does not say its amount'],
    ['in no currency', { ...payment, currency: undefined }, 'does not say its amount'],
    ['not approved', { ...payment, approved: false }, 'status Authorized and the code 10000'],
    ['pending', { ...payment, status: 'Pending' }, 'status Pending and the code 10000'],
    ['without a status', { ...payment, status: 7 }, 'status none'],
    ['without a code', { ...payment, response_code: undefined }, 'the code none'],
    ['held for review', { ...payment, response_code: '10100' }, 'the code 10100'],
    ['over a part of the amount', { ...payment, response_code: '10010' }, 'the code 10010'],
    ['with a longer code', { ...payment, response_code: '100001' }, 'the code 100001'],
    ['with a code behind another', { ...payment, response_code: '510000' }, 'the code 510000'],
    ['declined, and approved', { ...payment, status: 'Declined' }, 'status Declined'],
    ['with a long status', { ...payment, status: 's'.repeat(50) }, `status ${'s'.repeat(40)} and`],
    ['with a long code', { ...payment, response_code: '2'.repeat(20) }, `code ${'2'.repeat(10)}`],
  ])('says nothing certain %s', (_what, answer, words) => {
    const result = answeredPayment(answer, asked);
    expect(result).toEqual({ kind: 'unknown', reason: expect.stringContaining(words) });
    expect(JSON.stringify(result)).not.toContain('2'.repeat(11));
  });

  it('tells what it is over, whatever was asked for', () => {
    const other = { ...payment, amount: 2_000, currency: 'USD' };
    expect(answeredPayment(other, asked)).toEqual({
      ...success,
      told: { amountMinor: 2_000, currency: 'USD' },
    });
  });

  it('is a decline where it is declined and not approved', () => {
    const turnedDown = { ...payment, status: 'Declined', approved: false, response_code: '20051' };
    expect(answeredPayment(turnedDown, asked)).toMatchObject({
      kind: 'declined',
      pspTransactionId: 'pay_1',
      decline: { code: '20051' },
    });
  });
});

describe('the record of a payment at Checkout.com', () => {
  it('is a success by its authorisation, or once it is captured', () => {
    expect(recordedPayment({ payment, actions: [approved] }, asked)).toEqual(success);
    const captured = [{ type: 'Capture', approved: true }];
    expect(recordedPayment({ payment, actions: captured }, asked)).toEqual(success);
  });

  it.each([
    ['whose authorisation is held', [{ ...approved, response_code: '10100' }], {}],
    ['whose capture was not approved', [{ type: 'Capture', approved: false }], {}],
    ['of which another thing was approved', [{ type: 'Refund', approved: true }], {}],
    ['of which nothing was done', [], {}],
    ['that is pending', [approved], { status: 'Pending' }],
    ['of another charge', [approved], { reference: 'key-2' }],
  ])('%s says nothing certain', (_what, actions, change) => {
    const record = { payment: { ...payment, ...change }, actions };
    expect(recordedPayment(record, asked)).toEqual({ kind: 'unknown', reason: expect.any(String) });
  });

  it('is a decline with the code of its authorisation, or its own', () => {
    const turnedDown = { ...payment, status: 'Declined', response_code: '20005' };
    const actions = [
      { type: 'Void', response_code: '1' },
      { type: 'Authorization', response_code: '20051' },
    ];
    expect(recordedPayment({ payment: turnedDown, actions }, asked)).toMatchObject({
      kind: 'declined',
      decline: { code: '20051' },
    });
    expect(recordedPayment({ payment: turnedDown, actions: [] }, asked)).toMatchObject({
      kind: 'declined',
      decline: { code: '20005' },
    });
  });
});

describe('the look-up of a charge at Checkout.com', () => {
  const good = { payment, actions: [approved] };
  const doubtful = { payment: { ...payment, status: 'Pending' }, actions: [] };
  const bad = { payment: { ...payment, id: 'pay_2', status: 'Declined' }, actions: [] };

  it('is answered by one success, else by one doubt, else by a decline', () => {
    expect(lookUpResult(answered([bad, doubtful, good]), lookUp)).toEqual(success);
    expect(lookUpResult(answered([bad, doubtful]), lookUp).kind).toBe('unknown');
    expect(lookUpResult(answered([bad]), lookUp)).toMatchObject({
      kind: 'declined',
      pspTransactionId: 'pay_2',
    });
    expect(lookUpResult(answered([]), lookUp)).toEqual({ kind: 'not_found' });
  });

  it.each([
    [lost, 'the connection broke'],
    [notSent, 'nobody listens'],
    [refused(401), 'HTTP 401: Checkout.com does not know this key.'],
    [refused(403), 'HTTP 403: the key may not do this.'],
    [refused(429), 'HTTP 429: too many requests, or one with this key is on its way.'],
    [refused(500), 'HTTP 500 with an answer that cannot be used'],
  ])('says nothing when Checkout.com does not answer: %j', (sent, reason) => {
    expect(lookUpResult(sent, lookUp)).toEqual({ kind: 'unknown', reason });
  });
});

describe('a charge that Checkout.com refused', () => {
  it.each([400, 401, 403, 404])('with %i was not made', (status) => {
    expect(chargeResult(refused(status), request).kind).toBe('not_made');
  });

  it.each([409, 422, 429, 500, 503])('with %i is not certain', (status) => {
    expect(chargeResult(refused(status), request).kind).toBe('unknown');
  });

  it('as invalid was not made, with what was invalid', () => {
    const codes = ['amount_invalid', 'not a code', 'UPPER', '', 7, 'b', 'c', 'd', 'e', 'f'];
    const body = { error_type: 'request_invalid', error_codes: codes };
    expect(chargeResult(refused(422, body), request)).toEqual({
      kind: 'not_made',
      isRequestRefused: true,
      reason: 'HTTP 422: amount_invalid, b, c, d, e',
    });
    expect(chargeResult(refused(422, { error_type: 'processing_error' }), request)).toEqual({
      kind: 'unknown',
      reason: 'HTTP 422 with an answer that cannot be used',
    });
    expect(chargeResult(refused(500, body), request).kind).toBe('unknown');
  });

  it('by its library was not made', () => {
    const sdkRefusal = 'x'.repeat(2_000);
    const result = chargeResult(answered({ sdkRefusal }), request);
    expect(result).toEqual({
      kind: 'not_made',
      isRequestRefused: true,
      reason: expect.stringMatching(/^x{100,1000}$/),
    });
  });

  it('was not made where nothing was sent, and is not known where its answer was lost', () => {
    expect(chargeResult(notSent, request)).toEqual({ kind: 'not_made', reason: 'nobody listens' });
    expect(chargeResult(lost, request)).toEqual({
      kind: 'unknown',
      reason: 'the connection broke',
    });
  });
});

it('credentials are refused where Checkout.com says so, and else not checked', () => {
  expect(credentialsResult(answered([]))).toEqual({ kind: 'accepted' });
  expect(credentialsResult(refused(401))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('secret_key at this subdomain'),
  });
  expect(credentialsResult(refused(403))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('may not read payments'),
  });
  expect(credentialsResult(refused(500))).toMatchObject({ kind: 'unreachable' });
  expect(credentialsResult(lost)).toEqual({ kind: 'unreachable', reason: 'the connection broke' });
});
