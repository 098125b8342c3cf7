import type { ChannelTarget, SendAlerts, SendOutcome } from '../recovery/alerts/alert-ports.ts';
import type { Links } from './message-text.ts';
import type { Mailer } from './send-email.ts';
import { slackBody } from './slack-body.ts';
import { alertWebhookType, webhookBody } from './webhook-body.ts';

export interface SendDeps extends Links {
  /** Absent: no mail server is set. */
  readonly mailer?: Mailer | undefined;
  /** One guarded POST. It never rejects for what the other side does. */
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  }): Promise<PostAnswer>;
  /** The headers that sign a body, as webhooks to merchants have them. */
  sign(input: {
    readonly eventId: string;
    readonly type: string;
    readonly body: Uint8Array;
    readonly secret: string;
  }): Readonly<Record<string, string>>;
}

export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly detail: string };

/** Sends a message in the form of its channel. */
export function createSendAlerts(deps: SendDeps): SendAlerts {
  return async (target, message) => {
    switch (target.kind) {
      case 'email':
        if (deps.mailer !== undefined) return await deps.mailer.send(target.to, message);
        return { kind: 'failed', detail: 'No mail server is set: give SMTP_URL and ALERT_SENDER.' };
      case 'slack':
        return await postJson(deps, target, JSON.stringify(slackBody(message, deps)));
      case 'webhook': {
        const text = JSON.stringify(webhookBody(message, deps));
        const signed = deps.sign({
          eventId: message.messageId,
          type: alertWebhookType,
          body: Buffer.from(text, 'utf8'),
          secret: target.secret,
        });
        return await postJson(deps, target, text, signed);
      }
    }
  };
}

async function postJson(
  { post }: SendDeps,
  { url }: Extract<ChannelTarget, { readonly url: string }>,
  text: string,
  signed: Readonly<Record<string, string>> = {},
): Promise<SendOutcome> {
  const headers = { 'content-type': 'application/json', ...signed };
  const answer = await post({ url, headers, body: Buffer.from(text, 'utf8') });
  if (answer.kind === 'failed') return answer;
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  return { kind: 'failed', detail: `The server answered ${status}.` };
}
