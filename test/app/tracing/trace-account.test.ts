import { expect, test } from 'vitest';
import { traceAccount } from '../../../src/app/tracing/trace-account.ts';
import type { PspAccount } from '../../../src/psp/adapter.ts';
import type { ChargeRequest, LookUpRequest } from '../../../src/recovery/psp-ports.ts';
import { keepSpans } from '../../kits/kept-spans.ts';

const request = {
  merchantId: 'm_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key_1',
  paymentMethodId: 'pm_1',
} as ChargeRequest & LookUpRequest;

test('charges and look-ups are spans of their recovery, without the method or the key', async () => {
  const tracing = keepSpans();
  const account = traceAccount(tracing, 'stripe', {
    charge: async () => ({ kind: 'unknown', reason: 'lost for Jane' }),
    lookUp: async () => ({ kind: 'succeeded', pspTransactionId: 'ch_1' }),
  } as Partial<PspAccount> as PspAccount);
  await expect(account.charge(request)).resolves.toMatchObject({ kind: 'unknown' });
  await expect(account.lookUp(request)).resolves.toMatchObject({ kind: 'succeeded' });
  const recovery = { merchantId: 'm_1', invoiceId: 'in_1' };
  const attributes = { 'recoup.psp': 'stripe' };
  expect(tracing.spans).toEqual([
    {
      ...{ name: 'charge', kind: 'client', recovery, attributes, ends: 1 },
      noted: { 'recoup.outcome': 'unknown' },
      failure: 'the outcome is unknown',
    },
    {
      ...{ name: 'look up charge', kind: 'client', recovery, attributes, ends: 1 },
      noted: { 'recoup.outcome': 'succeeded' },
    },
  ]);
});
