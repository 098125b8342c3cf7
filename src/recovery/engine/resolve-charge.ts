import { invariant } from '../../domain/errors.ts';
import type { RecordOutcome, UnknownCharge } from '../engine-ports.ts';
import type { DefiniteResult } from './answers/judge-answer.ts';
import { outcomeOf, paidElsewhere, technicalBackoff } from './answers/outcome-of.ts';
import { ended, postponed, succeeded } from './attempt-steps.ts';
import type { EngineDeps } from './deps.ts';
import { learnCard } from './learn-card.ts';
import { recordStep } from './record-step.ts';

/** A charge that nobody is waiting for, with the attempt that it belongs to. */
export type OpenCharge = Pick<
  UnknownCharge,
  'merchantId' | 'invoiceId' | 'attempt' | 'transaction'
>;

/**
 * Ends the attempt of a charge by what the PSP said of it, whether it was asked or told us itself.
 * Of several that resolve one charge at the same time, one records.
 */
export async function resolveCharge(
  deps: Pick<EngineDeps, 'clock' | 'random' | 'signLink' | 'payments' | 'merchants' | 'wake'>,
  charge: OpenCharge,
  result: DefiniteResult,
): Promise<RecordOutcome> {
  const { attempt } = charge;
  const merchant = await deps.merchants.findMerchant(charge.merchantId);
  const payment = await deps.payments.load(charge);
  invariant(merchant !== undefined && payment !== undefined, 'a charge belongs to a payment');
  const { ordinal } = charge.transaction;
  const transaction = outcomeOf(attempt.attemptId, ordinal, result);
  const recorded = await recordStep(deps, {
    payment,
    merchant,
    decideStep: (fresh, now) => {
      const told = result.kind === 'paid_elsewhere' ? paidElsewhere(fresh, result.reason) : fresh;
      const input = { payment: told, merchant, attempt, now, transaction };
      const step =
        result.kind === 'succeeded'
          ? succeeded(deps, input)
          : ended(deps, {
              ...input,
              otherwise: (own) => postponed({ ...input, payment: own }, technicalBackoff(own)),
            });
      // Nobody holds the payment; whoever looks the same charge up at this moment comes too late.
      return { ...step, takeOver: true };
    },
  });
  await learnCard(deps, { payment, transaction: charge.transaction, result });
  return recorded.kind;
}
