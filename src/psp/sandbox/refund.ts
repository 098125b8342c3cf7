import type { RefundRequest, RefundResult } from '../../recovery/psp-ports.ts';
import { fieldsOf, idOf, parsedFields, textOf } from '../answer-fields.ts';
import type { SandboxClient } from './client.ts';

/** Gives a charge back; the sandbox answers the same key with the same refund for ever. */
export async function refundSandbox(
  client: Pick<SandboxClient, 'postRefund'>,
  { pspTransactionId, idempotencyKey, amountMinor }: RefundRequest,
): Promise<RefundResult> {
  const body = JSON.stringify({ amount: amountMinor });
  const sent = await client.postRefund(pspTransactionId, idempotencyKey, body);
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: sent.reason };
  const answer = parsedFields(sent.text);
  if (sent.status === 200) {
    const refundId = idOf(answer?.id);
    return refundId !== undefined && answer?.charge === pspTransactionId
      ? { kind: 'refunded', refundId }
      : { kind: 'unknown', reason: 'HTTP 200 with an answer that cannot be understood' };
  }
  const words = textOf(fieldsOf(answer?.error)?.message);
  const reason = `HTTP ${sent.status}${words === undefined ? '' : `: ${words}`}`;
  return { kind: [400, 401, 404].includes(sent.status) ? 'refused' : 'unknown', reason };
}
