import type { DisputeFacts } from '../../../domain/disputes/reported-dispute.ts';
import { normaliseDispute } from '../../../domain/disputes/words/normalise-dispute.ts';
import { present } from '../../../domain/present.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { reasonFacts } from '../../dispute-reason.ts';
import { moneyOf } from '../amounts.ts';
import { failureReason } from '../failures.ts';
import { intOf, refOf, timeOf } from '../fields.ts';
import { keyField } from '../map.ts';
import type { BillingAttemptDeps } from './billing-attempt.ts';
import type { StripeEvent } from './event.ts';
import type { MeaningReading } from './event-meaning.ts';

type Unavailable = Extract<MeaningReading, { kind: 'unavailable' }>;

/**
 * A dispute or an early fraud warning. Both name the charge only: whose it was, and on which card, is
 * read of the charge. One whose state Recoup does not know is kept without it.
 */
export async function disputeMeaning(
  deps: BillingAttemptDeps,
  event: StripeEvent,
): Promise<MeaningReading> {
  const { object, type } = event;
  const details = fieldsOf(fieldsOf(object.payment_method_details)?.card);
  const pspDisputeId = idOf(object.id);
  const stage = textOf(details?.case_type);
  const status = textOf(object.status);
  const state = normaliseDispute('stripe', {
    event: type,
    ...(stage !== undefined && { stage }),
    ...(status !== undefined && { status }),
  });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  const read = await chargeOf(deps, refOf(object.charge));
  if (read.kind === 'unavailable') return read;
  const facts = { pspDisputeId, ...said(event, details), ...chargeFacts(object, read.charge) };
  return { kind: 'dispute', dispute: { ...facts, ...state } };
}

type Said = Pick<
  DisputeFacts,
  'reason' | 'reasonCode' | 'reasonFamily' | 'network' | 'openedAt' | 'respondBy'
>;

function said({ object, occurredAt }: StripeEvent, details: Fields | undefined): Said {
  // 0 where no answer is allowed.
  const dueBy = timeOf(fieldsOf(object.evidence_details)?.due_by || undefined);
  return {
    openedAt: timeOf(object.created) ?? occurredAt,
    ...(dueBy !== undefined && { respondBy: dueBy }),
    ...reasonFacts({
      scheme: textOf(details?.brand),
      code: textOf(details?.network_reason_code),
      words: textOf(object.reason) ?? textOf(object.fraud_type),
    }),
  };
}

function chargeFacts(object: Fields, charge: Fields | undefined) {
  const card = fieldsOf(fieldsOf(charge?.payment_method_details)?.card);
  const amount = intOf(object.amount) ?? intOf(charge?.amount);
  const currency = textOf(object.currency) ?? textOf(charge?.currency);
  const money =
    amount === undefined || currency === undefined ? undefined : moneyOf(amount, currency);
  const ids = {
    idempotencyKey: textOf(fieldsOf(charge?.metadata)?.[keyField]),
    networkTransactionId: idOf(card?.network_transaction_id),
    pspCustomerId: refOf(charge?.customer),
    paymentMethodId: refOf(charge?.payment_method),
    cardFingerprint: idOf(card?.fingerprint),
    chargedAt: timeOf(charge?.created),
    money,
  };
  const network = card === undefined ? {} : reasonFacts({ scheme: textOf(card.brand) });
  const named = [object.charge, object.payment_intent, charge?.payment_intent].map(refOf);
  return {
    ...network,
    ...present(ids),
    paymentIds: [...new Set(named.filter((id) => id !== undefined))],
  };
}

async function chargeOf(
  { client, timeoutMs }: BillingAttemptDeps,
  id: string | undefined,
): Promise<{ readonly kind: 'read'; readonly charge?: Fields } | Unavailable> {
  if (id === undefined) return { kind: 'read' };
  const read = await client.ask(timeoutMs, (stripe, options) =>
    stripe.charges.retrieve(id, {}, options),
  );
  if (read.kind === 'answered') {
    const charge = fieldsOf(read.value);
    return charge?.id === id ? { kind: 'read', charge } : { kind: 'read' };
  }
  const isGone = read.kind === 'refused' && read.status === 404;
  return isGone ? { kind: 'read' } : { kind: 'unavailable', reason: failureReason(read) };
}
