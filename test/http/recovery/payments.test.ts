import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import { showPayment } from '../../../src/http/recovery/payments/show-payment.ts';
import { isRfc3339 } from '../../../src/http/rfc3339.ts';
import { paymentView } from '../../kits/payment-views.ts';
import { testServer } from '../../kits/recovery-server.ts';

const paymentNotFound = '{"message":"Payment not found."}';

describe('GET /recover/payments/{invoice_id}', () => {
  test('shows amounts as decimals, times in UTC, and every field that has a value', async () => {
    const { call, api } = testServer();
    api.payments.set('in_1', paymentView('in_1'));
    const answer = await call({ method: 'GET', url: '/recover/payments/in_1' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      invoice_id: 'in_1',
      customer_id: 'cus_1',
      status: 'stopped',
      stop_reason: 'merchant_stop',
      stop_detail: 'cancelled',
      amount: 12.23,
      currency: 'USD',
      failed_at: '2026-06-01T00:00:00.000Z',
      window_ends_at: '2026-06-29T00:00:00.000Z',
      next_attempt_at: '2026-06-04T00:00:00.000Z',
      attempt_count: 1,
      created_at: '2026-06-01T00:00:01.000Z',
      updated_at: '2026-06-02T00:00:02.345Z',
      subscription_id: 'sub_1',
      transaction_id: 'txn_1',
      original_psp_transaction_id: 'ch_1',
      psp: 'sandbox',
      custom: { plan: 'gold' },
      decision: { kind: 'attempt' },
      attempts: [
        {
          id: 'att_1',
          number: 1,
          status: 'declined',
          started_at: '2026-06-02T00:00:00.000Z',
          ended_at: '2026-06-02T00:00:02.000Z',
          amount: 500,
          currency: 'JPY',
          decision: { policy: 'fixed' },
          check: { retry: true },
          transactions: [
            {
              ordinal: 1,
              status: 'declined',
              payment_method_id: 'pm_1',
              psp_transaction_id: 'sbx_1',
              network_transaction_id: 'net_1',
              amount: 500,
              currency: 'JPY',
              decline: {
                category: 'later',
                code: 'insufficient_funds',
                network: 'visa',
                network_code: '51',
                sources: [{ source: 'network_code', said: '51', category: 'later' }],
              },
              sent_at: '2026-06-02T00:00:01.000Z',
              settled_at: '2026-06-02T00:00:02.000Z',
            },
          ],
        },
      ],
      deliveries: [
        {
          event_id: 'evt_1',
          type: 'retry_result',
          status: 'pending',
          tries: 2,
          next_attempt_at: '2026-06-02T12:00:02.000Z',
          last_status: 503,
          last_error: 'server_error',
        },
      ],
    });
  });

  test('is what the docs say', async () => {
    const { call, api } = testServer();
    api.payments.set('in_1', paymentView('in_1'));
    const answer = await call({ method: 'GET', url: '/recover/payments/in_1' });
    const docs = showPayment.answers?.[200] ?? {};
    const schema = 'schema' in docs ? (docs.schema as object) : false;
    const ajv = new Ajv({ formats: { 'date-time': isRfc3339 }, keywords: ['x-fault', 'x-id'] });
    const validate = ajv.compile(schema);
    expect([validate(answer.json()), validate.errors]).toEqual([true, null]);
  });

  test.each([
    ['a%00b', 'String should not contain NUL characters'],
    ['4111111111111111', expect.stringMatching(/card.*\[card_number_refused\]$/)],
  ])('%s is refused', async (id, text) => {
    const answer = await testServer().call({ method: 'GET', url: `/recover/payments/${id}` });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'Invalid request body', errors: [{ invoice_id: text }] },
    ]);
  });

  test.each([['in_unknown'], ['x'.repeat(256)], [encodeURIComponent('😀'.repeat(256))]])(
    '%s is not found',
    async (id) => {
      const { call } = testServer();
      const answer = await call({ method: 'GET', url: `/recover/payments/${id}` });
      expect([answer.statusCode, answer.body]).toEqual([404, paymentNotFound]);
    },
  );

  test.each(['in/1', 'in 1?#&', '100%', 'счёт', 'a+b', '..', 'in:1', '😀'.repeat(255)])(
    'an id such as %s is found by its percent-encoded form',
    async (id) => {
      const { call, api } = testServer();
      api.payments.set(id, paymentView(id));
      const path = encodeURIComponent(id).replaceAll('.', '%2E');
      const answer = await call({ method: 'GET', url: `/recover/payments/${path}` });
      expect(answer.statusCode).toBe(id === '..' ? 404 : 200);
    },
  );
});

