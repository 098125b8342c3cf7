import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/psp/exchange.ts';
import { chargeResult, credentialsResult, lookUpResult } from '../../../src/psp/sandbox/map.ts';

const charge = {
  id: 'sbx_1',
  idempotency_key: 'key-1',
  amount: 500,
  currency: 'EUR',
  status: 'succeeded',
};
const declined = {
  ...charge,
  status: 'declined',
  network: 'visa',
  error: { code: 'expired_card', network_code: '54', message: 'Expired.' },
};
const told = { amountMinor: 500, currency: 'EUR', isLive: false };
const lookUp = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key-1',
  amountMinor: 500,
  currency: 'EUR',
  paymentMethodId: 'pm_1',
  sentAt: new Date('2026-11-02T09:00:00Z'),
};

function said(body: unknown, status = 200, headers: Record<string, string> = {}): Exchange {
  return {
    kind: 'answered',
    status,
    headers,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
const lost: Exchange = { kind: 'lost', reason: 'the connection broke' };
const notSent: Exchange = { kind: 'not_sent', reason: 'nobody listens' };
const notUnderstood = (status: number) => ({
  kind: 'unknown',
  reason: `HTTP ${status} with an answer that cannot be understood`,
});

describe('the answer of the sandbox to a charge', () => {
  it('is a success, with what it says of the network and the money', () => {
    const success = { kind: 'succeeded', pspTransactionId: 'sbx_1', told };
    expect(chargeResult(said(charge), 'key-1')).toEqual(success);
    const network = { ...charge, network_transaction_id: 'nt_1' };
    expect(chargeResult(said(network), 'key-1')).toEqual({
      ...success,
      networkTransactionId: 'nt_1',
    });
    for (const change of [{ amount: '500' }, { currency: 978 }]) {
      const { told: _, ...bare } = success;
      expect(chargeResult(said({ ...charge, ...change }), 'key-1')).toEqual(bare);
    }
  });

  it('is a decline, with its codes', () => {
    expect(chargeResult(said(declined, 402), 'key-1')).toMatchObject({
      kind: 'declined',
      pspTransactionId: 'sbx_1',
      told,
      decline: { code: 'expired_card', networkCode: '54', network: 'visa', message: 'Expired.' },
    });
    const advised = {
      ...declined,
      network: 'none',
      error: { code: 'c', network_code: '05', advice_code: '03', message: 7 },
    };
    const result = chargeResult(said(advised, 402), 'key-1');
    expect(result).toMatchObject({ decline: { adviceCode: '03' } });
    expect(result).not.toMatchObject({ decline: { network: expect.anything() } });
    expect(result).not.toMatchObject({ decline: { message: expect.anything() } });
  });

  it.each([
    ['without an id', { ...charge, id: '' }],
    ['with an id that is too long', { ...charge, id: 'x'.repeat(256) }],
    ['of another key', { ...charge, idempotency_key: 'key-2' }],
    ['of a status that is new', { ...charge, status: 'pending' }],
    ['of a decline without an error', { ...declined, error: undefined }],
    ['of a decline without a code', { ...declined, error: { network_code: '54' } }],
    ['of a decline without a network’s code', { ...declined, error: { code: 'c' } }],
    ['of an error beside a new status', { ...declined, status: 'pending' }],
    ['that is a list', [charge]],
    ['that is no JSON', 'sbx_1'],
  ])('%s says nothing certain', (_what, body) => {
    expect(chargeResult(said(body), 'key-1')).toEqual(notUnderstood(200));
    expect(chargeResult(said(body, 402), 'key-1')).toEqual(notUnderstood(402));
  });

  it.each([400, 401, 403, 404, 405, 413, 415, 429])(
    'with %i says that nothing was made',
    (status) => {
      const sent = said({ error: { message: 'No.' } }, status, { 'retry-after': '30' });
      const ofRequest = status === 400 && { isRequestRefused: true };
      expect(chargeResult(sent, 'key-1')).toEqual({
        kind: 'not_made',
        reason: `HTTP ${status}: No.`,
        retryAfterMs: 30_000,
        ...ofRequest,
      });
      expect(chargeResult(said('', status), 'key-1')).toEqual({
        kind: 'not_made',
        reason: `HTTP ${status}`,
        ...ofRequest,
      });
    },
  );

  it('with 503 says so only in the sandbox’s own words', () => {
    const unavailable = { error: { type: 'unavailable' } };
    expect(chargeResult(said(unavailable, 503), 'key-1').kind).toBe('not_made');
    expect(chargeResult(said(unavailable, 500), 'key-1').kind).toBe('unknown');
    expect(chargeResult(said({ error: { type: 'other' } }, 503), 'key-1').kind).toBe('unknown');
    expect(chargeResult(said('Service Unavailable', 503), 'key-1').kind).toBe('unknown');
  });

  it('was not made where nothing was sent, and is not known where its answer was lost', () => {
    expect(chargeResult(notSent, 'key-1')).toEqual({ kind: 'not_made', reason: 'nobody listens' });
    expect(chargeResult(lost, 'key-1')).toEqual({
      kind: 'unknown',
      reason: 'the connection broke',
    });
  });
});

describe('the record of the sandbox', () => {
  it('has a charge, none, or nothing that can be understood', () => {
    expect(lookUpResult(said({ data: [charge] }), lookUp)).toMatchObject({ kind: 'succeeded' });
    expect(lookUpResult(said({ data: [declined] }), lookUp)).toMatchObject({ kind: 'declined' });
    expect(lookUpResult(said({ data: [] }), lookUp)).toEqual({ kind: 'not_found' });
    for (const body of [
      {},
      { data: {} },
      'x',
      { data: [{ ...charge, idempotency_key: 'key-2' }] },
      { data: ['x'] },
    ]) {
      expect(lookUpResult(said(body), lookUp)).toEqual(notUnderstood(200));
    }
  });

  it('says nothing where it is refused or does not answer', () => {
    expect(lookUpResult(said({ error: { message: 'No.' } }, 401), lookUp)).toEqual({
      kind: 'unknown',
      reason: 'HTTP 401: No.',
    });
    expect(lookUpResult(said({ data: [] }, 500), lookUp)).toEqual({
      kind: 'unknown',
      reason: 'HTTP 500',
    });
    expect(lookUpResult(lost, lookUp)).toEqual({ kind: 'unknown', reason: 'the connection broke' });
  });
});

it('the secret of the sandbox is accepted, refused, or could not be checked', () => {
  expect(credentialsResult(said({}))).toEqual({ kind: 'accepted', account: 'sandbox' });
  expect(credentialsResult(said({ error: { message: 'No.' } }, 401))).toEqual({
    kind: 'refused',
    reason: 'HTTP 401: No.',
  });
  expect(credentialsResult(said('', 500))).toEqual({ kind: 'unreachable', reason: 'HTTP 500' });
  expect(credentialsResult(lost)).toEqual({ kind: 'unreachable', reason: 'the connection broke' });
});
