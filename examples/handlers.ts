// What the server of every framework does; its own file only mounts it.
import {
  doNotRetry,
  invoiceNotFound,
  retry,
  retryStatusHandler,
  webhookHandler,
} from '@recoup/sdk';
import { findInvoice, markPaid } from './billing.ts';

const { MERCHANT_API_KEY = '', RECOUP_SIGNING_SECRET = '' } = process.env;

/** Hears what became of payments. */
export const webhook = webhookHandler({
  secrets: RECOUP_SIGNING_SECRET,
  onEvent: (event) => {
    if (event.type !== 'retry_result' || event.data.success !== true) return;
    const { invoice_id = '', amount_collected, currency } = event.data;
    markPaid(invoice_id);
    process.stdout.write(`recovered ${invoice_id}: ${amount_collected} ${currency}\n`);
  },
  onError: (error) => process.stderr.write(`${error}\n`),
});

/** Answers whether a payment may be tried again. */
export const retryStatus = retryStatusHandler({
  auth: { type: 'api_key', apiKey: MERCHANT_API_KEY },
  decide: ({ invoiceId }) => {
    const invoice = findInvoice(invoiceId);
    if (invoice === undefined) return invoiceNotFound();
    return invoice.open ? retry() : doNotRetry('Other: paid already');
  },
});
