import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A message as the inbox has it: to whom, and its source. */
export interface WorldMail {
  readonly to: string;
  readonly source: string;
}

export interface WorldInbox {
  readonly port: number;
  close(): Promise<void>;
}

/** The mail server of the world, on loopback: it takes every message, and hands it over before it says so. */
export async function startWorldInbox(deps: { take(mail: WorldMail): void }): Promise<WorldInbox> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, callback) {
      void text(stream).then((source) => {
        for (const { address } of envelope.rcptTo) deps.take({ to: address, source });
        callback(null);
      }, callback);
    },
  });
  // A client that gives up is no failure of the server.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
