import type { PaymentMethodUpdateBody, UpdateReason } from '../../../domain/payment-event.ts';
import type { ParsedEvent } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import { refOf } from '../fields.ts';
import type { StripeEvent } from './event.ts';

const notUsed: ParsedEvent = { kind: 'not_used' };

/** A change of a payment method that belongs, or belonged, to a customer. */
export function methodUpdate({ object, previous }: StripeEvent, reason: UpdateReason): ParsedEvent {
  // A detached method no longer names its customer; what changed does.
  const customer = refOf(object.customer) ?? refOf(previous.customer);
  const methodId = idOf(object.id);
  if (customer === undefined || methodId === undefined) return notUsed;
  return updates([{ psp_customer_id: customer, payment_method_id: methodId, reason }]);
}

/**
 * A customer's new default method, and the default source of the time before payment methods. Any
 * other change of a customer is not of use.
 */
export function defaultMethodUpdates({ object, previous }: StripeEvent): ParsedEvent {
  const customer = idOf(object.id);
  if (customer === undefined) return notUsed;
  const changed = [
    changedRef(
      fieldsOf(object.invoice_settings),
      fieldsOf(previous.invoice_settings),
      'default_payment_method',
    ),
    changedRef(object, previous, 'default_source'),
  ].filter((id) => id !== undefined);
  return updates(
    [...new Set(changed)].map((id) => ({
      psp_customer_id: customer,
      payment_method_id: id,
      reason: 'user_updated',
    })),
  );
}

function changedRef(
  now: Fields | undefined,
  before: Fields | undefined,
  field: string,
): string | undefined {
  if (before === undefined || !Object.hasOwn(before, field)) return undefined;
  const id = refOf(now?.[field]);
  return id === refOf(before[field]) ? undefined : id;
}

function updates(items: readonly PaymentMethodUpdateBody[]): ParsedEvent {
  return items.length === 0 ? notUsed : { kind: 'payment_method_updates', updates: items };
}
