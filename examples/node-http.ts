import { createServer } from 'node:http';
import { nodeListener } from '@recoup/sdk/node';
import { retryStatus, webhook } from './handlers.ts';

const { PORT = '4000' } = process.env;

const [onWebhook, onRetryStatus] = [nodeListener(webhook), nodeListener(retryStatus)];
const server = createServer((request, response) => {
  if (request.url === '/webhooks/retry-results') return onWebhook(request, response);
  if (request.url?.startsWith('/retry/')) return onRetryStatus(request, response);
  return response.writeHead(404).end();
});
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`listening on ${PORT}\n`));
