import type { AlertMessage, SendOutcome } from '../recovery/alerts/alert-ports.ts';
import { type MailServer, openMailTransport } from './mail-transport.ts';
import { headline, type Links, plainText } from './message-text.ts';

export interface MailSettings extends Links, MailServer {
  /** Whom messages are from, `Recoup <alerts@example.com>`. */
  readonly sender: string;
}

export interface Mailer {
  send(to: readonly string[], message: AlertMessage): Promise<SendOutcome>;
}

/** Sends by a mail server. A connection is made for each message: there are few, and far between. */
export function createMailer(settings: MailSettings): Mailer {
  return {
    async send(to, message) {
      const transport = await openMailTransport(settings);
      try {
        const info = await transport.sendMail({
          from: settings.sender,
          to: [...to],
          subject: headline(message),
          text: plainText(message, settings),
          // The same at each try, so that a mailbox shows it once where an answer was lost.
          messageId: `<${message.messageId}@recoup>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Recoup-Message': message.messageId },
        });
        const refused = info.rejected.length;
        if (refused === 0) return { kind: 'sent' };
        const detail = `The mail server refused ${refused} of ${to.length} recipients.`;
        // Sent again, it would come to the others each time.
        const isForGood = info.rejectedErrors?.every(isPermanent) === true;
        return isForGood ? { kind: 'failed', detail, isLast: true } : { kind: 'failed', detail };
      } catch (error) {
        return { kind: 'failed', detail: failureDetail(error) };
      }
    },
  };
}

/** RFC 5321: what is refused by 5xx is refused each time, by 4xx for now. */
function isPermanent({ responseCode }: { readonly responseCode?: number | undefined }): boolean {
  return responseCode !== undefined && responseCode >= 500;
}

/** Codes alone: the server's words may repeat addresses, and the library's the password. */
function failureDetail(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const answer = typeof responseCode === 'number' ? `, which answered ${responseCode}` : '';
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return `The mail server did not accept the message${answer}${reason}.`;
}
