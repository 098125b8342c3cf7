import { type Fields, fieldsOf } from '../../answer-fields.ts';
import { itemsOf, refOf } from '../fields.ts';

/**
 * The subscription of an invoice. Since 2025-03-31 it stands under `parent`; before, on the invoice
 * itself; a line names it in both (docs.stripe.com/changelog/basil).
 */
export function subscriptionOf(invoice: Fields): string | undefined {
  const parent = fieldsOf(fieldsOf(invoice.parent)?.subscription_details);
  return (
    refOf(parent?.subscription) ??
    refOf(invoice.subscription) ??
    itemsOf(invoice.lines)
      .map(subscriptionOfLine)
      .find((id) => id !== undefined)
  );
}

function subscriptionOfLine(line: Fields): string | undefined {
  const item = fieldsOf(fieldsOf(line.parent)?.subscription_item_details);
  return refOf(item?.subscription) ?? refOf(line.subscription);
}

/** The charge that an invoice of before 2025-03-31 names: the latest one made for it. */
export function chargeOf(invoice: Fields): string | undefined {
  return refOf(invoice.charge);
}

/** The intents that an invoice names: of its payments, or the only one of before 2025-03-31. */
export function intentIdsOf(invoice: Fields): readonly string[] {
  const payments = itemsOf(invoice.payments).map((item) =>
    refOf(fieldsOf(item.payment)?.payment_intent),
  );
  return [...payments, refOf(invoice.payment_intent)].filter((id) => id !== undefined);
}
