import { expect, it } from 'vitest';
import { gapsOf, maturesAt } from '../../../src/domain/analytics/evidence.ts';

it.each([
  [{}, []],
  [{ hasPublicIp: false }, ['public_ipv4_address']],
  [{ hasUserAgent: false }, ['user_agent']],
  [{ ids: ['customer_id', 'transaction_id'] as const }, []],
  [{ ids: ['customer_id', 'invoice_id'] as const }, ['payment_id']],
  [{ ids: ['charge_id'] as const }, ['customer_id']],
  [
    { hasPublicIp: false, hasUserAgent: false, ids: [] },
    ['public_ipv4_address', 'customer_id', 'user_agent', 'payment_id'],
  ],
])('an analytics record with %j lacks %j', (change, gaps) => {
  const whole = {
    hasPublicIp: true,
    hasUserAgent: true,
    ids: ['customer_id', 'charge_id'] as const,
  };
  expect(gapsOf({ ...whole, ...change })).toEqual(gaps);
});

it('an analytics record is old enough after 120 days', () => {
  expect(maturesAt(new Date('2026-01-01T10:00:00Z'))).toEqual(new Date('2026-05-01T10:00:00Z'));
});
