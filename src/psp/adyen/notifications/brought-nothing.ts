import { present } from '../../../domain/present.ts';
import type { ParsedEvent, ToldCharge } from '../../../recovery/psp-ports.ts';
import { idOf } from '../../answer-fields.ts';
import { adyenDecline } from '../declines.ts';
import type { Notification } from './notification.ts';

/** An event after a payment, which it names as the original one, says that a charge of ours brought no money. */
export function broughtNothing(
  { originalReference, additionalData }: Notification,
  input: {
    readonly idempotencyKey: string;
    readonly refusalReason: string | undefined;
    readonly told?: ToldCharge;
  },
): ParsedEvent {
  const { idempotencyKey, refusalReason, told } = input;
  const decline = adyenDecline({ additionalData, ...present({ refusalReason }) });
  const ids = present({ pspTransactionId: idOf(originalReference), told });
  return { kind: 'charge_settled', idempotencyKey, result: { kind: 'declined', ...ids, decline } };
}
