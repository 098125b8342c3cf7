import type { PaymentEventBody } from '../../../domain/payment-event.ts';

/** A failed payment whose third try succeeds in the sandbox; the docs' example. */
export const paymentExample: PaymentEventBody = {
  customer: { id: 'cus_1001' },
  subscription: { id: 'sub_1001', start_date: '2026-01-01T00:00:00Z' },
  invoice: { id: 'in_1001', created_at: '2026-06-01T00:00:00Z' },
  transactions: [
    {
      id: 'txn_1001',
      psp_transaction_id: 'ch_1001',
      psp: 'sandbox',
      acquirer_country: 'US',
      amount: 12.23,
      currency: 'USD',
      funding_source: 'credit',
      payment_method_id: 'pm_sandbox_success_after_3',
      psp_transaction_created_at: '2026-06-01T00:00:05Z',
      scheme: 'visa',
      success: false,
      outcome: { raw_response_message: '51: insufficient funds', response_type: 'soft_decline' },
    },
  ],
  custom: { plan: 'gold' },
};