describe('GET /recover/payments', () => {
  test('gives a page, and a cursor while there is more', async () => {
    const { call, api } = testServer();
    for (const id of ['in_1', 'in_2']) api.payments.set(id, paymentView(id));
    const one = await call({ method: 'GET', url: '/recover/payments?limit=1' });
    expect(one.json()).toMatchObject({ payments: [{ invoice_id: 'in_1' }], next_cursor: 'next' });
    expect(one.json<{ payments: object[] }>().payments[0]).not.toHaveProperty('attempts');
    const all = await call({ method: 'GET', url: '/recover/payments' });
    expect(all.json<{ payments: object[] }>().payments).toHaveLength(2);
    expect(all.json()).not.toHaveProperty('next_cursor');
  });

  test('hands every filter on', async () => {
    const { call, api } = testServer();
    const query = new URLSearchParams({
      status: 'scheduled',
      waiting_for: 'customer',
      customer_id: 'cus ü',
      created_from: '2026-06-01T00:00:00+02:00',
      created_to: '2026-06-02T00:00:00Z',
      cursor: 'abc',
      limit: '200',
      unknown: 'x',
    });
    await call({ method: 'GET', url: `/recover/payments?${query}` });
    await call({ method: 'GET', url: '/recover/payments' });
    expect(api.listed).toEqual([
      {
        merchantId: 'mer_first',
        status: 'scheduled',
        waitingFor: 'customer',
        customerId: 'cus ü',
        createdFrom: new Date('2026-05-31T22:00:00Z'),
        createdTo: new Date('2026-06-02T00:00:00Z'),
        cursor: 'abc',
        limit: 200,
      },
      { merchantId: 'mer_first', limit: 50 },
    ]);
  });

  test.each([
    [
      'status=paused',
      {
        status: "Input should be 'scheduled', 'attempting', 'recovered', 'stopped' or 'exhausted'",
      },
    ],
    [
      'status=',
      {
        status: "Input should be 'scheduled', 'attempting', 'recovered', 'stopped' or 'exhausted'",
      },
    ],
    ['status=stopped&status=recovered', { status: 'Parameter given more than once' }],
    ['waiting_for=card', { waiting_for: "Input should be 'attempt' or 'customer'" }],
    ['limit=0', { limit: 'Input should be greater than or equal to 1' }],
    ['limit=201', { limit: 'Input should be less than or equal to 200' }],
    ['limit=many', { limit: 'Input should be a valid integer' }],
    ['created_from=yesterday', { created_from: expect.stringContaining('RFC 3339') }],
    ['created_to=2026-06-31T00:00:00Z', { created_to: expect.stringContaining('RFC 3339') }],
    ['customer_id=%00', { customer_id: 'String should not contain NUL characters' }],
    [`cursor=${'x'.repeat(2_049)}`, { cursor: 'String should have at most 2048 characters' }],
  ])('%s is 400', async (query, fault) => {
    const { call, api } = testServer();
    const answer = await call({ method: 'GET', url: `/recover/payments?${query}` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ message: 'Invalid request body', errors: [fault] });
    expect(api.listed).toEqual([]);
  });

  test('a cursor that the engine does not know is 400', async () => {
    const { call, api } = testServer();
    api.failure = new AppError('invalid_request', 'cursor is not one that this list has given.');
    const answer = await call({ method: 'GET', url: '/recover/payments?cursor=made-up' });
    expect([answer.statusCode, answer.json<{ errors: unknown }>().errors]).toEqual([
      400,
      [{ cursor: 'Input should be a cursor from this list' }],
    ]);
  });
});

