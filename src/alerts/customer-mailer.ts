import { mailboxParts } from '../domain/messages/message-settings.ts';
import { present } from '../domain/present.ts';
import type { CustomerMail, MailOutcome, SendMail } from '../recovery/messages/message-ports.ts';
import { type MailServer, openMailTransport } from './mail-transport.ts';

export interface CustomerMailSettings extends MailServer {
  /**
   * Where what comes back goes, `bounces@example.com`: each message's id is added to it,
   * `bounces+cmg_…@example.com`. Absent: to whom the message is from.
   */
  readonly bounceAddress?: string | undefined;
}

/** Hands messages to customers over to a mail server, one connection each. */
export function createCustomerMailer(settings: CustomerMailSettings): SendMail {
  const { bounceAddress } = settings;
  return async (mail) => {
    const transport = await openMailTransport(settings);
    try {
      await transport.sendMail({
        from: mailboxParts(mail.from),
        to: mailboxParts(mail.to),
        ...present({ replyTo: mail.replyTo && mailboxParts(mail.replyTo) }),
        subject: mail.subject,
        text: mail.text,
        // The same at each try, so that a mailbox shows it once where an answer was lost.
        messageId: `<${mail.messageId}@recoup>`,
        ...present({ envelope: envelopeOf(bounceAddress, mail) }),
        headers: headersOf(mail),
      });
      return { kind: 'sent' };
    } catch (error) {
      return outcomeOf(error);
    }
  };
}

function envelopeOf(bounceAddress: string | undefined, mail: CustomerMail) {
  if (bounceAddress === undefined) return undefined;
  const from = { name: '', address: bounceAddressOf(bounceAddress, mail) };
  return { from, to: mailboxParts(mail.to) };
}

/** RFC 8058 for one-click stop; RFC 3834 so that no out-of-office answer comes. */
function headersOf({ messageId, stopUrl }: CustomerMail): Readonly<Record<string, string>> {
  return {
    'List-Unsubscribe': `<${stopUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Auto-Submitted': 'auto-generated',
    'X-Recoup-Message': messageId,
  };
}

/** The address that a message comes back to, with its id in it. */
export function bounceAddressOf(
  address: string,
  { messageId }: Pick<CustomerMail, 'messageId'>,
): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${messageId}${address.slice(at)}`;
}

interface MailError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
  readonly timeoutType?: unknown;
}

/** Before anything of the message was sent. */
const earlyCodes: readonly unknown[] = ['EAUTH', 'EDNS', 'ETLS', 'ENOTFOUND', 'ECONNREFUSED'];
const earlyTimeouts: readonly unknown[] = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT'];

/**
 * A recipient is refused for good by a 5xx to RCPT TO, unless it is the sender or a policy that is
 * meant (RFC 3463, class 5.7). Any other answer says that nothing was taken; a connection that broke says
 * nothing.
 */
function outcomeOf(error: unknown): Exclude<MailOutcome, { kind: 'sent' }> {
  const { code, originalCode, command, response, responseCode, timeoutType } = error as MailError;
  if (typeof responseCode === 'number') {
    // Codes alone: the server's words may repeat the address.
    const detail = `The mail server answered ${responseCode} to ${textOf(command)}.`;
    const isPolicy = typeof response === 'string' && /^5\d\d[ -]5\.7\./.test(response);
    const isRefused = command === 'RCPT TO' && responseCode >= 500 && !isPolicy;
    return { kind: isRefused ? 'refused' : 'later', detail };
  }
  const isEarly =
    earlyCodes.includes(code) ||
    earlyCodes.includes(originalCode) ||
    earlyTimeouts.includes(timeoutType);
  const detail = `The mail server did not answer (${textOf(originalCode ?? code)}).`;
  return { kind: isEarly ? 'later' : 'unclear', detail };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'the message';
}
