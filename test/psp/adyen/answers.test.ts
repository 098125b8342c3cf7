import { describe, expect, it } from 'vitest';
import type { AdyenClient } from '../../../src/psp/adyen/client.ts';
import { chargeResult, credentialsResult } from '../../../src/psp/adyen/map.ts';
import { parseRefund } from '../../../src/psp/adyen/notifications/refund-settled.ts';
import { refundAdyen } from '../../../src/psp/adyen/refund.ts';
import type { Exchange } from '../../../src/psp/exchange.ts';
import { request } from './adyen-kit.ts';

const account = {
  apiKey: 'k',
  merchantAccount: 'RecoupECOM',
  environment: 'test',
  hmacKeys: ['00'],
} as const;
const lost: Exchange = { kind: 'lost', reason: 'the connection broke' };
const notSent: Exchange = { kind: 'not_sent', reason: 'nobody listens' };

function said(body: unknown, status = 200, headers: Record<string, string> = {}): Exchange {
  return {
    kind: 'answered',
    status,
    headers,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

const answer = (change: object = {}) =>
  said({ pspReference: 'PSP1', merchantReference: 'key-1', resultCode: 'Authorised', ...change });

describe('the answer of Adyen to a charge', () => {
  it.each(['Refused', 'Error', 'Cancelled'])(
    'that is %s is a decline, where it names a payment',
    (resultCode) => {
      expect(chargeResult(answer({ resultCode }), request)).toMatchObject({
        kind: 'declined',
        pspTransactionId: 'PSP1',
      });
      expect(chargeResult(answer({ resultCode, pspReference: '' }), request)).toMatchObject({
        kind: 'unknown',
      });
    },
  );

  it.each(['Refused', 'Error', 'Cancelled'])(
    'that is %s is unknown while Adyen itself is going to charge it again',
    (resultCode) => {
      const rescued = { resultCode, additionalData: { 'retry.rescueScheduled': 'true' } };
      expect(chargeResult(answer(rescued), request)).toEqual({
        kind: 'unknown',
        reason: expect.stringContaining('Auto Rescue'),
      });
      const over = { resultCode, additionalData: { 'retry.rescueScheduled': 'false' } };
      expect(chargeResult(answer(over), request)).toMatchObject({ kind: 'declined' });
    },
  );

  it.each(['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper', 'PresentToShopper'])(
    'that is %s is a decline without a payment, as well',
    (resultCode) => {
      const waiting = said({ resultCode });
      expect(chargeResult(waiting, request)).toMatchObject({
        kind: 'declined',
        decline: { category: 'customer_action' },
      });
      expect(chargeResult(waiting, request)).not.toHaveProperty('pspTransactionId');
    },
  );

  it('that is a redirect is a decline of our charge where the additional data alone name it', () => {
    const redirect = (merchantReference: string) =>
      said({
        pspReference: 'PSP1',
        resultCode: 'RedirectShopper',
        additionalData: { merchantReference },
      });
    expect(chargeResult(redirect('key-1'), request)).toMatchObject({
      kind: 'declined',
      pspTransactionId: 'PSP1',
      decline: { category: 'customer_action' },
    });
    expect(chargeResult(redirect('key-2'), request).kind).toBe('unknown');
  });

  it.each([
    ['PartiallyAuthorised', 'a part of the amount'],
    ['Pending', 'comes by webhook'],
    ['Received', 'comes by webhook'],
    ['BrandNew', 'which says nothing certain'],
  ])('that is %s leaves it unknown: %s', (resultCode, words) => {
    expect(chargeResult(answer({ resultCode }), request)).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining(words),
    });
  });

  it('tells the money as it is said', () => {
    const amount = { value: 500, currency: 'EUR' };
    expect(
      chargeResult(answer({ amount, additionalData: { networkTxReference: 'nt_1' } }), request),
    ).toEqual({
      kind: 'succeeded',
      pspTransactionId: 'PSP1',
      networkTransactionId: 'nt_1',
      told: { amountMinor: 500, currency: 'EUR' },
    });
    expect(chargeResult(answer({ amount: 500 }), request).kind).toBe('unknown');
  });

  it.each([
    [400, '702', 'not_made'],
    [422, '702', 'not_made'],
    [400, undefined, 'unknown'],
    [422, undefined, 'unknown'],
    [401, undefined, 'not_made'],
    [403, undefined, 'not_made'],
    [429, undefined, 'not_made'],
    [422, '704', 'unknown'],
    [401, '704', 'unknown'],
    [404, '702', 'unknown'],
    [500, '702', 'unknown'],
  ])('with %i and the error %j is %s', (status, errorCode, kind) => {
    const result = chargeResult(said({ errorCode }, status), request);
    expect(result.kind).toBe(kind);
    expect('reason' in result && result.reason).toContain(
      `HTTP ${status}${errorCode === undefined ? '' : `, error ${errorCode}`}`,
    );
  });

  it('that is an error for now is not certain', () => {
    const now = { 'transient-error': 'true' };
    expect(chargeResult(said({ errorCode: '702' }, 422, now), request).kind).toBe('unknown');
    expect(
      chargeResult(said({ errorCode: '702' }, 422, { 'transient-error': 'false' }), request).kind,
    ).toBe('not_made');
    expect(chargeResult(said({}, 429, now), request).kind).toBe('not_made');
  });

  it('was not made where nothing was sent, and is not known where its answer was lost', () => {
    expect(chargeResult(notSent, request)).toEqual({ kind: 'not_made', reason: 'nobody listens' });
    expect(chargeResult(lost, request)).toEqual({
      kind: 'unknown',
      reason: 'the connection broke',
    });
  });
});

