import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A message as the mail server had it: its envelope, and its source. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

export interface SmtpInbox {
  readonly port: number;
  readonly mails: readonly TakenMail[];
  /** Recipients that are refused from now on, for good unless the code says otherwise. */
  refuse(address: string, responseCode?: number): void;
  close(): Promise<void>;
}

/** A real SMTP server on loopback. With `login` it takes mail from nobody else. */
export async function startSmtpInbox(
  options: { readonly login?: { readonly user: string; readonly pass: string } } = {},
): Promise<SmtpInbox> {
  const mails: TakenMail[] = [];
  const refused = new Map<string, number>();
  const { login } = options;
  const server = new SMTPServer({
    authOptional: login === undefined,
    // No certificate: TLS is not what these tests look at.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === login?.user && password === login?.pass;
      if (isRight) callback(null, { user: username });
      else callback(new Error('Wrong name or password'));
    },
    onRcptTo({ address }, _session, callback) {
      const responseCode = refused.get(address);
      if (responseCode === undefined) callback(null);
      else callback(Object.assign(new Error(`No ${address} here`), { responseCode }));
    },
    onData(stream, { envelope }, callback) {
      void text(stream).then((source) => {
        const { mailFrom, rcptTo } = envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push({ from, to: rcptTo.map(({ address }) => address), source });
        callback(null);
      }, callback);
    },
  });
  // A client that gives up is no failure of the server.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    refuse: (address, responseCode = 550) => void refused.set(address, responseCode),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
