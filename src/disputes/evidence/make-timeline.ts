import { disputeStateName } from '../../domain/disputes/normalise/dispute-state.ts';
import { present } from '../../domain/present.ts';
import type { ChargeAnalytics } from './charge-analytics.ts';
import { disputedSubscription, type EvidenceRecords, type KnownCharge } from './evidence-ports.ts';
import { isAtStart } from './is-at-start.ts';
import type { TimelineEvent } from './packet-facts.ts';

/** What happened to the subscription and the disputed invoice, in no order. */
export function makeTimeline(
  records: EvidenceRecords,
  checkout: ChargeAnalytics | undefined,
): readonly TimelineEvent[] {
  const { dispute, charge, renewals } = records;
  const subscriptionId = disputedSubscription(records);
  const own = renewals.filter((one) => one.subscriptionId === subscriptionId);
  return [
    ...checkoutEvents(checkout),
    ...(subscriptionId === undefined ? [] : own).map(chargeEvent),
    ...(charge === undefined || own.some(({ id }) => id === charge.id)
      ? []
      : [chargeEvent(charge, 1)]),
    ...records.tries.filter(({ state }) => state !== 'succeeded').map(tryEvent),
    ...records.deliveries.map(({ at, type, eventId }) => ({
      at,
      kind: 'webhook_delivery' as const,
      words: `The merchant's server accepted ${type}`,
      reference: eventId,
    })),
    ...records.refunds.map(({ at, refundId, money }) => ({
      at,
      kind: 'refund' as const,
      words: 'The charge was refunded to the customer',
      reference: refundId,
      ...present({ money }),
    })),
    ...dispute.changes.map(({ state, occurredAt }) => ({
      at: occurredAt,
      kind: 'dispute' as const,
      words: `The dispute's state: ${disputeStateName(state).replaceAll('_', ' ')}`,
      reference: dispute.pspDisputeId,
    })),
  ];
}

function checkoutEvents(checkout: ChargeAnalytics | undefined): readonly TimelineEvent[] {
  if (checkout?.capturedAt === undefined) return [];
  const words = "The customer checked out; the merchant's server captured who it was";
  return [{ at: checkout.capturedAt, kind: 'checkout', words }];
}

/** The first charge of a subscription began it, where it was made then. */
function chargeEvent(charge: KnownCharge, index: number): TimelineEvent {
  const { id, processedAt, money, isRetry } = charge;
  const begun = { at: processedAt, reference: id, money };
  if (isRetry)
    return { ...begun, kind: 'retry', words: 'Charged again, after a yes of the merchant' };
  return index === 0 && isAtStart(charge) === true
    ? { ...begun, kind: 'checkout', words: 'The first charge of the subscription' }
    : { ...begun, kind: 'renewal', words: 'Charged' };
}

function tryEvent(one: EvidenceRecords['tries'][number]): TimelineEvent {
  const words =
    one.state === 'declined' ? 'Tried again, and declined' : 'Tried again; its end is not known';
  return {
    at: one.at,
    kind: 'retry',
    words,
    money: one.money,
    ...present({ reference: one.pspTransactionId }),
  };
}
