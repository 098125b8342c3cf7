/** A payment after its first try, as the docs show it. */
export const paymentSummaryExample = {
  invoice_id: 'in_1001',
  customer_id: 'cus_1001',
  status: 'scheduled',
  amount: 12.23,
  currency: 'USD',
  failed_at: '2026-06-01T00:00:05.000Z',
  window_ends_at: '2026-06-29T00:00:05.000Z',
  next_attempt_at: '2026-06-04T00:00:05.000Z',
  waiting_for: 'attempt',
  attempt_count: 1,
  created_at: '2026-06-01T00:00:06.000Z',
  updated_at: '2026-06-02T00:00:07.000Z',
} as const;

export const paymentViewExample = {
  ...paymentSummaryExample,
  subscription_id: 'sub_1001',
  transaction_id: 'txn_1001',
  original_psp_transaction_id: 'ch_1001',
  psp: 'sandbox',
  custom: { plan: 'gold' },
  decision: { kind: 'attempt', at: '2026-06-04T00:00:05.000Z', policy: 'fixed' },
  attempts: [
    {
      id: 'att_0g3tq2v5y8k1m4n7p9r2s5w8',
      number: 1,
      status: 'declined',
      started_at: '2026-06-02T00:00:05.000Z',
      ended_at: '2026-06-02T00:00:06.000Z',
      amount: 12.23,
      currency: 'USD',
      check: { retry: true, reason: 'User Outstanding Invoice' },
      transactions: [
        {
          ordinal: 1,
          status: 'declined',
          payment_method_id: 'pm_sandbox_success_after_3',
          psp_transaction_id: 'sbx_1001',
          amount: 12.23,
          currency: 'USD',
          decline: { category: 'later', code: 'insufficient_funds', network_code: '51' },
          sent_at: '2026-06-02T00:00:05.500Z',
          settled_at: '2026-06-02T00:00:06.000Z',
        },
      ],
    },
  ],
  deliveries: [
    {
      event_id: 'evt_1h4vr3w6z9k2m5n8q1s4t7x0',
      type: 'retry_result',
      status: 'delivered',
      tries: 1,
      delivered_at: '2026-06-02T00:00:06.200Z',
      last_status: 200,
    },
  ],
} as const;
