import { fastifyRoutes } from '@recoup/sdk/fastify';
import { fastify } from 'fastify';
import { retryStatus, webhook } from './handlers.ts';

const { PORT = '4000' } = process.env;

const app = fastify();
await app.register(
  fastifyRoutes({ '/webhooks/retry-results': webhook, '/retry/:invoiceId': retryStatus }),
);
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.stdout.write(`listening on ${PORT}\n`);
