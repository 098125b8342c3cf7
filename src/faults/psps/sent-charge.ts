import type { SentCharge } from '../record.ts';
import type { WireRequest } from '../wire/wire.ts';

/** The charge that a request asks for, whichever PSP it goes to; undefined for any other request. */
export function sentChargeOf(request: WireRequest): SentCharge | undefined {
  const { method, origin, path, headers, body, sentMs: atMs } = request;
  if (method !== 'POST') return undefined;
  const { authorization = '' } = headers;
  if (origin.includes('sandbox')) {
    return { psp: 'sandbox', account: 'sandbox', key: headers['idempotency-key'] ?? '', atMs };
  }
  if (origin.includes('worldpay') && path === '/api/payments') {
    const { transactionReference: key } = JSON.parse(body) as { transactionReference: string };
    return { psp: 'worldpay', account: userOf(authorization), key, atMs };
  }
  if (origin.includes('stripe') && /\/(payment_intents|confirm|pay)$/.test(path)) {
    const account = authorization.replace(/^Bearer sk_live_/, '');
    return { psp: 'stripe', account, key: headers['idempotency-key'] ?? '', atMs };
  }
  return undefined;
}

/** The user name of HTTP's basic credentials. */
export function userOf(authorization: string): string {
  const basic = authorization.replace(/^Basic /, '');
  return Buffer.from(basic, 'base64').toString('utf8').split(':')[0] ?? '';
}
