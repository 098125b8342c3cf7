const eventId = 'evt_1h4vr3w6z9k2m5n8q1s4t7x0';

/** The event of a successful retry, as the docs show it. */
export const eventExample = {
  event_id: eventId,
  sequence: '1',
  type: 'retry_result',
  invoice_id: 'in_1001',
  created_at: '2026-06-06T00:00:06.000Z',
  body: {
    timestamp: '2026-06-06T00:00:06.000Z',
    service_id: 'att_0g3tq2v5y8k1m4n7p9r2s5w8',
    customer_id: 'cus_1001',
    subscription_id: 'sub_1001',
    invoice_id: 'in_1001',
    transaction_id: 'txn_1001',
    original_psp_transaction_id: 'ch_1001',
    psp_transactions: [
      {
        psp_transaction_id: 'sbx_1003',
        merchant_payment_method_id: 'pm_sandbox_success_after_3',
        success: true,
      },
    ],
    original_amount: 12.23,
    amount_collected: 12.23,
    currency: 'USD',
    success: true,
    custom: { plan: 'gold' },
  },
  delivery: {
    event_id: eventId,
    type: 'retry_result',
    status: 'delivered',
    tries: 1,
    delivered_at: '2026-06-06T00:00:06.200Z',
    last_status: 200,
  },
} as const;
