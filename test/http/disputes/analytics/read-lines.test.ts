import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Line, readLines } from '../../../../src/http/disputes/analytics/read-lines.ts';
import { hasAnswers, rawExchange } from '../../../kits/raw-http.ts';

const mebibyte = 1024 * 1024;
const limits = { lineBytes: 100, bodyBytes: 16 * mebibyte, blankLines: 10 };

/** What a server reads of a body, which it answers as soon as it has ended for it. */
async function readByServer(body: Buffer, isEnough?: (text: string) => boolean) {
  const lines: Line[] = [];
  let socket: Socket | undefined;
  const server = createServer((request, response) => {
    socket = request.socket;
    void (async () => {
      for await (const line of readLines(request, limits)) lines.push(line);
      response.end('x');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
  const { port } = server.address() as AddressInfo;
  await rawExchange(port, Buffer.concat([Buffer.from(head), body]), isEnough);
  return { lines, receivedBytes: socket?.bytesRead ?? 0 };
}

test('no line is looked at behind one empty line too many', async () => {
  const body = Buffer.from(`\n \na\n${'\n'.repeat(1_000)}b\n`);
  const { lines } = await readByServer(body, hasAnswers(1));
  expect(lines).toEqual([
    { row: 3, bytes: Buffer.from('a') },
    { row: limits.blankLines + 3, isTooBlank: true },
  ]);
});

test('a long body of empty lines ends its connection before it is read', async () => {
  const { receivedBytes } = await readByServer(Buffer.alloc(15 * mebibyte, '\n'));
  expect(receivedBytes).toBeLessThan(4 * mebibyte);
});
