import { maskCardNumbers } from '../domain/cards/card-numbers.ts';
import { limits } from '../domain/limits.ts';
import type { WebhookRequest } from '../recovery/merchant-ports.ts';
import { withoutCredentials } from './merchant-credentials.ts';
import type { Answer } from './outbound/guarded-client.ts';
import { withoutEmails } from './without-emails.ts';

/** Types of texts that people read: text/*, JSON and XML with what is built on them, forms. */
const textType =
  /^(?:text\/|application\/(?:[^;]*\+)?(?:json|xml)|application\/x-www-form-urlencoded)/i;
const controls = /(?![\n\t])\p{Cc}/gu;

/**
 * The beginning of an answer as it can be kept and shown to an operator: up to
 * `limits.answerExcerptLength` characters of text, without card numbers, e-mail addresses and our
 * credentials, which pages of errors like to repeat. Undefined where there is nothing, or no text.
 */
export function answerExcerpt(
  { headers, body }: Pick<Answer, 'headers' | 'body'>,
  request: Pick<WebhookRequest, 'secrets' | 'headers'>,
): string | undefined {
  const type = headers['content-type'];
  if (body.length === 0 || (type !== undefined && !textType.test(type.toString()))) {
    return undefined;
  }
  const text = decoded(body, type === undefined);
  if (text === undefined) return undefined;
  const { secrets, headers: own = {} } = request;
  const masked = maskCardNumbers(withoutCredentials(text, secrets, Object.values(own)));
  const safe = withoutEmails(masked, '[e-mail]');
  const excerpt = safe
    .replaceAll('\r\n', '\n')
    .replace(controls, ' ')
    .trim()
    .slice(0, limits.answerExcerptLength)
    .toWellFormed();
  return excerpt === '' ? undefined : excerpt;
}

/** The last character may be cut. Of a body that nobody named a text, only what is one. */
function decoded(body: Uint8Array, fatal: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal }).decode(body, { stream: true });
  } catch {
    return undefined;
  }
}
