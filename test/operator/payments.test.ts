import { describe, expect, it } from 'vitest';
import type { PaymentState } from '../../src/domain/states.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** A merchant with a payment in each of these states: in/1, in/2 and so on. */
async function withPayments(...states: readonly PaymentState[]) {
  const service = await operatorService();
  const merchantId = await service.merchant();
  for (const [at, state] of states.entries()) {
    await seedPayment(service.db, {
      merchantId,
      invoiceId: `in/${at + 1}`,
      state,
      amount_minor: 4_250,
      subscription_id: 'sub_1',
      custom: { plan: { tier: 'gold' } },
      decision: { kind: 'attempt', because: "the fixed schedule's next time" },
      first_decline: { category: 'later', code: '51' },
      ...(state === 'stopped' ? { stop_reason: 'merchant_stop' } : {}),
      ...(state === 'attempting' ? { due_action: 'attempt', next_attempt_at: minute(600) } : {}),
    });
  }
  return { ...service, merchantId, path: `/api/merchants/${merchantId}/payments/in%2F1` };
}

const anywhere = '/api/merchants/mer_1/payments/in%2F1';

describe('GET /api/payments', () => {
  it('lists payments with their merchant, amounts as decimals', async () => {
    const { ask, merchantId } = await withPayments('scheduled', 'recovered');
    const reply = await ask('GET', '/api/payments?status=scheduled');
    expect(reply.json).toEqual({
      items: [
        {
          merchant_id: merchantId,
          invoice_id: 'in/1',
          customer_id: 'cus_of_in/1',
          status: 'scheduled',
          amount: 42.5,
          currency: 'EUR',
          failed_at: minute(0).toISOString(),
          window_ends_at: minute(40_000).toISOString(),
          next_attempt_at: minute(100).toISOString(),
          waiting_for: 'attempt',
          attempt_count: 0,
          created_at: minute(1).toISOString(),
          updated_at: minute(1).toISOString(),
        },
      ],
    });
  });

  it('filters them, and reads them page by page', async () => {
    const { ask, merchantId, merchant } = await withPayments('scheduled', 'stopped', 'stopped');
    const idsOf = async (query: string) => {
      const { json } = await ask('GET', `/api/payments?${query}`);
      return json.items.map((item: { invoice_id: string }) => item.invoice_id);
    };
    expect(await idsOf(`merchant_id=${merchantId}&status=stopped&search=cus_of_in%2F2`)).toEqual([
      'in/2',
    ]);
    expect(await idsOf(`merchant_id=${await merchant()}`)).toEqual([]);
    expect(await idsOf('created_to=2026-03-01T00:01:00Z')).toEqual([]);
    const { next_cursor: cursor } = (await ask('GET', '/api/payments?limit=2')).json;
    expect(await idsOf(`limit=2&cursor=${cursor}`)).toEqual(['in/1']);
  });

  it.each([
    [
      'status=failed',
      "status: Input should be 'scheduled', 'attempting', 'recovered', 'stopped' or 'exhausted'",
    ],
    ['search=', 'search: String should have at least 1 character'],
    ['customer=x', 'customer: There is no such field'],
  ])('refuses ?%s', async (query, fault) => {
    const reply = await operatorKit().ask('GET', `/api/payments?${query}`);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [fault]]);
  });
});

describe('GET /api/merchants/{id}/payments/{invoice_id}', () => {
  it('shows the payment, its attempts and its deliveries, and tells its story', async () => {
    const { ask, db, merchantId, path } = await withPayments('scheduled');
    const key = { merchantId, invoiceId: 'in/1' };
    const told = { state: 'declined', sequence: 3, delivery: 'pending' } as const;
    await seedAttempt(db, { ...key, number: 1, ...told });
    const { status, json } = await ask('GET', path);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      merchant_id: merchantId,
      invoice_id: 'in/1',
      subscription_id: 'sub_1',
      transaction_id: 'tra_of_in/1',
      original_psp_transaction_id: 'ch_of_in/1',
      psp: 'sandbox',
      custom: { plan: { tier: 'gold' } },
      decision: { kind: 'attempt', because: "the fixed schedule's next time" },
      attempts: [
        {
          id: 'att_in/1_1',
          number: 1,
          status: 'declined',
          amount: 10,
          check: { retry: true },
          transactions: [{ ordinal: 1, status: 'declined', payment_method_id: 'pm_1', amount: 10 }],
        },
      ],
      deliveries: [
        { event_id: 'evt_att_in/1_1', type: 'retry_result', status: 'pending', tries: 1 },
      ],
    });
    const timeline = await ask('GET', `${path}/timeline`);
    expect(timeline.json.payment).toEqual(json);
    expect(timeline.json.entries.map((entry: { kind: string }) => entry.kind)).toEqual([
      'failed',
      'taken_in',
      'check',
      'charge',
      'webhook',
    ]);
    expect(timeline.json).not.toHaveProperty('curve');
    expect(timeline.json.planned).toEqual([]);
  });

  it('shows with its timeline the chances that the model planned it by', async () => {
    const { ask, db, clock, path, merchantId } = await withPayments('scheduled');
    const shares = { holdout_share: 0, learned_share: 1, explore_share: 0 };
    const policy = { kind: 'learned', ...shares };
    expect((await ask('PATCH', `/api/merchants/${merchantId}`, { policy })).status).toBe(200);
    clock.at = minute(60);
    const decision = { kind: 'attempt', because: 'a model', arm: 'learned', methods: ['pm_1'] };
    await db.pool.query('update payments set decision = $1', [decision]);
    const { json } = await ask('GET', `${path}/timeline`);
    expect(json.curve).toEqual({
      payment_method_id: 'pm_1',
      from: expect.any(String),
      step_ms: expect.any(Number),
      chances: expect.any(Array),
      allowed_at: minute(60).toISOString(),
      utc_offset_minutes: expect.any(Number),
    });
    const { from, step_ms: stepMs, chances } = json.curve;
    expect(Date.parse(from)).toBeGreaterThanOrEqual(minute(60).getTime());
    const end = Date.parse(from) + chances.length * stepMs;
    expect(Math.abs(end - minute(40_000).getTime())).toBeLessThanOrEqual(stepMs);
    for (const chance of chances) expect(chance > 0 && chance < 1).toBe(true);
    await db.pool.query('update payments set decision = $1', [{ ...decision, arm: 'holdout' }]);
    expect((await ask('GET', `${path}/timeline`)).json).not.toHaveProperty('curve');
  });

  it.each(['', '/timeline'])('answers 404 for no payment (%s)', async (below) => {
    const { ask } = await operatorService();
    for (const path of [anywhere, '/api/merchants/mer_1/payments/in_9']) {
      const reply = await ask('GET', path + below);
      expect([reply.status, reply.json.error.message]).toEqual([
        404,
        'The merchant has no payment for this invoice. Check the id and the merchant it belongs to.',
      ]);
    }
  });
});

