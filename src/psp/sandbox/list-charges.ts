import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { ListChargesRequest, ListedCharge, ListedCharges } from '../../recovery/psp-ports.ts';
import type { SandboxClient } from './client.ts';

interface ListAnswer {
  readonly data: readonly {
    readonly id: string;
    readonly status: 'succeeded' | 'declined';
    readonly created_at: string;
    readonly idempotency_key: string;
    readonly amount: number;
    readonly currency: string;
    readonly amount_refunded?: number;
  }[];
  readonly next_cursor?: string;
}

/** A page of the merchant's charges, the oldest first; whoever asks leaves out other times. */
export async function listSandboxCharges(
  client: Pick<SandboxClient, 'list'>,
  { merchantId, cursor }: ListChargesRequest,
): Promise<ListedCharges> {
  const sent = await client.list(merchantId, limits.maxPageSize, cursor);
  if (sent.kind !== 'answered') return { kind: 'unavailable', reason: sent.reason };
  if (sent.status !== 200) return { kind: 'unavailable', reason: `HTTP ${sent.status}` };
  const { data, next_cursor: nextCursor } = JSON.parse(sent.text) as ListAnswer;
  const charges = data.map(
    (charge): ListedCharge => ({
      pspTransactionId: charge.id,
      idempotencyKey: charge.idempotency_key,
      state: charge.status,
      amountMinor: charge.amount,
      currency: charge.currency,
      createdAt: new Date(charge.created_at),
      ...present({ refundedMinor: charge.amount_refunded }),
    }),
  );
  return { kind: 'page', charges, ...present({ nextCursor }) };
}
