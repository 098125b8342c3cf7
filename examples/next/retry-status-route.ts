// As app/retry/[invoiceId]/route.ts
import { doNotRetry, invoiceNotFound, retry, retryStatusHandler } from '@recoup/sdk';
import { nextRoute } from '@recoup/sdk/next';
import { findInvoice } from '../billing.ts';

export const POST = nextRoute(
  retryStatusHandler({
    auth: { type: 'api_key', apiKey: process.env.MERCHANT_API_KEY ?? '' },
    decide: ({ invoiceId }) => {
      const invoice = findInvoice(invoiceId);
      if (invoice === undefined) return invoiceNotFound();
      return invoice.open ? retry() : doNotRetry('Other: paid already');
    },
  }),
);
