import { normaliseDispute } from '../../../domain/disputes/normalise/normalise-dispute.ts';
import type { DisputeFacts } from '../../../domain/disputes/reported-dispute.ts';
import { present } from '../../../domain/present.ts';
import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { reasonFacts } from '../../dispute-reason.ts';
import { moneyOf } from '../amounts.ts';
import { intOf, refOf, timeOf } from '../fields.ts';
import type { StripeEvent } from './event.ts';

/**
 * A dispute or an early fraud warning. Both name the charge only: whose it was, and on which card, is
 * read of the charge later. One whose state Recoup does not know is kept without it.
 */
export function parseDispute(event: StripeEvent): ParsedEvent {
  const { object, type, occurredAt } = event;
  const details = fieldsOf(fieldsOf(object.payment_method_details)?.card);
  const pspDisputeId = idOf(object.id);
  const words = { stage: textOf(details?.case_type), status: textOf(object.status) };
  const state = normaliseDispute('stripe', { event: type, ...present(words) });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  const named = [object.charge, object.payment_intent].map(refOf);
  const facts: DisputeFacts = {
    pspDisputeId,
    openedAt: timeOf(object.created) ?? occurredAt,
    paymentIds: named.filter((id) => id !== undefined),
    ...present({
      money: moneyIn(object),
      // 0 where no answer is allowed.
      respondBy: timeOf(fieldsOf(object.evidence_details)?.due_by || undefined),
    }),
    ...reasonFacts({
      scheme: textOf(details?.brand),
      code: textOf(details?.network_reason_code),
      words: textOf(object.reason) ?? textOf(object.fraud_type),
    }),
  };
  return { kind: 'dispute', dispute: { ...facts, ...state } };
}

function moneyIn({ amount, currency }: Fields) {
  const units = intOf(amount);
  const code = textOf(currency);
  return units === undefined || code === undefined ? undefined : moneyOf(units, code);
}