describe('POST …/retry', () => {
  it('schedules a try now, without a body', async () => {
    const { ask, path } = await withPayments('scheduled');
    const reply = await ask('POST', `${path}/retry`);
    const at = '2026-03-01T09:30:00.000Z';
    expect([reply.status, reply.json]).toEqual([202, { status: 'scheduled', next_attempt_at: at }]);
    expect((await ask('GET', path)).json.next_attempt_at).toBe(at);
  });

  it('schedules a try at a time', async () => {
    const { ask, path } = await withPayments('scheduled');
    const reply = await ask('POST', `${path}/retry`, { retry_at: '2026-03-02T07:00:00+01:00' });
    expect(reply.json.next_attempt_at).toBe('2026-03-02T06:00:00.000Z');
  });

  it('names the rule that forbids it', async () => {
    const { ask, path } = await withPayments('recovered');
    const reply = await ask('POST', `${path}/retry`, {});
    expect([reply.status, reply.json.error]).toEqual([
      409,
      {
        code: 'conflict',
        message: 'The payment is already recovered. Read the current state and decide again.',
      },
    ]);
  });

  it.each([{ retry_at: 'soon' }, { at: '2026-03-02T06:00:00Z' }, []])(
    'refuses %j',
    async (body) => {
      const reply = await operatorKit().ask('POST', `${anywhere}/retry`, body);
      expect([reply.status, reply.json.error.fields.length]).toEqual([400, 1]);
    },
  );

  it('answers 404 for no payment', async () => {
    const { ask } = await operatorService();
    expect((await ask('POST', `${anywhere}/retry`)).status).toBe(404);
  });
});

describe('POST …/stop', () => {
  it.each([
    ['scheduled', 200, 'stopped'],
    ['recovered', 200, 'recovered'],
    ['exhausted', 200, 'exhausted'],
  ] as const)('of a payment that is %s answers %i and %s', async (state, status, word) => {
    const { ask, path } = await withPayments(state);
    const reply = await ask('POST', `${path}/stop`, { reason: 'the customer asked' });
    expect([reply.status, reply.json]).toEqual([status, { status: word }]);
    const shown = (await ask('GET', path)).json;
    expect(shown.status).toBe(word);
    expect(shown.stop_detail).toBe(state === 'scheduled' ? 'the customer asked' : undefined);
  });

  it('of a payment whose charge is on its way answers 202', async () => {
    const { ask, db, merchantId, path } = await withPayments('attempting');
    await seedAttempt(db, { merchantId, invoiceId: 'in/1', number: 1, state: 'unknown' });
    const reply = await ask('POST', `${path}/stop`, { reason: 'the customer asked' });
    expect([reply.status, reply.json]).toEqual([202, { status: 'in_flight' }]);
  });

  it.each([
    [{}, 'reason: Field required'],
    [{ reason: '' }, 'reason: Input should be 1 to 500 characters without line breaks'],
    [
      { reason: 'x'.repeat(501) },
      'reason: Input should be 1 to 500 characters without line breaks',
    ],
  ])('refuses %j', async (body, fault) => {
    expect(fieldsOf(await operatorKit().ask('POST', `${anywhere}/stop`, body))).toEqual([fault]);
  });

  it('needs a body', async () => {
    expect(fieldsOf(await operatorKit().ask('POST', `${anywhere}/stop`))).toEqual([
      'body: Field required',
    ]);
  });

  it('answers 404 for no payment', async () => {
    const { ask } = await operatorService();
    expect((await ask('POST', `${anywhere}/stop`, { reason: 'x' })).status).toBe(404);
  });
});
