import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A message as the inbox has it: to whom, and its source. */
export interface WorldMail {
  readonly to: string;
  readonly source: string;
}

export interface WorldInbox {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The mail server of the world, on loopback: it takes every message, and hands it over before it says so. What it
 * understands of SMTP (RFC 5321) is what one client needs that wants no encryption and no extension.
 */
export async function startWorldInbox(deps: { take(mail: WorldMail): void }): Promise<WorldInbox> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    converse(socket, deps.take);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

const endOfData = '\r\n.\r\n';

function converse(socket: Socket, take: (mail: WorldMail) => void): void {
  let [text, to, isData] = ['', '', false];
  const say = (line: string) => socket.write(`${line}\r\n`);
  const command = (line: string): void => {
    const name = line.slice(0, 4).toUpperCase();
    if (name === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (name === 'DATA') isData = true;
    if (name === 'QUIT') socket.end('221 Bye\r\n');
    else say(isData ? '354 Go on' : '250 OK');
  };
  socket.setEncoding('utf8');
  say('220 world');
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = isData ? endOfData : '\r\n';
      const at = text.indexOf(end);
      if (at < 0) return;
      const part = text.slice(0, at);
      text = text.slice(at + end.length);
      if (!isData) {
        command(part);
        continue;
      }
      isData = false;
      take({ to, source: part.replaceAll('\r\n..', '\r\n.') });
      say('250 Taken');
    }
  });
}
