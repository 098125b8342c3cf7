// Reports a failed payment and waits for nothing: Recoup tells the webhook what became of it.
import { createRecoveryClient, type recovery } from '@recoup/sdk';

const { RECOUP_URL = 'http://127.0.0.1:8080', RECOUP_API_KEY = '' } = process.env;
const [invoiceId = `in_${crypto.randomUUID()}`] = process.argv.slice(2);
const now = new Date().toISOString();

const failed: recovery.ReportPaymentBody = {
  customer: { id: 'cus_1001' },
  subscription: { id: 'sub_1001', start_date: '2026-01-01T00:00:00Z' },
  invoice: { id: invoiceId, created_at: now },
  transactions: [
    {
      id: `txn_${invoiceId}`,
      psp_transaction_id: `ch_${invoiceId}`,
      psp: 'sandbox',
      acquirer_country: 'US',
      amount: 12.23,
      currency: 'USD',
      funding_source: 'credit',
      // A card of its own, since the networks' limits hold in the sandbox too.
      payment_method_id: `pm_sandbox_success--${invoiceId}`,
      psp_transaction_created_at: now,
      scheme: 'visa',
      success: false,
      outcome: { raw_response_message: 'Insufficient funds', processor_response_code: '51' },
    },
  ],
};

const recoup = createRecoveryClient({ baseUrl: RECOUP_URL, apiKey: RECOUP_API_KEY });
const { request_id } = await recoup.reportPayment(failed);
process.stdout.write(`reported ${invoiceId} as request ${request_id}\n`);
