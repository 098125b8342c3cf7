import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a database that can be cut, as a database that is killed cuts it, and laid again. */
export interface Relay {
  readonly connectionString: string;
  cut(): Promise<void>;
  lay(): Promise<void>;
}

export async function startRelay(connectionString: string): Promise<Relay> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  async function lay(): Promise<void> {
    server = createServer((socket) => {
      const onward = connect(Number(target.port), target.hostname);
      for (const each of [socket, onward]) {
        sockets.add(each);
        each.on('error', () => each.destroy()).on('close', () => sockets.delete(each));
      }
      socket.pipe(onward).pipe(socket);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }
  await lay();
  const through = new URL(target);
  through.host = `127.0.0.1:${port}`;
  return {
    connectionString: through.href,
    lay,
    async cut() {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
