import { expect, it } from 'vitest';
import type { SandboxApi } from '../../src/recovery/sandbox-api.ts';
import { fieldsOf, operatorKit, unused } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedPayment } from '../store/reports/seed.ts';

function sandboxKit() {
  const submitted: unknown[] = [];
  const sandbox: SandboxApi = {
    merchantId: 'mer_1',
    magicMethods: [{ id: 'pm_sandbox_success', examples: ['pm_sandbox_success'], meaning: 'Yes.' }],
    async submitPayments(input) {
      submitted.push(input);
      return { batch: 'b1', merchantId: 'mer_1', count: input.count };
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

it('shows a batch in decimals of its currency, the latest first, and knows no other', async () => {
  // Whose payments they are is known once there is a merchant.
  const demo = { merchantId: '' };
  const { submitPayments } = unused<SandboxApi>('batches');
  const sandbox = Object.assign(demo, { magicMethods: [], submitPayments });
  const service = await operatorService({ sandbox });
  demo.merchantId = await service.merchant();
  const { merchantId } = demo;
  const batch = '3v5kq0m2';
  const seeds = [
    { invoiceId: `inv_sim_${batch}_1`, state: 'recovered', updated_at: minute(2) },
    { invoiceId: `inv_sim_${batch}_500`, state: 'recovered', updated_at: minute(3) },
    { invoiceId: `inv_sim_${batch}_7`, state: 'scheduled', updated_at: minute(1) },
    { invoiceId: 'inv_sim_another0_1', state: 'recovered', updated_at: minute(4) },
  ] as const;
  for (const seed of seeds)
    await seedPayment(service.db, { merchantId, ...seed, amount_minor: 4_225 });
  const { json } = await service.ask('GET', `/api/sandbox/payments/${batch}`);
  expect(json.totals).toEqual([
    { status: 'recovered', currency: 'EUR', count: 2, amount: 84.5 },
    { status: 'scheduled', currency: 'EUR', count: 1, amount: 42.25 },
  ]);
  expect(json.latest.map((each: { invoice_id: string }) => each.invoice_id)).toEqual([
    `inv_sim_${batch}_500`,
    `inv_sim_${batch}_1`,
    `inv_sim_${batch}_7`,
  ]);
  expect(json.latest[0]).toMatchObject({ merchant_id: merchantId });
  for (const other of ['00000000', 'no batch', `${batch}0`]) {
    const reply = await service.ask('GET', `/api/sandbox/payments/${encodeURIComponent(other)}`);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'not_found']);
  }
});

it.each(['/api/sandbox/payment-methods', '/api/sandbox/payments/b1'])(
  'has no %s outside the sandbox',
  async (path) => {
    const reply = await operatorKit().ask('GET', path);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'sandbox_only']);
  },
);
