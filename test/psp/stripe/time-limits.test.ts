import { expect, it } from 'vitest';
import { timeLimits } from '../../../src/psp/stripe/time-limits.ts';
import { brokenPsp } from '../broken-psp.ts';
import { openGateway } from './stripe-kit.ts';

it.each([0, 1, 2, 3])('%i steps, the charge and one step more end by the deadline', (before) => {
  const limits = timeLimits(30_000);
  const { stepMs } = limits;
  expect(before * stepMs + limits.chargeMs(before) + stepMs).toBe(30_000);
  expect(limits.chargeMs(before)).toBeGreaterThanOrEqual(2 * stepMs);
});

it('leaves a charge the time that reading its customer did not take for itself', async () => {
  const psp = await brokenPsp(({ method }, response) => {
    if (method === 'GET') response.end('{"id":"pm_1","customer":"cus_1"}');
  });
  const credentials = { secret_key: 'sk_test_1' };
  const gateway = openGateway(psp.url, { credentials, deadlineMs: 300 });
  const result = await gateway.charge({
    merchantId: 'mer_1',
    invoiceId: 'inv_1',
    idempotencyKey: 'att_1-0',
    amountMinor: 1_999,
    currency: 'USD',
    paymentMethodId: 'pm_1',
  });
  expect(result).toEqual({ kind: 'unknown', reason: 'no answer within 200 ms' });
  await gateway.close();
});
