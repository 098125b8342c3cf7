import type { PaymentState } from '../../src/domain/states.ts';
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

/** A payment of three days ago that was declined once, in whatever state it is now. */
export function declinedPayment(invoiceId: string, status: PaymentState): PaymentView {
  const failedAt = new Date('2026-03-01T09:30:00.000Z');
  const decision = { kind: 'attempt', because: "the fixed schedule's next time" };
  return {
    invoiceId,
    customerId: 'cus_82',
    subscriptionId: 'sub_1',
    transactionId: 'tr_1',
    originalPspTransactionId: 'ch_1',
    psp: 'sandbox',
    status,
    amountMinor: 4200,
    currency: 'USD',
    failedAt,
    windowEndsAt: new Date('2026-03-29T09:30:00.000Z'),
    nextAttemptAt: new Date('2026-03-04T09:30:00.000Z'),
    attemptCount: 1,
    createdAt: failedAt,
    updatedAt: failedAt,
    custom: { plan: { tier: 'gold' } },
    decision,
    attempts: [
      {
        attemptId: 'att_1',
        number: 1,
        status: 'declined',
        startedAt: new Date('2026-03-02T09:30:00.000Z'),
        endedAt: new Date('2026-03-02T09:30:01.000Z'),
        amountMinor: 4200,
        currency: 'USD',
        decision,
        check: { retry: true, reason: 'Other' },
        transactions: [
          {
            ordinal: 1,
            status: 'declined',
            paymentMethodId: 'pm_1',
            pspTransactionId: 'ch_2',
            amountMinor: 4200,
            currency: 'USD',
            decline: { category: 'later', code: '51', networkCode: '51', waitMs: 86_400_000 },
            sentAt: new Date('2026-03-02T09:30:00.500Z'),
            settledAt: new Date('2026-03-02T09:30:01.000Z'),
          },
        ],
      },
    ],
    deliveries: [{ eventId: 'evt_1', type: 'retry_result', status: 'pending', tries: 1 }],
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
