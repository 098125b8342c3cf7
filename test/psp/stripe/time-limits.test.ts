import { expect, it } from 'vitest';
import { chargeByIntent } from '../../../src/psp/stripe/charges/intent-charge.ts';
import type { Answer, StripeClient } from '../../../src/psp/stripe/client.ts';
import { timeLimits } from '../../../src/psp/stripe/time-limits.ts';

it.each([0, 1, 2, 3])('%i steps, the charge and one step more end by the deadline', (before) => {
  const limits = timeLimits(30_000);
  const { stepMs } = limits;
  expect(before * stepMs + limits.chargeMs(before) + stepMs).toBe(30_000);
  expect(limits.chargeMs(before)).toBeGreaterThanOrEqual(2 * stepMs);
});

it('gives a charge what reading its customer and its decline leave', async () => {
  const asked: number[] = [];
  const answers: Answer<unknown>[] = [
    { kind: 'answered', value: { id: 'pm_1', customer: 'cus_1' } },
    { kind: 'lost', reason: 'no answer' },
  ];
  const client: StripeClient = {
    ask: async <T>(timeoutMs: number) => {
      asked.push(timeoutMs);
      return answers[asked.length - 1] as Answer<T>;
    },
  };
  const request = {
    merchantId: 'mer_1',
    invoiceId: 'inv_1',
    idempotencyKey: 'att_1-0',
    amountMinor: 1_999,
    currency: 'USD',
    paymentMethodId: 'pm_1',
  };
  const amount = { kind: 'amount', amount: 1_999, currency: 'usd' } as const;
  const result = await chargeByIntent({ client, limits: timeLimits(30_000) }, request, amount);
  expect(result).toEqual({ kind: 'unknown', reason: 'no answer' });
  expect(asked).toEqual([5_000, 20_000]);
});
