import { type HeadersLike, headerOf } from '../headers.ts';
import { bytesOfBase64, bytesOfHex, isHmac, joinBytes } from '../hmac.ts';
import { isObject } from '../is-object.ts';
import { WebhookError } from './webhook-error.ts';
import type { WebhookEvent } from './webhook-event.ts';

export interface VerifyOptions {
  /** The present in milliseconds since 1970. Default: this machine's clock. */
  readonly nowMs?: number;
  /** How far `webhook-timestamp` may be from the present, in milliseconds. Default: 300,000. */
  readonly toleranceMs?: number;
}

/** What one of the two schemes says. `stale`: the signature holds, its time does not. */
type Verdict = 'absent' | 'malformed' | 'wrong' | 'stale' | 'genuine';

interface Received {
  readonly body: Uint8Array;
  readonly headers: HeadersLike;
  readonly secrets: readonly string[];
  readonly nowMs: number;
  readonly toleranceMs: number;
}

const toleranceMs = 300_000;

/**
 * Verifies a webhook and gives its event. Two schemes sign each webhook: the headers
 * `X-Service-Webhook-Signature` with `X-Service-Webhook-Expiration`, and those of Standard Webhooks.
 * It is genuine when one of them holds; during a rotation a receiver may know a secret of one only.
 * An expiration that has passed refuses it, whatever else holds.
 *
 * `rawBody` is the body as it came, before any JSON parser. Of several secrets any may fit.
 * Throws WebhookError, whose `reason` and `action` say what is wrong and what to do.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const received: Received = {
    body: bytesOf(rawBody),
    headers,
    // From JavaScript an unset variable may come, which would be the key of no bytes.
    secrets: [secrets].flat().filter(Boolean),
    nowMs: options.nowMs ?? Date.now(),
    toleranceMs: options.toleranceMs ?? toleranceMs,
  };
  if (received.secrets.length === 0) throw new WebhookError('no_secret');
  const verdicts = await Promise.all([byExpiration(received), byStandard(received)]);
  const [own, standard] = verdicts;
  if (own === 'stale' || hasExpired(received)) throw new WebhookError('expired');
  if (!verdicts.includes('genuine')) throw new WebhookError(faultOf(verdicts));
  const deduplicationId = headerOf(headers, 'x-service-webhook-deduplication-id');
  const hasSignedId = standard === 'genuine' || standard === 'stale';
  const id = hasSignedId ? headerOf(headers, 'webhook-id') : deduplicationId;
  if (id === '') throw new WebhookError('missing_headers');
  return eventOf(received, { id, deduplicationId });
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === 'string') return joinBytes(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  // Reached from JavaScript only: the types allow no object.
  throw new WebhookError('body_not_raw');
}

/** The signed text is the body and the expiration, one after the other. */
async function byExpiration(received: Received): Promise<Verdict> {
  const signature = headerOf(received.headers, 'x-service-webhook-signature');
  const expiration = headerOf(received.headers, 'x-service-webhook-expiration');
  if (signature === '') return 'absent';
  const given = bytesOfHex(signature);
  if (given === undefined || !/^\d{1,12}$/.test(expiration)) return 'malformed';
  const message = joinBytes(received.body, expiration);
  if (!(await isByAnySecret(received.secrets, [given], message))) return 'wrong';
  return hasExpired(received) ? 'stale' : 'genuine';
}

/** Standard Webhooks 1.0.0: the signed text is the id, the time and the body, with dots between. */
async function byStandard(received: Received): Promise<Verdict> {
  const header = (name: string): string => headerOf(received.headers, `webhook-${name}`);
  const [id, timestamp, signatures] = [header('id'), header('timestamp'), header('signature')];
  if (signatures === '') return 'absent';
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return 'malformed';
  const given = signatures
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .flatMap((entry) => bytesOfBase64(entry.slice('v1,'.length)) ?? []);
  if (given.length === 0) return 'malformed';
  const message = joinBytes(`${id}.${timestamp}.`, received.body);
  if (!(await isByAnySecret(received.secrets, given, message))) return 'wrong';
  const distanceMs = Math.abs(Number(timestamp) * 1000 - received.nowMs);
  return distanceMs > received.toleranceMs ? 'stale' : 'genuine';
}

/** Tries every pair, so that the time taken does not tell which one fits. */
async function isByAnySecret(
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const checks = secrets.flatMap((secret) =>
    signatures.map((signature) => isHmac(secret, signature, message)),
  );
  return (await Promise.all(checks)).includes(true);
}

/** The last second of validity is valid. */
function hasExpired({ headers, nowMs }: Received): boolean {
  const expiration = headerOf(headers, 'x-service-webhook-expiration');
  return /^\d{1,12}$/.test(expiration) && nowMs > Number(expiration) * 1000;
}

function faultOf(verdicts: readonly Verdict[]) {
  if (verdicts.includes('stale')) return 'expired';
  if (verdicts.includes('wrong')) return 'wrong_signature';
  return verdicts.includes('malformed') ? 'malformed_header' : 'missing_headers';
}

function eventOf(
  { body, headers }: Received,
  ids: Pick<WebhookEvent, 'id' | 'deduplicationId'>,
): WebhookEvent {
  const data = objectOf(body);
  if (data === undefined) throw new WebhookError('malformed_body');
  const name = headerOf(headers, 'x-service-webhook-type');
  switch (name) {
    case 'retry_result':
    case 'end_of_dunning':
    case 'incident':
    case 'customer_action_required':
    case 'customer_action_resolved':
      return { type: name, ...ids, data };
    default:
      return { type: 'other', name, ...ids, data };
  }
}

function objectOf(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
