import { expect, it } from 'vitest';
import { billingInvoiceId } from '../../../src/psp/braintree/billing-attempt.ts';

it.each([
  [
    'the period of its transaction',
    { id: 'sub_1', billingPeriodStartDate: '2026-02-01' },
    { id: 'tx_1', subscription: { billingPeriodStartDate: '2026-03-01' } },
    'sub_1:2026-03-01',
  ],
  [
    'its own period',
    { id: 'sub_1', billingPeriodStartDate: '2026-02-01', currentBillingCycle: 3 },
    { id: 'tx_1' },
    'sub_1:2026-02-01',
  ],
  ['its cycle', { id: 'sub_1', currentBillingCycle: 3 }, { id: 'tx_1' }, 'sub_1:cycle-3'],
  ['its transaction', { id: 'sub_1', currentBillingCycle: 3.5 }, { id: 'tx_1' }, 'sub_1:tx_1'],
  ['its transaction', { id: 'sub_1', currentBillingCycle: '3' }, { id: 'tx_1' }, 'sub_1:tx_1'],
])('an invoice of Braintree is a subscription with %s', (_what, subscription, transaction, id) => {
  expect(billingInvoiceId(subscription, transaction)).toBe(id);
});

it('a subscription without an id has no invoice', () => {
  expect(billingInvoiceId({ currentBillingCycle: 3 }, { id: 'tx_1' })).toBeUndefined();
});
