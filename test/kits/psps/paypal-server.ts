import { createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { PspWebhook } from '../../../src/recovery/psp-ports.ts';
import { type PspAnswer, type PspRequest, startHttpPsp } from './http-psp.ts';
import { acceptClaim, answerableDispute, refusal, takeEvidence } from './paypal-evidence.ts';
import { TestDisputes } from './test-disputes.ts';

export const paypalCredentials = {
  client_id: 'app_of_acme',
  client_secret: 'secret_of_acme',
  webhook_id: '8PT597110X687430LKGECATA',
  environment: 'sandbox',
};

const certUrl = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594';
const disputesPath = '/v1/customer/disputes/';
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** PayPal's REST API as far as disputes need it: tokens, the check of signatures, disputes. */
export async function startPaypalServer() {
  const disputes = new Map<string, object>();
  const answered = new TestDisputes();
  const tokens: string[] = [];
  const http = await startHttpPsp(async (request) => {
    if (request.url.pathname === '/v1/oauth2/token') return newToken(request, tokens);
    const bearer = `Bearer ${tokens.at(-1)}`;
    if (request.headers.authorization !== bearer) return { status: 401, body: { error: 'x' } };
    if (request.url.pathname === '/v1/notifications/verify-webhook-signature') {
      return verification(request.text);
    }
    const [id = '', action] = request.url.pathname.replace(disputesPath, '').split('/');
    const open = answered.find(id);
    const dispute = disputes.get(id) ?? (open && answerableDispute(open, http.url));
    if (dispute === undefined) return { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
    if (action === undefined) return { status: 200, body: dispute };
    if (open === undefined) return refusal(422, 'INVALID_STATE');
    return action === 'accept-claim'
      ? acceptClaim(open, answered.takeFault(), request)
      : takeEvidence(open, answered.takeFault(), request, answered);
  });
  return {
    url: http.url,
    disputes,
    /** Those that are open to an answer. */
    answered,
    tokens,
    written: http.written,
    close: http.close,
  };
}

export type PaypalServer = Awaited<ReturnType<typeof startPaypalServer>>;

function newToken({ headers, text }: PspRequest, tokens: string[]): PspAnswer {
  const { client_id, client_secret } = paypalCredentials;
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  if (headers.authorization !== `Basic ${basic}` || text !== 'grant_type=client_credentials') {
    return { status: 401, body: { error: 'invalid_client' } };
  }
  const access_token = `token_${tokens.length + 1}`;
  tokens.push(access_token);
  return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 32_400 } };
}

/** Over the transmission's id and time, the webhook's id, and the checksum of the event as it is sent. */
function verification(text: string): PspAnswer {
  const asked = JSON.parse(text) as Record<string, string>;
  const event = text.slice(text.indexOf('"webhook_event":') + '"webhook_event":'.length, -1);
  const message = messageOf(asked.transmission_id, asked.transmission_time, event);
  const isRight =
    asked.webhook_id === paypalCredentials.webhook_id &&
    createVerify('RSA-SHA256')
      .update(message)
      .verify(keys.publicKey, asked.transmission_sig ?? '', 'base64');
  return { status: 200, body: { verification_status: isRight ? 'SUCCESS' : 'FAILURE' } };
}

function messageOf(id: string | undefined, time: string | undefined, event: string): string {
  return `${id}|${time}|${paypalCredentials.webhook_id}|${crc32(event)}`;
}

/** A webhook as PayPal signs it. */
export function signedPaypalWebhook(
  event: object,
  changes: Readonly<Record<string, string>> = {},
): PspWebhook {
  // With blanks, as no other JSON writer would put them.
  const text = JSON.stringify(event, undefined, 1);
  const id = '69cd13f0-d67a-11e5-baa3-778b53f4ae55';
  const time = '2026-11-02T09:00:00Z';
  const signature = createSign('RSA-SHA256')
    .update(messageOf(id, time, text))
    .sign(keys.privateKey, 'base64');
  return {
    rawBody: Buffer.from(text),
    headers: {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': certUrl,
      'paypal-transmission-id': id,
      'paypal-transmission-sig': signature,
      'paypal-transmission-time': time,
      ...changes,
    },
    receivedAt: new Date('2026-11-02T09:00:01Z'),
  };
}

/** In the shape of paypal-rest-api-specifications, customer_disputes_v1.json, `dispute`. */
export function paypalDispute(changes: object = {}) {
  return {
    dispute_id: 'PP-D-27803',
    create_time: '2026-11-01T10:00:00.000Z',
    update_time: '2026-11-01T10:00:05.000Z',
    disputed_transactions: [
      {
        seller_transaction_id: '00D10444LD479031K',
        create_time: '2026-10-20T08:00:00.000Z',
        transaction_status: 'COMPLETED',
        gross_amount: { currency_code: 'USD', value: '30.00' },
        buyer: { name: 'Jane Doe' },
      },
      { seller_transaction_id: '00D10444LD479032K' },
    ],
    reason: 'UNAUTHORISED',
    status: 'WAITING_FOR_SELLER_RESPONSE',
    dispute_amount: { currency_code: 'USD', value: '36.90' },
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_channel: 'EXTERNAL',
    external_reason_code: '10.4',
    seller_response_due_date: '2026-11-11T10:00:00.000Z',
    ...changes,
  };
}

export function paypalEvent(resource: object, type = 'CUSTOMER.DISPUTE.CREATED') {
  return {
    id: 'WH-4M0448861G563140B-9EX36365822141321',
    create_time: '2026-11-01T10:00:06.000Z',
    resource_type: 'dispute',
    event_type: type,
    summary: 'A new dispute opened with Case # PP-D-27803',
    resource,
  };
}
