import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { serve } from '../kit/serve.ts';

/** A merchant, or a stranger, whose program runs away. It stands for another machine: it yields at once. */
setPriority(constants.priority.PRIORITY_LOW);
// Linux alone has it; elsewhere the lowest priority has to do.
spawnSync('chrt', ['--idle', '--all-tasks', '--pid', '0', `${process.pid}`]);

export interface Flood {
  readonly url: string;
  readonly connections: number;
  /** The request, head and body, and how often it is written on a connection without waiting. */
  readonly request: string;
  /** Each body has so many bytes, of this character, instead. */
  readonly fill?: { readonly bytes: number; readonly character: string };
  readonly pipelined: number;
  /**
   * `waits`: the next ones follow the answers; `closes`: the connection is closed once all is written, and
   * opened again; `reads_nothing`: it stays, and nothing is ever read.
   */
  readonly afterwards: 'waits' | 'closes' | 'reads_nothing';
}

const sockets = new Set<Socket>();
const servers: Server[] = [];
/** The one that is on: what an earlier one left to be done later is not done. */
let current: Flood | undefined;
let answers: Record<string, number> = {};

function open(flood: Flood, bytes: Buffer): void {
  if (current !== flood) return;
  const { hostname, port } = new URL(flood.url);
  const socket = connect(Number(port), hostname);
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    sockets.delete(socket);
    setTimeout(() => open(flood, bytes), 20);
  });
  const write = (): void => {
    for (let n = 0; n < flood.pipelined; n += 1) socket.write(bytes);
  };
  socket.on('connect', () => {
    write();
    if (flood.afterwards === 'closes') socket.end();
  });
  if (flood.afterwards === 'reads_nothing') {
    socket.pause();
    return;
  }
  socket.setEncoding('latin1');
  let left = flood.pipelined;
  socket.on('data', (text: string) => {
    for (const [status] of text.matchAll(/HTTP\/1\.1 \d{3}/g)) {
      const name = status.slice(9);
      answers[name] = (answers[name] ?? 0) + 1;
      left -= 1;
    }
    if (left > 0 || flood.afterwards !== 'waits') return;
    left = flood.pipelined;
    write();
  });
}

const calls = {
  async start(flood: Flood) {
    current = flood;
    answers = {};
    const { fill } = flood;
    const body = fill === undefined ? '' : fill.character.repeat(fill.bytes);
    const bytes = Buffer.from(flood.request + body, 'latin1');
    for (let n = 0; n < flood.connections; n += 1) open(flood, bytes);
  },
  /** Ends it; how many answers had each status. */
  async stop() {
    current = undefined;
    for (const socket of sockets) socket.destroy();
    return answers;
  },
  /** Merchants' servers that take every connection and never answer. */
  async hang(input: { readonly count: number }) {
    for (let n = 0; n < input.count; n += 1) {
      const server = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => sockets.delete(socket));
        socket.resume();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
    }
    return servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  },
};
export type RunawayCalls = typeof calls;

serve(calls, async () => {
  current = undefined;
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
});
