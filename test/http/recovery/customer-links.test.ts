import { describe, expect, test } from 'vitest';
import { linkedPaymentExample } from '../../../src/http/recovery/customers/link-parts.ts';
import { testServer } from '../../kits/recovery-server.ts';

const endsAt = new Date('2026-06-29T00:00:05.000Z');
const payment = {
  merchantId: 'mer_1',
  invoiceId: 'in_1001',
  customerId: 'cus_1001',
  subscriptionId: 'sub_1001',
  paymentMethodId: 'pm_1001',
  status: 'scheduled',
  amountMinor: 1223,
  currency: 'USD',
  windowEndsAt: endsAt,
} as const;
const calls = [
  ['GET', '', undefined],
  ['POST', '/visits', undefined],
  ['POST', '/outcomes', { outcome: 'authenticated' }],
] as const;

function ask([method, path, body]: readonly ['GET' | 'POST', string, object | undefined]) {
  const { call, api } = testServer();
  return {
    api,
    answer: () =>
      call({
        method,
        url: `/recover/customer_links/a.b${path}`,
        ...(body !== undefined && { payload: body }),
      }),
  };
}

describe.each(calls)('%s /recover/customer_links/{token}%s', (...of) => {
  test('answers what the token names', async () => {
    const { api, answer } = ask(of);
    api.linkAnswer = { kind: 'payment', payment, endsAt };
    const given = await answer();
    expect(given.statusCode).toBe(200);
    expect(given.json()).toEqual(
      of[1] === '/outcomes' ? { invoice_id: 'in_1001', retries: true } : linkedPaymentExample,
    );
  });

  test.each([
    [{ kind: 'bad' }, 404, { message: 'Customer link not found.' }],
    [
      { kind: 'foreign' },
      403,
      { message: 'Forbidden', errors: 'The link is of a payment of another merchant.' },
    ],
    [
      { kind: 'ended', endedAt: endsAt },
      410,
      {
        message: 'Gone',
        errors: 'The link ended with its payment’s window, at 2026-06-29T00:00:05.000Z.',
      },
    ],
  ] as const)('refuses %j with %i', async (linkAnswer, status, body) => {
    const { api, answer } = ask(of);
    api.linkAnswer = linkAnswer;
    const given = await answer();
    expect([given.statusCode, given.json()]).toEqual([status, body]);
  });
});

describe.each(calls)('%s /recover/customer_links/{token}%s of a card', (...of) => {
  test('answers which card it is, and nothing of a payment', async () => {
    const { api, answer } = ask(of);
    const card = {
      merchantId: 'mer_1',
      customerId: 'cus_1001',
      subscriptionId: 'sub_1001',
      paymentMethodId: 'pm_1001',
      cardEndsAt: new Date('2026-05-01T00:00:00.000Z'),
      isEnded: false,
    };
    api.linkAnswer = { kind: 'card', card, endsAt };
    const given = await answer();
    expect([given.statusCode, given.json()]).toEqual([
      200,
      of[1] === '/outcomes'
        ? { payment_method_id: 'pm_1001', retries: false }
        : {
            customer_id: 'cus_1001',
            subscription_id: 'sub_1001',
            payment_method_id: 'pm_1001',
            card_expires: '2026-04',
            is_replaced: false,
            ends_at: endsAt.toISOString(),
          },
    ]);
  });
});

test.each([
  [{}, { outcome: 'Field required' }],
  [{ outcome: 'paid' }, { outcome: expect.stringContaining('payment_method_added') }],
])('the outcome %j is refused', async (payload, error) => {
  const { call } = testServer();
  const answer = await call({
    method: 'POST',
    url: '/recover/customer_links/a.b/outcomes',
    payload,
  });
  expect([answer.statusCode, answer.json().errors]).toEqual([400, [error]]);
});