it.each([
  [said({}), { kind: 'accepted', account: 'RecoupECOM' }],
  [said('x'), { kind: 'unreachable', reason: 'HTTP 200' }],
  [
    said({ errorCode: '000' }, 401),
    {
      kind: 'refused',
      reason: expect.stringContaining('does not know api_key (HTTP 401, error 000)'),
    },
  ],
  [
    said({}, 403),
    {
      kind: 'refused',
      reason: expect.stringContaining('may not charge merchant_account (HTTP 403)'),
    },
  ],
  [
    said({ errorCode: '901' }, 422),
    { kind: 'refused', reason: expect.stringContaining('(HTTP 422, error 901)') },
  ],
  [said({ errorCode: '1' }, 500), { kind: 'unreachable', reason: 'HTTP 500, error 1' }],
  [lost, { kind: 'unreachable', reason: 'the connection broke' }],
])('the credentials after %j are %j', (sent, check) => {
  expect(credentialsResult(sent, account)).toEqual(check);
});

it('an account without HMAC keys is warned of', () => {
  expect(credentialsResult(said({}), { ...account, hmacKeys: [] })).toMatchObject({
    warnings: [expect.stringContaining('hmac_key')],
  });
});

describe('a refund at Adyen', () => {
  const asked = {
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    pspTransactionId: 'PSP1',
    amountMinor: 500,
    currency: 'EUR',
    idempotencyKey: 'refund-1',
  };
  const taken = {
    status: 'received',
    pspReference: 'REF1',
    paymentPspReference: 'PSP1',
    amount: { value: 500, currency: 'EUR' },
  };
  const refund = async (sent: Exchange, change: Partial<typeof asked> = {}) => {
    const calls: unknown[] = [];
    const client = {
      refund: async (_account: unknown, ...what: unknown[]) => {
        calls.push(what);
        return sent;
      },
    } as unknown as AdyenClient;
    return { result: await refundAdyen(client, account, { ...asked, ...change }), calls };
  };

  it('is asked for under its key, and is pending once Adyen has taken it', async () => {
    expect(await refund(said(taken, 201))).toEqual({
      result: { kind: 'pending', refundId: 'REF1' },
      calls: [
        [
          'PSP1',
          {
            merchantAccount: 'RecoupECOM',
            amount: { value: 500, currency: 'EUR' },
            reference: 'refund-1',
          },
          'refund-1',
        ],
      ],
    });
  });

  it.each([
    ['status', 'refused'],
    ['pspReference', ''],
    ['paymentPspReference', 'PSP2'],
    ['amount', { value: 499, currency: 'EUR' }],
    ['amount', { value: 500, currency: 'USD' }],
    ['amount', undefined],
  ])('is not known after an answer with the %s %j', async (field, value) => {
    const { result } = await refund(said({ ...taken, [field]: value }, 201));
    expect(result).toEqual({
      kind: 'unknown',
      reason: 'HTTP 201 with an answer that cannot be understood',
    });
  });

  it.each([
    [422, { errorCode: '167' }, 'refused'],
    [401, {}, 'refused'],
    [403, {}, 'refused'],
    [429, {}, 'unknown'],
    [422, {}, 'unknown'],
    [200, taken, 'unknown'],
    [500, {}, 'unknown'],
  ])('answered with %i and %j is %s', async (status, body, kind) => {
    expect((await refund(said(body, status))).result).toEqual({
      kind,
      reason: expect.stringContaining(`HTTP ${status}`),
    });
  });

  it('is not known where its answer was lost, and refused before it is sent where it has no unit', async () => {
    expect((await refund(lost)).result).toEqual({
      kind: 'unknown',
      reason: 'the connection broke',
    });
    expect(await refund(said(taken, 201), { currency: 'IDR', amountMinor: 1_550 })).toEqual({
      result: { kind: 'refused', reason: 'Adyen has no unit of IDR small enough for this.' },
      calls: [],
    });
  });
});

describe('a notification of a refund at Adyen', () => {
  const parsed = (change: object) =>
    parseRefund({
      eventCode: 'REFUND',
      success: true,
      originalReference: 'PSP1',
      pspReference: 'REF1',
      merchantReference: 'refund-1',
      ...change,
    } as unknown as Parameters<typeof parseRefund>[0]);
  const settled = {
    kind: 'refund_settled',
    pspTransactionId: 'PSP1',
    refundId: 'REF1',
    idempotencyKey: 'refund-1',
  };

  it.each(['REFUND', 'CANCEL_OR_REFUND', 'CANCELLATION'])(
    '%s says whether it was made',
    (eventCode) => {
      expect(parsed({ eventCode })).toEqual({ ...settled, outcome: 'refunded' });
      expect(parsed({ eventCode, success: false })).toEqual({
        ...settled,
        outcome: 'failed',
        reason: eventCode,
      });
      expect(parsed({ eventCode, success: false, reason: 'No funds' })).toMatchObject({
        reason: 'No funds',
      });
    },
  );

  it.each(['REFUND_FAILED', 'REFUNDED_REVERSED'])('%s says that it was not', (eventCode) => {
    expect(parsed({ eventCode })).toEqual({ ...settled, outcome: 'failed', reason: eventCode });
  });

  it('without its payment or its own reference is not used', () => {
    for (const field of ['originalReference', 'pspReference']) {
      expect(parsed({ [field]: '' })).toEqual({ kind: 'not_used' });
    }
    expect(parsed({ merchantReference: '' })).not.toHaveProperty('idempotencyKey');
  });
});
