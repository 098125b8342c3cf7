import type { PspWebhook } from '../recovery/psp-ports.ts';
import { type Fields, parsedFields } from './answer-fields.ts';

/** A webhook's body as it was signed, and the object that it holds. */
export type JsonWebhook =
  | { readonly kind: 'json'; readonly text: string; readonly body: Fields }
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Reads a webhook that is a JSON object in UTF-8. Nothing is decoded or repaired: the text's bytes
 * are exactly those that came, as a signature needs them.
 */
export function readJsonWebhook({ rawBody, headers }: PspWebhook): JsonWebhook {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    return { kind: 'malformed', reason: 'The body is compressed.' };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody);
  } catch {
    return { kind: 'malformed', reason: 'The body is not UTF-8.' };
  }
  const body = parsedFields(text);
  return body === undefined
    ? { kind: 'malformed', reason: 'The body is not a JSON object.' }
    : { kind: 'json', text, body };
}
