import { normaliseDispute } from '../../domain/disputes/normalise/normalise-dispute.ts';
import { present } from '../../domain/present.ts';
import type { ParsedEvent } from '../../recovery/psp-ports.ts';
import { type Fields, idOf } from '../answer-fields.ts';
import { isOwnKey } from '../own-key.ts';

/**
 * A chargeback. The event names the payment by the merchant's reference and nothing else: no id of the
 * dispute, no reason, no amount, no deadline (developer.worldpay.com, products/events/openapi/chargeback).
 * So its id here is the event's, and it stays as it is: Worldpay Access tells of no later step.
 */
export function parseDispute(input: {
  readonly eventId: string;
  readonly type: string;
  readonly details: Fields;
  readonly occurredAt: Date;
}): ParsedEvent {
  const { eventId, type, details, occurredAt } = input;
  const event = details.classification === 'chargeback' ? 'chargeback' : type;
  const state = normaliseDispute('worldpay', { event });
  if (state === undefined) return { kind: 'dispute' };
  const reference = idOf(details.transactionReference);
  return {
    kind: 'dispute',
    dispute: {
      pspDisputeId: eventId,
      openedAt: occurredAt,
      paymentIds: reference === undefined ? [] : [reference],
      ...present({
        merchantReference: reference,
        idempotencyKey: reference !== undefined && isOwnKey(reference) ? reference : undefined,
      }),
      ...state,
    },
  };
}
