import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../kit/serve.ts';

/**
 * Merchants' servers, as lean as Node makes them, so that what is measured is the other side: each
 * says yes to every retry-status check and takes every webhook, but for those that are asked to hang or to fail.
 */
const yes = Buffer.from('{"retry":true,"reason":"Invoice open"}');
const taken = Buffer.from('{"detail":"Event delivered successfully"}');
const failed = Buffer.from('{"detail":"Out of order"}');
const lookupPath = '/retry/';
/** An invoice id that ends so says when its payment fell due, in milliseconds since 1970. */
const dueInPath = /_due(\d{13})$/;

const servers: Server[] = [];
let webhooks = 0;
let latenessMs: number[] = [];
let arrivalsMs: number[] = [];
let expected: { readonly webhooks: number; readonly done: () => void } | undefined;

type Manner = 'takes' | 'hangs' | 'fails';

function respond(request: IncomingMessage, response: ServerResponse, manner: Manner): void {
  const path = request.url ?? '';
  const isLookup = path.startsWith(lookupPath);
  const dueAt = isLookup ? dueInPath.exec(path)?.[1] : undefined;
  if (dueAt !== undefined) latenessMs.push(Date.now() - Number(dueAt));
  request.resume();
  if (!isLookup && manner === 'takes') arrivalsMs.push(Date.now());
  request.on('end', () => {
    if (!isLookup && manner === 'hangs') return;
    const fails = !isLookup && manner === 'fails';
    const body = isLookup ? yes : fails ? failed : taken;
    response.writeHead(fails ? 500 : 200, {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    response.end(body);
    if (isLookup || fails) return;
    webhooks += 1;
    if (expected !== undefined && webhooks >= expected.webhooks) expected.done();
  });
}

const calls = {
  /** One server for each merchant, of which the first ones never answer a webhook and the next ones refuse it; their addresses. */
  async start(input: { readonly count: number; readonly hang?: number; readonly fail?: number }) {
    const { count, hang = 0, fail = 0 } = input;
    for (let n = 0; n < count; n += 1) {
      const manner = n < hang ? 'hangs' : n < hang + fail ? 'fails' : 'takes';
      const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) =>
        respond(request, response, manner),
      );
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
  /** When each webhook came that was taken, in milliseconds since 1970, since the last call. */
  async arrivals() {
    const seen = arrivalsMs;
    arrivalsMs = [];
    return seen;
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
