import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can fall silent without anybody closing it, as when a network goes away. */
export interface TcpGate {
  readonly port: number;
  /** Holds back whatever comes, on old connections and new ones. */
  silence(): void;
  close(): Promise<void>;
}

export async function startTcpGate(target: { host: string; port: number }): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    const onward = keep(connect(target));
    keep(incoming).on('data', (bytes) => {
      if (!isSilent) onward.write(bytes);
    });
    onward.on('data', (bytes) => {
      if (!isSilent) incoming.write(bytes);
    });
    incoming.on('close', () => onward.destroy());
    onward.on('close', () => incoming.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
