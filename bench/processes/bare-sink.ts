import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../kit/serve.ts';

/**
 * The floor of an attack: a server that reads all of it and turns each request away, and does nothing
 * else. What a neighbour feels while it is attacked instead is the machine's two cores being shared.
 */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(429, { 'content-length': 0 }).end());
  request.on('error', () => undefined);
});

const calls = {
  async listen() {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};
export type BareSinkCalls = typeof calls;

serve(calls, async () => {
  server.closeAllConnections();
  server.close();
});