describe('POST …/retry', () => {
  const url = '/recover/payments/in_1/retry';
  const scheduled =
    '{"message":"Retry scheduled","invoice_id":"in_1","next_attempt_at":"2026-06-03T09:00:00.000Z"}';

  test('now, without a body', async () => {
    const { call, api } = testServer();
    api.payments.set('in_1', paymentView('in_1'));
    const answer = await call({ method: 'POST', url });
    expect([answer.statusCode, answer.body]).toEqual([200, scheduled]);
    expect(api.retried).toEqual([{ merchantId: 'mer_first', invoiceId: 'in_1' }]);
  });

  test('at a time', async () => {
    const { post, api } = testServer();
    api.payments.set('in_1', paymentView('in_1'));
    const answer = await post(url, { retry_at: '2026-06-03T11:00:00+02:00' });
    expect([answer.statusCode, answer.body]).toEqual([200, scheduled]);
    expect(api.retried[0]?.retryAt).toEqual(new Date('2026-06-03T09:00:00Z'));
  });

  test('refused by a rule is 409 with the reason', async () => {
    const { call, api } = testServer();
    api.payments.set('in_1', paymentView('in_1'));
    api.retryOutcome = { kind: 'refused', because: 'The window has ended.' };
    const answer = await call({ method: 'POST', url });
    expect([answer.statusCode, answer.body]).toEqual([
      409,
      '{"message":"Conflict","errors":"The window has ended."}',
    ]);
  });

  test('of an unknown payment is 404', async () => {
    const answer = await testServer().call({ method: 'POST', url });
    expect([answer.statusCode, answer.body]).toEqual([404, paymentNotFound]);
  });

  test.each([
    [{ retry_at: 'soon' }, { retry_at: expect.stringContaining('RFC 3339') }],
    [{ retry_at: 1_780_000_000 }, { retry_at: 'Input should be a valid string' }],
    [[], { body: 'Input should be a valid object' }],
  ])('%j is 400', async (body, fault) => {
    const { post, api } = testServer();
    const answer = await post(url, body);
    expect([answer.statusCode, answer.json<{ errors: unknown }>().errors]).toEqual([400, [fault]]);
    expect(api.retried).toEqual([]);
  });
});

describe('POST …/stop', () => {
  const url = '/recover/payments/in_1/stop';
  const stopped = '{"message":"Payment stopped","invoice_id":"in_1","status":"stopped"}';

  test.each([
    [{ kind: 'stopped' } as const, 200, stopped],
    [{ kind: 'already', status: 'stopped' } as const, 200, stopped],
    [
      { kind: 'already', status: 'recovered' } as const,
      409,
      '{"message":"Conflict","errors":"The payment has ended as recovered."}',
    ],
    [
      { kind: 'in_flight' } as const,
      409,
      '{"message":"Conflict","errors":"A charge is on its way. The stop is recorded: nothing is sent after that charge. Stop again, or look at the payment, to see how it ended."}',
    ],
    [{ kind: 'not_found' } as const, 404, paymentNotFound],
  ])('%j', async (outcome, status, body) => {
    const { post, api } = testServer();
    api.payments.set('in_1', paymentView('in_1'));
    api.stopOutcome = outcome;
    const answer = await post(url, { reason: 'The customer left.' });
    expect([answer.statusCode, answer.body]).toEqual([status, body]);
    expect(api.stopped).toEqual([
      { merchantId: 'mer_first', invoiceId: 'in_1', reason: 'The customer left.' },
    ]);
  });

  test('has a reason of its own without a body', async () => {
    const { call, api } = testServer();
    await call({ method: 'POST', url });
    expect(api.stopped[0]?.reason).toBe('Stopped through the API.');
  });

  test.each([
    [{ reason: 'x'.repeat(501) }, 'String should have at most 500 characters'],
    [{ reason: '' }, 'String should have at least 1 character'],
    [{ reason: 7 }, 'Input should be a valid string'],
  ])('%j is 400', async (body, text) => {
    const answer = await testServer().post(url, body);
    expect(answer.json<{ errors: unknown }>().errors).toEqual([{ reason: text }]);
  });
});
