import type { EventView, PaymentView } from '../../src/recovery/api.ts';

/** A payment after a declined try, with every field that a view can have. */
export function paymentView(invoiceId: string): PaymentView {
  return {
    invoiceId,
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    transactionId: 'txn_1',
    originalPspTransactionId: 'ch_1',
    psp: 'sandbox',
    status: 'stopped',
    stopReason: 'merchant_stop',
    stopDetail: 'cancelled',
    amountMinor: 1223,
    currency: 'USD',
    custom: { plan: 'gold' },
    failedAt: new Date('2026-06-01T00:00:00Z'),
    windowEndsAt: new Date('2026-06-29T00:00:00Z'),
    nextAttemptAt: new Date('2026-06-04T00:00:00Z'),
    attemptCount: 1,
    createdAt: new Date('2026-06-01T00:00:01Z'),
    updatedAt: new Date('2026-06-02T00:00:02.345Z'),
    decision: { kind: 'attempt' },
    attempts: [
      {
        attemptId: 'att_1',
        number: 1,
        status: 'declined',
        startedAt: new Date('2026-06-02T00:00:00Z'),
        endedAt: new Date('2026-06-02T00:00:02Z'),
        amountMinor: 500,
        currency: 'JPY',
        decision: { policy: 'fixed' },
        check: { retry: true },
        transactions: [
          {
            ordinal: 1,
            status: 'declined',
            paymentMethodId: 'pm_1',
            pspTransactionId: 'sbx_1',
            networkTransactionId: 'net_1',
            amountMinor: 500,
            currency: 'JPY',
            decline: {
              category: 'later',
              code: 'insufficient_funds',
              network: 'visa',
              networkCode: '51',
              sources: [{ source: 'network_code', said: '51', category: 'later' }],
            },
            sentAt: new Date('2026-06-02T00:00:01Z'),
            settledAt: new Date('2026-06-02T00:00:02Z'),
          },
        ],
      },
    ],
    deliveries: [eventView('evt_1').delivery],
  };
}

export function eventView(eventId: string): EventView {
  return {
    eventId,
    sequence: 9_007_199_254_740_993n,
    type: 'retry_result',
    invoiceId: 'in_1',
    createdAt: new Date('2026-06-02T00:00:02Z'),
    body: { success: false, invoice_id: 'in_1' },
    delivery: {
      eventId,
      type: 'retry_result',
      status: 'pending',
      tries: 2,
      nextAttemptAt: new Date('2026-06-02T12:00:02Z'),
      lastStatus: 503,
      lastError: 'server_error',
    },
  };
}
