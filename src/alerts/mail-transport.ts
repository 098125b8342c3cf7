import { secondMs } from '../domain/clock.ts';
import { present } from '../domain/present.ts';

export interface MailServer {
  /** `smtp://user:password@host:587` (STARTTLS where it is offered), or `smtps://…:465`. */
  readonly smtpUrl: string;
  /** For each step of the exchange: the connection, its greeting, and each answer. */
  readonly timeoutMs: number;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string | undefined;
}

/**
 * A way to a mail server. A connection is made for each message. The library is loaded for the first one: most
 * processes send none.
 */
export async function openMailTransport({ smtpUrl, timeoutMs, ca }: MailServer) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // Later than the greeting's, which says that nothing was taken; this one says nothing.
    socketTimeout: timeoutMs + secondMs,
    dnsTimeout: timeoutMs,
    // Nothing in a message may make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...present({ tls: ca === undefined ? undefined : { ca } }),
  });
}
