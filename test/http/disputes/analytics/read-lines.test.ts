import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Line, readLines } from '../../../../src/http/disputes/analytics/read-lines.ts';
import { hasAnswers, rawExchange } from '../../../kits/raw-http.ts';

const mebibyte = 1024 * 1024;
const limits = { lineBytes: 100, bodyBytes: 16 * mebibyte, blankLines: 10 };

/** What a server reads of a body, which it answers as soon as it has ended for it. */
async function readByServer(body: Buffer) {
  const lines: Line[] = [];
  const server = createServer((request, response) => {
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
  await rawExchange(port, Buffer.concat([Buffer.from(head), body]), hasAnswers(1));
  return lines;
}

test('no line is looked at behind one empty line too many', async () => {
  const body = Buffer.from(`\n \na\n${'\n'.repeat(1_000)}b\n`);
  const lines = await readByServer(body);
  expect(lines).toEqual([
    { row: 3, bytes: Buffer.from('a') },
    { row: limits.blankLines + 3, isTooBlank: true },
  ]);
});

test('lines are the same however their bytes arrive', async () => {
  const parts = fc.constantFrom('\n', '\r\n', ' ', '\t', 'a', '{"b":1}');
  const chunks = fc.array(fc.array(parts, { minLength: 1, maxLength: 12 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(chunks, async (texts) => {
      const buffers = texts.map((text) => Buffer.from(text.join('')));
      const whole = Buffer.concat(buffers).toString().split('\n');
      const filled = whole.flatMap((text, index) =>
        text.trim() === '' ? [] : [{ row: index + 1, text }],
      );
      const lines: unknown[] = [];
      const body = Readable.from(buffers) as IncomingMessage;
      for await (const { row, bytes } of readLines(body, { ...limits, blankLines: 100 })) {
        lines.push({ row, text: Buffer.from(bytes ?? []).toString() });
      }
      expect(lines).toEqual(filled);
    }),
  );
});
