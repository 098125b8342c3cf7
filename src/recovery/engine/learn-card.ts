import type { ChargedCard } from '../../domain/network-rules/card-attempt.ts';
import type { CardHistory, OpenTransaction, PaymentContext } from '../engine-ports.ts';
import type { ChargeResult, LookUpResult } from '../psp-ports.ts';
import type { EngineDeps } from './deps.ts';

/**
 * Notes what the PSP told of the card that was charged, where that is new. A card is counted as one,
 * whichever of its methods is charged, once its methods' fingerprints are known.
 */
export async function learnCard(
  deps: Pick<EngineDeps, 'clock' | 'payments'>,
  input: {
    readonly payment: PaymentContext;
    readonly transaction: OpenTransaction;
    readonly result: ChargeResult | LookUpResult;
  },
): Promise<void> {
  const { payment, transaction, result } = input;
  if (result.kind !== 'succeeded' && result.kind !== 'declined') return;
  const { card } = result;
  const { paymentMethodId, idempotencyKey, sentAt } = transaction;
  const method = payment.methods.find((item) => item.paymentMethodId === paymentMethodId);
  if (card === undefined || !tellsNews(card, method?.card)) return;
  const { merchantId, customerId, psp } = payment;
  const now = deps.clock.now();
  await deps.payments.learnCard({
    merchantId,
    customerId,
    psp,
    paymentMethodId,
    card,
    idempotencyKey,
    at: sentAt,
    now,
  });
}

function tellsNews(card: ChargedCard, known: CardHistory | undefined): boolean {
  if (known === undefined) return true;
  const { fingerprint, network, credentialForm } = card;
  const { facts } = known;
  // What was told before the method was reported as changed is to be told again.
  const isStale = facts.renewedAt !== undefined;
  return (
    (fingerprint !== undefined && (isStale || fingerprint !== known.fingerprint)) ||
    (network !== undefined && network !== facts.network) ||
    (credentialForm !== undefined && credentialForm !== known.credentialForm)
  );
}
