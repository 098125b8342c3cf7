import { describe, expect, it } from 'vitest';
import type { PaymentState } from '../../src/domain/states.ts';
import { fakePayment } from '../kits/fake-operator-api.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';

function withPayments(...states: readonly PaymentState[]) {
  const kit = operatorKit();
  const payments = states.map((state, index) => fakePayment(`in/${index + 1}`, state));
  kit.api.payments.set('mer_1', payments);
  return kit;
}

const path = '/api/merchants/mer_1/payments/in%2F1';

describe('GET /api/payments', () => {
  it('lists payments with their merchant, amounts as decimals', async () => {
    const { ask } = withPayments('scheduled', 'recovered');
    const reply = await ask('GET', '/api/payments?status=scheduled');
    expect(reply.json).toEqual({
      items: [
        {
          merchant_id: 'mer_1',
          invoice_id: 'in/1',
          customer_id: 'cus_82',
          status: 'scheduled',
          amount: 42,
          currency: 'USD',
          failed_at: '2026-03-01T09:30:00.000Z',
          window_ends_at: '2026-03-29T09:30:00.000Z',
          next_attempt_at: '2026-03-04T09:30:00.000Z',
          attempt_count: 1,
          created_at: '2026-03-01T09:30:00.000Z',
          updated_at: '2026-03-01T09:30:00.000Z',
        },
      ],
    });
  });

  it('passes every filter on', async () => {
    const { ask, api } = withPayments();
    await ask('GET', '/api/payments?merchant_id=mer_1&status=stopped&search=cus_82&limit=3');
    expect(api.calls.at(-1)?.input).toEqual({
      merchantId: 'mer_1',
      status: 'stopped',
      search: 'cus_82',
      limit: 3,
    });
  });

  it.each([
    [
      'status=failed',
      "status: Input should be 'scheduled', 'attempting', 'recovered', 'stopped' or 'exhausted'",
    ],
    ['search=', 'search: String should have at least 1 character'],
    ['customer=x', 'customer: There is no such field'],
  ])('refuses ?%s', async (query, fault) => {
    const reply = await withPayments().ask('GET', `/api/payments?${query}`);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [fault]]);
  });
});

describe('GET /api/merchants/{id}/payments/{invoice_id}', () => {
  it('shows the payment, its attempts and its deliveries', async () => {
    const { ask } = withPayments('scheduled');
    const reply = await ask('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      merchant_id: 'mer_1',
      invoice_id: 'in/1',
      subscription_id: 'sub_1',
      transaction_id: 'tr_1',
      original_psp_transaction_id: 'ch_1',
      psp: 'sandbox',
      custom: { plan: { tier: 'gold' } },
      decision: { kind: 'attempt', because: "the fixed schedule's next time" },
      deliveries: [{ event_id: 'evt_1', type: 'retry_result', status: 'pending', tries: 1 }],
    });
    expect(reply.json.attempts).toEqual([
      {
        id: 'att_1',
        number: 1,
        status: 'declined',
        started_at: '2026-03-02T09:30:00.000Z',
        ended_at: '2026-03-02T09:30:01.000Z',
        amount: 42,
        currency: 'USD',
        decision: { kind: 'attempt', because: "the fixed schedule's next time" },
        check: { retry: true, reason: 'Other' },
        transactions: [
          {
            ordinal: 1,
            status: 'declined',
            payment_method_id: 'pm_1',
            psp_transaction_id: 'ch_2',
            amount: 42,
            currency: 'USD',
            decline: { category: 'later', code: '51', network_code: '51', wait_seconds: 86_400 },
            sent_at: '2026-03-02T09:30:00.500Z',
            settled_at: '2026-03-02T09:30:01.000Z',
          },
        ],
      },
    ]);
  });

  it('answers 404 for no payment', async () => {
    const reply = await withPayments().ask('GET', path);
    expect([reply.status, reply.json.error.message]).toEqual([
      404,
      'The merchant has no payment of this invoice. Check the id and the merchant it belongs to.',
    ]);
  });
});

describe('POST …/retry', () => {
  it('schedules a try now, without a body', async () => {
    const { ask, api } = withPayments('scheduled');
    const reply = await ask('POST', `${path}/retry`);
    expect([reply.status, reply.json]).toEqual([
      202,
      { status: 'scheduled', next_attempt_at: '2026-03-01T09:30:00.000Z' },
    ]);
    expect(api.calls.at(-1)?.input).toEqual({ merchantId: 'mer_1', invoiceId: 'in/1' });
  });

  it('schedules a try at a time', async () => {
    const { ask } = withPayments('scheduled');
    const reply = await ask('POST', `${path}/retry`, { retry_at: '2026-03-02T07:00:00+01:00' });
    expect(reply.json.next_attempt_at).toBe('2026-03-02T06:00:00.000Z');
  });

  it('names the rule that forbids it', async () => {
    const reply = await withPayments('recovered').ask('POST', `${path}/retry`, {});
    expect([reply.status, reply.json.error]).toEqual([
      409,
      {
        code: 'conflict',
        message: 'The payment is already recovered. Read the present state and decide again.',
      },
    ]);
  });

  it.each([{ retry_at: 'soon' }, { retry_at: null }, { at: '2026-03-02T06:00:00Z' }, []])(
    'refuses %j',
    async (body) => {
      const { ask, api } = withPayments('scheduled');
      const reply = await ask('POST', `${path}/retry`, body);
      expect([reply.status, reply.json.error.fields.length]).toEqual([400, 1]);
      expect(api.calls).toEqual([]);
    },
  );

  it('answers 404 for no payment', async () => {
    expect((await withPayments().ask('POST', `${path}/retry`)).status).toBe(404);
  });
});

describe('POST …/stop', () => {
  it.each([
    ['scheduled', 200, 'stopped'],
    ['attempting', 202, 'in_flight'],
    ['recovered', 200, 'recovered'],
    ['exhausted', 200, 'exhausted'],
  ] as const)('of a payment that is %s answers %i and %s', async (state, status, word) => {
    const { ask, api } = withPayments(state);
    const reply = await ask('POST', `${path}/stop`, { reason: 'the customer asked' });
    expect([reply.status, reply.json]).toEqual([status, { status: word }]);
    expect(api.calls.at(-1)?.input).toEqual({
      merchantId: 'mer_1',
      invoiceId: 'in/1',
      reason: 'the customer asked',
    });
  });

  it.each([
    [{}, 'reason: Field required'],
    [{ reason: '' }, 'reason: Input should be 1 to 500 characters without line breaks'],
    [
      { reason: 'x'.repeat(501) },
      'reason: Input should be 1 to 500 characters without line breaks',
    ],
  ])('refuses %j', async (body, fault) => {
    const { ask } = withPayments('scheduled');
    expect(fieldsOf(await ask('POST', `${path}/stop`, body))).toEqual([fault]);
  });

  it('needs a body', async () => {
    const { ask } = withPayments('scheduled');
    expect(fieldsOf(await ask('POST', `${path}/stop`))).toEqual(['body: Field required']);
  });

  it('answers 404 for no payment', async () => {
    const reply = await withPayments().ask('POST', `${path}/stop`, { reason: 'x' });
    expect(reply.status).toBe(404);
  });
});
