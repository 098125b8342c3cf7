import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Passes HTTP requests on to `target`, and holds each answer back for a while: so that what was done
 * over there is not known here yet when something happens.
 */
export async function startSlowProxy(target: string, holdMs: () => number): Promise<SlowProxy> {
  const server = createServer((incoming, outgoing) => pass(target, incoming, outgoing, holdMs()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pass(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  holdMs: number,
): void {
  const { method = 'GET', headers } = incoming;
  const onward = request(`${target}${incoming.url}`, { method, headers }, (answer) => {
    setTimeout(() => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    }, holdMs);
  });
  // An answer that is lost over there is lost here.
  onward.on('error', () => outgoing.destroy());
  // Whoever asked may be gone; what it asked for is done all the same.
  outgoing.on('error', () => {});
  incoming.on('error', () => {}).pipe(onward);
}
