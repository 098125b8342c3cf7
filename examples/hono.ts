import { createServer } from 'node:http';
import {
  doNotRetry,
  invoiceNotFound,
  retry,
  retryStatusHandler,
  webhookHandler,
} from '@recoup/sdk';
import { honoRoute } from '@recoup/sdk/hono';
import { nodeListener } from '@recoup/sdk/node';
import { Hono } from 'hono';

const { MERCHANT_API_KEY = '', RECOUP_SIGNING_SECRET = '', PORT = '4000' } = process.env;
/** Your billing system: what is owed. */
const invoices = new Map([['in_hono', { open: true }]]);

const webhook = webhookHandler({
  secrets: RECOUP_SIGNING_SECRET,
  onEvent: (event) => {
    if (event.type !== 'retry_result' || event.data.success !== true) return;
    const { invoice_id = '', amount_collected, currency } = event.data;
    invoices.set(invoice_id, { open: false });
    process.stdout.write(`recovered ${invoice_id}: ${amount_collected} ${currency}\n`);
  },
  onError: (error) => process.stderr.write(`${error}\n`),
});

const retryStatus = retryStatusHandler({
  auth: { type: 'api_key', apiKey: MERCHANT_API_KEY },
  decide: ({ invoiceId }) => {
    const invoice = invoices.get(invoiceId);
    if (invoice === undefined) return invoiceNotFound();
    return invoice.open ? retry() : doNotRetry('Other: paid already');
  },
});

const app = new Hono();
app.post('/webhooks/retry-results', honoRoute(webhook));
app.post('/retry/:invoiceId', honoRoute(retryStatus));
// On Bun, Deno and Workers, `app.fetch` is all that is needed.
createServer(nodeListener(async (request) => app.fetch(request))).listen(
  Number(PORT),
  '127.0.0.1',
  () => process.stdout.write(`listening on ${PORT}\n`),
);
