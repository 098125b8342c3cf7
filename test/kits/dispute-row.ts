import type { DisputeStatus } from '../../src/domain/disputes/normalise/dispute-state.ts';
import { worldStart } from './billing-events.ts';
import type { EngineWorld } from './engine.ts';

/** A dispute at the sandbox, as its row stands there: open, and of no card, unless told otherwise. */
export async function addDispute(
  world: Pick<EngineWorld, 'rows' | 'merchantId'>,
  of: {
    readonly status?: DisputeStatus;
    readonly psp?: string;
    readonly paymentMethodId?: string;
    readonly cardFingerprint?: string;
    readonly pspCustomerId?: string;
  },
): Promise<void> {
  await world.rows(
    `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status,
       state_at, stage_begun_at, opened_at, payment_ids, payment_method_id, card_fingerprint,
       psp_customer_id, created_at, updated_at)
     values ($1, 'dp_1', $2, 'dp_1', 'psp', 'dispute', 'chargeback', $3, $4, $4, $4, '{}', $5, $6, $7,
       $4, $4)`,
    [
      world.merchantId,
      of.psp ?? 'sandbox',
      of.status ?? 'needs_response',
      worldStart,
      of.paymentMethodId ?? null,
      of.cardFingerprint ?? null,
      of.pspCustomerId ?? null,
    ],
  );
}
