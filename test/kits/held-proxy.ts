import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A slow way to a server: what is written is held back on its way there, what is read is not. */
export interface HeldProxy {
  readonly url: string;
  /** Resolves when so many requests that write, or that read, have come in all. */
  written(count: number): Promise<void>;
  read(count: number): Promise<void>;
  /** Lets pass what is held back, whether or not its sender still waits, and all that comes later. */
  release(): void;
  close(): Promise<void>;
}

/** @param maxHeld later ones pass at once */
export async function startHeldProxy(target: string, maxHeld: number): Promise<HeldProxy> {
  const counts = { POST: 0, GET: 0 };
  const waiting: (() => void)[] = [];
  const held: (() => void)[] = [];
  let isReleased = false;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = 'GET', url, headers } = incoming;
      const pass = () => {
        const onward = request(`${target}${url}`, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        onward.on('error', () => outgoing.destroy());
        onward.end(Buffer.concat(chunks));
      };
      const kind = method === 'POST' ? 'POST' : 'GET';
      counts[kind] += 1;
      const isHeld = kind === 'POST' && counts.POST <= maxHeld && !isReleased;
      if (isHeld) held.push(pass);
      else pass();
      for (const look of [...waiting]) look();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const until = (holds: () => boolean): Promise<void> => {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => waiting.push(() => holds() && resolve()));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    written: (count) => until(() => counts.POST >= count),
    read: (count) => until(() => counts.GET >= count),
    release() {
      isReleased = true;
      for (const pass of held.splice(0)) pass();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
