import { createServer } from 'node:http';
import {
  doNotRetry,
  invoiceNotFound,
  retry,
  retryStatusHandler,
  webhookHandler,
} from '@recoup/sdk';
import { nodeListener } from '@recoup/sdk/node';

const { MERCHANT_API_KEY = '', RECOUP_SIGNING_SECRET = '', PORT = '4000' } = process.env;
/** Your billing system: what is owed. */
const invoices = new Map([['in_node-http', { open: true }]]);

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

const [onWebhook, onRetryStatus] = [nodeListener(webhook), nodeListener(retryStatus)];
const server = createServer((request, response) => {
  if (request.url === '/webhooks/retry-results') return onWebhook(request, response);
  if (request.url?.startsWith('/retry/')) return onRetryStatus(request, response);
  return response.writeHead(404).end();
});
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`listening on ${PORT}\n`));
