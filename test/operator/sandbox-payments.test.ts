import { expect, it } from 'vitest';
import type { SandboxApi } from '../../src/recovery/sandbox-api.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { paymentView } from '../kits/payment-views.ts';

function sandboxKit() {
  const submitted: unknown[] = [];
  const sandbox: SandboxApi = {
    magicMethods: [{ id: 'pm_sandbox_success', examples: ['pm_sandbox_success'], meaning: 'Yes.' }],
    async submitPayments(input) {
      submitted.push(input);
      return { batch: 'b1', merchantId: 'mer_1', count: input.count };
    },
    async showPayments(batch) {
      if (batch !== 'b1') return undefined;
      const total = { status: 'recovered', currency: 'USD', count: 2, amountMinor: 8_450 } as const;
      return { merchantId: 'mer_1', totals: [total], latest: [paymentView('in_1')] };
    },
  };
  return { ...operatorKit({ sandbox }), submitted };
}

it('lists the payment methods of the sandbox', async () => {
  const { json } = await sandboxKit().ask('GET', '/api/sandbox/payment-methods');
  expect(json.items).toEqual([
    { id: 'pm_sandbox_success', examples: ['pm_sandbox_success'], meaning: 'Yes.' },
  ]);
});

it('submits as many payments as are asked for, 500 at most', async () => {
  const { ask, submitted } = sandboxKit();
  const reply = await ask('POST', '/api/sandbox/payments', { count: 500, seed: 7 });
  expect([reply.status, reply.json]).toEqual([
    201,
    { batch: 'b1', merchant_id: 'mer_1', count: 500 },
  ]);
  expect(submitted).toEqual([{ count: 500, seed: 7 }]);
  const refused = await ask('POST', '/api/sandbox/payments', { count: 501, seed: -1 });
  expect([refused.status, fieldsOf(refused).length]).toEqual([400, 2]);
  expect(submitted).toHaveLength(1);
});

it('shows a batch in decimals of its currency, and knows no other', async () => {
  const { ask } = sandboxKit();
  const { json } = await ask('GET', '/api/sandbox/payments/b1');
  expect(json.totals).toEqual([{ status: 'recovered', currency: 'USD', count: 2, amount: 84.5 }]);
  expect(json.latest).toMatchObject([{ merchant_id: 'mer_1', invoice_id: 'in_1' }]);
  expect((await ask('GET', '/api/sandbox/payments/b2')).status).toBe(404);
});

it.each(['/api/sandbox/payment-methods', '/api/sandbox/payments/b1'])(
  'has no %s outside the sandbox',
  async (path) => {
    const reply = await operatorKit().ask('GET', path);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'sandbox_only']);
  },
);
