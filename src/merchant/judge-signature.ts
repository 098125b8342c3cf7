import { timingSafeEqual } from 'node:crypto';
import { secondMs } from '../domain/clock.ts';
import type { SignatureTest, SignatureVerdict } from '../recovery/reports/webhooks.ts';
import { signWebhook } from './signature.ts';

/** What receivers do to a body before they verify it, the likeliest first. */
const changes: readonly (readonly [how: string, undo: (body: string) => string | undefined])[] = [
  ['a line break was added at its end', (body) => body.replace(/\r?\n$/, '')],
  ['blanks were added around it', (body) => body.trim()],
  ['its JSON was parsed and written again', compactJson],
];

/**
 * Whether a webhook that somebody received is one of ours, and if not, the likeliest reason. `secrets`
 * are those that are valid now.
 */
export function judgeSignature(
  input: SignatureTest & { readonly secrets: readonly string[]; readonly now: Date },
): SignatureVerdict {
  const { body, secrets, now } = input;
  const expiration = input.expiration.trim();
  const signature = input.signature.trim();
  if (!/^\d{1,12}$/.test(expiration)) {
    return { kind: 'wrong', why: 'The expiration is a Unix time in whole seconds.' };
  }
  if (!/^[0-9a-f]{64}$/.test(signature)) {
    return {
      kind: 'wrong',
      why: 'The signature has 64 lower-case hexadecimal characters. Is it the header X-Service-Webhook-Signature?',
    };
  }
  const expiresAtUnix = Number(expiration);
  const fits = (text: string): boolean =>
    secrets.some((secret) => isSame(signature, signWebhook({ secret, body: text, expiresAtUnix })));
  if (fits(body)) {
    const expiredAt = new Date(expiresAtUnix * secondMs);
    return expiredAt.getTime() < now.getTime() ? { kind: 'expired', expiredAt } : { kind: 'valid' };
  }
  for (const [how, undo] of changes) {
    const text = undo(body);
    if (text !== undefined && text !== body && fits(text)) return { kind: 'body_changed', how };
  }
  return {
    kind: 'wrong',
    why: 'No valid signing secret of the merchant makes this signature for this body and expiration: the body was changed, or it is another merchant’s, or its secret has ended.',
  };
}

function compactJson(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
