import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../kit/serve.ts';

/**
 * Merchants' servers, as lean as Node makes them, so that what is measured is the other side: each
 * says yes to every retry-status check and takes every webhook.
 */
const yes = Buffer.from('{"retry":true,"reason":"Invoice open"}');
const taken = Buffer.from('{"detail":"Event delivered successfully"}');
const lookupPath = '/retry/';
/** An invoice id that ends so says when its payment fell due, in milliseconds since 1970. */
const dueInPath = /_due(\d{13})$/;

const servers: Server[] = [];
let webhooks = 0;
let latenessMs: number[] = [];
let expected: { readonly webhooks: number; readonly done: () => void } | undefined;

function respond(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  const isLookup = path.startsWith(lookupPath);
  const dueAt = isLookup ? dueInPath.exec(path)?.[1] : undefined;
  if (dueAt !== undefined) latenessMs.push(Date.now() - Number(dueAt));
  request.resume();
  request.on('end', () => {
    const body = isLookup ? yes : taken;
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    response.end(body);
    if (isLookup) return;
    webhooks += 1;
    if (expected !== undefined && webhooks >= expected.webhooks) expected.done();
  });
}

const calls = {
  /** One server for each merchant; their addresses. */
  async start(input: { readonly count: number }) {
    for (let n = 0; n < input.count; n += 1) {
      const server = createServer({ keepAliveTimeout: 60_000 }, respond);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
    }
    return servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  },
  /** Resolves when so many webhooks have arrived since the last call. */
  async taken(input: { readonly webhooks: number }) {
    if (webhooks < input.webhooks) {
      await new Promise<void>((done) => {
        expected = { webhooks: input.webhooks, done };
      });
    }
    expected = undefined;
    webhooks = 0;
  },
  /** From due to the arrival of the check, of every check since the last call. */
  async lateness() {
    const seen = latenessMs;
    latenessMs = [];
    return seen;
  },
};
export type MerchantsCalls = typeof calls;

serve(calls, async () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});
