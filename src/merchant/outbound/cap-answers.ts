import type { Socket } from 'node:net';
import { OutboundError } from './failure.ts';

/**
 * Closes a connection on which the other side sends more than so many bytes since we last wrote to it: in answer to one
 * request. The HTTP library bounds heads and bodies, but not what lies between them (chunk extensions, trailers, interim
 * answers, blanks), which costs as much to read. For the listeners' order call it before the library has the socket.
 */
export function capAnswers(socket: Socket, maxBytes: number): void {
  let written = socket.bytesWritten;
  let readAtLast = socket.bytesRead;
  let readBefore = readAtLast;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBefore = readAtLast;
    }
    readAtLast = socket.bytesRead;
    if (readAtLast - readBefore <= maxBytes) return;
    const detail = `The answer is larger than Recoup reads (${maxBytes} bytes with all that is around its body).`;
    socket.destroy(new OutboundError({ cause: 'too_large', detail }));
  });
}
