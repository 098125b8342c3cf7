import type { IncomingMessage } from 'node:http';

/** A request's body as it came; `cut_off` is one whose sender went away or broke the protocol. */
export type RawBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'cut_off' };

/**
 * How much of an over-long body is still read, and thrown away, after it was refused. Closing at
 * once would reset the connection, and most clients would never see the answer.
 */
export const drainBytes = 1024 * 1024;

/** Reads a body of at most `limitBytes`; `done` is called once, for a longer one without delay. */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  done: (body: RawBody) => void,
): void {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let isDone = false;
  const finish = (body: RawBody): void => {
    if (isDone) return;
    isDone = true;
    chunks.length = 0;
    done(body);
  };
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > limitBytes + drainBytes) request.destroy();
    else if (receivedBytes > limitBytes) finish({ kind: 'too_large' });
    else if (!isDone) chunks.push(chunk);
  });
  request.on('end', () => finish({ kind: 'whole', bytes: joined(chunks) }));
  request.on('error', () => finish({ kind: 'cut_off' }));
  request.on('close', () => finish({ kind: 'cut_off' }));
  if (request.destroyed) finish({ kind: 'cut_off' });
  if (Number(request.headers['content-length']) > limitBytes) finish({ kind: 'too_large' });
}

/** The chunks as one; a short body comes in one, which is then not copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
