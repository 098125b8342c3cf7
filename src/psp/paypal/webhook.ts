import type { PspWebhook, WebhookReading } from '../../recovery/psp-ports.ts';
import { fieldsOf, idOf, parsedFields, textOf } from '../answer-fields.ts';
import { readJsonWebhook } from '../read-json-webhook.ts';
import type { PaypalClient } from './client.ts';
import type { PaypalAccount } from './credentials.ts';
import { parseDispute } from './dispute.ts';

interface Deps {
  readonly client: PaypalClient;
  readonly account: PaypalAccount;
}

/** PayPal's own hosts: a certificate from anywhere else would be anybody's. */
const certificateHosts: readonly string[] = [
  'api.paypal.com',
  'api-m.paypal.com',
  'api.sandbox.paypal.com',
  'api-m.sandbox.paypal.com',
];
const algorithm = 'SHA256withRSA';

/**
 * Verifies a webhook, and reads what it means. PayPal signs with a certificate that it names; its API
 * says whether the signature is right (paypal-rest-api-specifications, notifications_webhooks_v1.json,
 * verify-webhook-signature), for the account's own webhook alone. What does not name PayPal's
 * certificate is refused without a question. Where the API does not answer, the webhook is to come again.
 */
export async function readPaypalWebhook(deps: Deps, delivery: PspWebhook): Promise<WebhookReading> {
  const read = readJsonWebhook(delivery);
  if (read.kind === 'malformed') return read;
  const verified = await verify(deps, delivery, read.text);
  if (verified !== undefined) return verified;
  const { body } = read;
  const [eventId, type] = [idOf(body.id), idOf(body.event_type)];
  const occurredAt = new Date(textOf(body.create_time) ?? Number.NaN);
  if (eventId === undefined || type === undefined || Number.isNaN(occurredAt.getTime())) {
    return { kind: 'malformed', reason: 'The body is not an event with an id, a type and a time.' };
  }
  const resource = fieldsOf(body.resource) ?? {};
  const parsed = type.startsWith('CUSTOMER.DISPUTE.')
    ? parseDispute({ type, resource, occurredAt })
    : ({ kind: 'not_used' } as const);
  return { kind: 'read', events: [{ eventId, type, occurredAt, parsed }] };
}

/** Undefined where PayPal says that the signature is right. */
async function verify(
  { client, account }: Deps,
  { headers }: PspWebhook,
  text: string,
): Promise<Extract<WebhookReading, { kind: 'unverified' | 'unavailable' }> | undefined> {
  const said = {
    auth_algo: headers['paypal-auth-algo'],
    cert_url: headers['paypal-cert-url'],
    transmission_id: headers['paypal-transmission-id'],
    transmission_sig: headers['paypal-transmission-sig'],
    transmission_time: headers['paypal-transmission-time'],
  };
  if (Object.values(said).some((value) => value === undefined || value === '')) {
    return { kind: 'unverified', reason: 'The headers of the transmission are missing.' };
  }
  if (said.auth_algo !== algorithm || !isPaypals(said.cert_url ?? '')) {
    return { kind: 'unverified', reason: 'The certificate is not one of PayPal.' };
  }
  const named = JSON.stringify({ ...said, webhook_id: account.webhookId });
  // The event goes as it came: written anew it would have another checksum.
  const sent = await client.verifyWebhook(`${named.slice(0, -1)},"webhook_event":${text}}`);
  if (sent.kind !== 'answered') return { kind: 'unavailable', reason: sent.reason };
  const status = parsedFields(sent.text)?.verification_status;
  if (sent.status === 200 && status === 'SUCCESS') return undefined;
  // 4xx of the question: a header of a shape that PayPal never sends.
  if ((sent.status === 200 && status === 'FAILURE') || [400, 422].includes(sent.status)) {
    return { kind: 'unverified', reason: 'PayPal says that the signature is not valid.' };
  }
  return { kind: 'unavailable', reason: `PayPal answered with HTTP ${sent.status}` };
}

function isPaypals(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return protocol === 'https:' && certificateHosts.includes(host) && username + password === '';
}
