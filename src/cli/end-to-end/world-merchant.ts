import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface WorldMerchant {
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
  close(): Promise<void>;
}

/** The world's merchant, on loopback: it answers final checks, and takes every webhook. */
export async function startWorldMerchant(deps: {
  mayRetry(invoiceId: string): boolean;
  /** Told of each invoice whose customer has to act. */
  onWaiting(invoiceId: string): void;
}): Promise<WorldMerchant> {
  const server = createServer((request, response) => {
    if (request.headers['x-service-webhook-type'] === 'customer_action_required') {
      void json(request).then((body) => {
        const { invoice_id: waiting } = body as { readonly invoice_id?: string };
        if (waiting !== undefined) deps.onWaiting(waiting);
      });
    } else request.resume();
    const invoiceId = /^\/retry\/([^/?]+)/.exec(request.url ?? '')?.[1];
    const body =
      invoiceId === undefined ? { detail: 'Event delivered' } : statusOf(deps, invoiceId);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    retryStatusUrl: `${origin}/retry/{invoice_id}`,
    webhookUrl: `${origin}/webhooks`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function statusOf(deps: { mayRetry(invoiceId: string): boolean }, invoiceId: string): object {
  return deps.mayRetry(decodeURIComponent(invoiceId))
    ? { retry: true, reason: 'Invoice open' }
    : { retry: false, reason: 'Customer cancelled' };
}
