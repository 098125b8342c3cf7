import { expect, it } from 'vitest';
import { operatorService } from '../kits/operator-service.ts';
import { seedPayment } from '../store/reports/seed.ts';

const at = new Date('2026-03-02T12:00:00Z');

it('lists what was set aside, and has it done again', async () => {
  const { ask, db, merchant } = await operatorService();
  const merchantId = await merchant();
  const aside = { set_aside_at: at, set_aside_reason: 'it broke', failures: 5 };
  await seedPayment(db, { merchantId, invoiceId: 'in_1', ...aside, next_attempt_at: null });
  await seedPayment(db, { merchantId, invoiceId: 'in_2' });
  const items = [
    {
      kind: 'payment',
      merchant_id: merchantId,
      id: 'in_1',
      invoice_id: 'in_1',
      reason: 'it broke',
      failures: 5,
      set_aside_at: at.toISOString(),
    },
  ];
  expect((await ask('GET', '/api/set-aside')).json).toEqual({ items });
  expect((await ask('GET', '/api/set-aside?kind=payment&invoice_id=in_1')).json).toEqual({ items });
  expect((await ask('GET', '/api/set-aside?kind=delivery')).json).toEqual({ items: [] });
  const body = { kind: 'payment', merchant_id: merchantId, id: 'in_1' };
  expect((await ask('POST', '/api/set-aside/retry', body)).json).toEqual({ retried: true });
  expect((await ask('GET', '/api/set-aside')).json).toEqual({ items: [] });
  const other = await ask('POST', '/api/set-aside/retry', { ...body, id: 'in_2' });
  expect(other.status).toBe(404);
});
