import type { Clock } from '../../domain/clock.ts';
import type { PspWebhook, WebhookReading } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';
import { type StripeClient, stripeLibrary } from './client.ts';
import { readEvent, type StripeEvent } from './events/event.ts';
import type { OwnAccount } from './events/own-account.ts';
import { parseEvent } from './events/parse-event.ts';

export interface StripeWebhookDeps {
  readonly client: StripeClient;
  readonly clock: Clock;
  readonly credentials: PspCredentials;
  /** For each question that an event makes necessary. */
  readonly timeoutMs: number;
  /** Whose key the connection has. */
  readonly ownAccount: () => Promise<OwnAccount>;
}

/** How old a signed delivery may be: Stripe signs each of its tries anew. */
const toleranceSeconds = 300;

/** Verifies a delivery with the SDK over the bytes as they came, and reads what it means. */
export async function readStripeWebhook(
  deps: StripeWebhookDeps,
  delivery: PspWebhook,
): Promise<WebhookReading> {
  const verified = verifiedEvent(deps, delivery);
  if (verified.kind !== 'event') return verified;
  const { event } = verified;
  const owner = await ownerOf(deps, event);
  if (owner.kind === 'unavailable') return owner;
  const answer =
    owner.kind === 'other' ? ({ kind: 'not_used' } as const) : await parseEvent(deps, event);
  if (answer.kind === 'unavailable') return answer;
  const { eventId, type, occurredAt } = event;
  return { kind: 'read', events: [{ eventId, type, occurredAt, parsed: answer }] };
}

type Verified =
  | { readonly kind: 'event'; readonly event: StripeEvent }
  | Extract<WebhookReading, { kind: 'unverified' | 'malformed' }>;

function verifiedEvent({ clock, credentials }: StripeWebhookDeps, delivery: PspWebhook): Verified {
  const { errors, webhooks } = stripeLibrary();
  const { rawBody, headers } = delivery;
  const secret = credentials.webhook_secret;
  if (secret === undefined || secret.trim() === '') {
    return { kind: 'unverified', reason: 'this connection has no webhook_secret' };
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' || !isUtf8(rawBody)) {
    return { kind: 'malformed', reason: 'the body is not plain UTF-8' };
  }
  try {
    // Stripe signs by its own clock: minutes of tolerance are far more than real clocks differ by.
    const verified = webhooks.constructEvent(
      Buffer.from(rawBody),
      headers['stripe-signature'] ?? '',
      secret,
      toleranceSeconds,
      undefined,
      clock.now().getTime(),
    );
    const event = readEvent(verified);
    if (event !== undefined) return { kind: 'event', event };
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError) {
      return { kind: 'unverified', reason: signatureFault(error) };
    }
  }
  return { kind: 'malformed', reason: 'the body is not an event of the v1 API' };
}

/**
 * A Connect endpoint gets the events of every connected account, one of an organization those of all its
 * accounts; a connection stands for one. A key that may not tell whose it is leaves the latter open.
 */
async function ownerOf(
  { credentials, ownAccount }: StripeWebhookDeps,
  { account, context }: StripeEvent,
): Promise<{ readonly kind: 'own' | 'other' } | Extract<WebhookReading, { kind: 'unavailable' }>> {
  const named = account ?? /(?:^|\/)(acct_\w+)$/.exec(context ?? '')?.[1];
  if (named === undefined || named === credentials.account) return { kind: 'own' };
  if (account !== undefined || credentials.account) return { kind: 'other' };
  const own = await ownAccount();
  if (own.kind === 'unavailable') return own;
  return { kind: own.kind === 'withheld' || own.id === named ? 'own' : 'other' };
}

function signatureFault({ message }: Error): string {
  return message.includes('tolerance')
    ? `the signature is older than ${toleranceSeconds} seconds`
    : 'no signature of this endpoint';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
