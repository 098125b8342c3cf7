import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that treats every request as told; ends with its test. */
export async function brokenPsp(
  treat: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ readonly url: string; readonly requests: readonly IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => treat(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: urlOf(server.address()), requests };
}

/** A server below HTTP: it gets each connection with the first bytes that came. Ends with its test. */
export async function rawPsp(treat: (socket: Socket, firstBytes: Buffer) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => treat(socket, Buffer.from(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return urlOf(server.address());
}

/** An address where nobody listens: it was free a moment ago. */
export async function deadAddress(): Promise<string> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = urlOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return url;
}

function urlOf(address: string | AddressInfo | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`;
}
