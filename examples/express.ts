import { expressRoute } from '@recoup/sdk/express';
import express from 'express';
import { retryStatus, webhook } from './handlers.ts';

const { PORT = '4000' } = process.env;

const app = express();
// Before express.json(), which would take the raw body away.
app.post('/webhooks/retry-results', expressRoute(webhook));
app.post('/retry/:invoiceId', expressRoute(retryStatus));
app.use(express.json());
app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`listening on ${PORT}\n`));
