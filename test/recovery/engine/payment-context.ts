import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { Merchant } from '../../../src/domain/merchant.ts';
import type { OpenTransaction, PaymentContext } from '../../../src/recovery/engine-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { fixedPolicy } from '../../kits/fixed-policy.ts';

/** A planned payment as the engine works on it. */
export function paymentContext(change: Partial<PaymentContext> = {}): PaymentContext {
  return {
    merchantId: 'mer_1',
    invoiceId: 'in_1',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    transactionId: 'txn_1',
    originalPspTransactionId: 'ch_1',
    psp: 'sandbox',
    pspInvoiceState: 'unasked',
    amountMinor: 1223,
    currency: 'USD',
    firstDecline: { category: 'later', code: '51' },
    state: 'scheduled',
    failedAt: worldStart,
    windowEndsAt: addMs(worldStart, 28 * dayMs),
    maxAttempts: 8,
    postponements: 0,
    fence: 1,
    revision: 0,
    methods: [{ paymentMethodId: 'pm_1', failedFirst: true }],
    removedMethodIds: [],
    tries: [],
    ...change,
  };
}

/** Its first charge, on its way since then. */
export function sendingCharge(sentAt: Date): OpenTransaction {
  return {
    ordinal: 1,
    state: 'sending',
    idempotencyKey: 'key_1',
    paymentMethodId: 'pm_1',
    amountMinor: 1223,
    currency: 'USD',
    sentAt,
    connectionVersion: 1,
  };
}

export const merchant: Merchant = {
  merchantId: 'mer_1',
  name: 'Test',
  retryStatusUrl: 'https://merchant.example/retry/{invoice_id}',
  webhookUrl: 'https://merchant.example/webhooks',
  policy: fixedPolicy,
  endOfDunning: true,
  psps: ['sandbox'],
  createdAt: worldStart,
};
