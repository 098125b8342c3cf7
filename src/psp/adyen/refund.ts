import type { RefundRequest, RefundResult } from '../../recovery/psp-ports.ts';
import { fieldsOf, idOf, parsedFields } from '../answer-fields.ts';
import type { Exchange } from '../exchange.ts';
import { adyenValue } from './amount.ts';
import type { AdyenClient } from './client.ts';
import type { AdyenAccount } from './credentials.ts';
import { refusedRequest } from './map.ts';

/**
 * Gives a payment back. Adyen answers that it has taken the request; what became of it comes by webhook
 * (docs.adyen.com/online-payments/refund). The same key is answered with what it was answered first.
 */
export async function refundAdyen(
  client: AdyenClient,
  account: AdyenAccount,
  request: RefundRequest,
): Promise<RefundResult> {
  const { pspTransactionId, idempotencyKey, currency } = request;
  const value = adyenValue(request);
  if (value === undefined) {
    return { kind: 'refused', reason: `Adyen has no unit of ${currency} small enough for this.` };
  }
  const { merchantAccount } = account;
  const body = { merchantAccount, amount: { value, currency }, reference: idempotencyKey };
  const sent = await client.refund(account, pspTransactionId, body, idempotencyKey);
  return refundResult(sent, { ...request, value });
}

function refundResult(
  sent: Exchange,
  asked: RefundRequest & { readonly value: number },
): RefundResult {
  // Nothing was sent: nothing is lost by asking again.
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: sent.reason };
  const body = parsedFields(sent.text);
  if (sent.status !== 201) {
    const { kind, reason } = refusedRequest(sent, body);
    const isRefused = kind === 'not_made' && sent.status !== 429;
    return { kind: isRefused ? 'refused' : 'unknown', reason };
  }
  const refundId = idOf(body?.pspReference);
  const amount = fieldsOf(body?.amount);
  const isAnswer =
    body?.status === 'received' &&
    body.paymentPspReference === asked.pspTransactionId &&
    amount?.value === asked.value &&
    amount.currency === asked.currency;
  return isAnswer && refundId !== undefined
    ? { kind: 'pending', refundId }
    : { kind: 'unknown', reason: 'HTTP 201 with an answer that cannot be understood' };
}
