import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { secondMs } from '../../domain/clock.ts';
import type { Answer } from './answer.ts';

/** How long a connection stays half open, so that its other side can read the last answer. */
const lingerMs = 2 * secondMs;

/** Writes an answer where no response object exists, and ends the connection. */
export function answerOnSocket(socket: Duplex, answer: Answer, requestId: string): void {
  if (socket.writableEnded) return;
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(answer.body)}`,
    `Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${answer.body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
