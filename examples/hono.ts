import { createServer } from 'node:http';
import { honoRoute } from '@recoup/sdk/hono';
import { nodeListener } from '@recoup/sdk/node';
import { Hono } from 'hono';
import { retryStatus, webhook } from './handlers.ts';

const { PORT = '4000' } = process.env;

const app = new Hono();
app.post('/webhooks/retry-results', honoRoute(webhook));
app.post('/retry/:invoiceId', honoRoute(retryStatus));
// On Bun, Deno and Workers, `app.fetch` is all that is needed.
createServer(nodeListener(async (request) => app.fetch(request))).listen(
  Number(PORT),
  '127.0.0.1',
  () => process.stdout.write(`listening on ${PORT}\n`),
);
