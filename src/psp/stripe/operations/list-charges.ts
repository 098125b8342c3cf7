import { present } from '../../../domain/present.ts';
import type {
  ListChargesRequest,
  ListedCharge,
  ListedCharges,
} from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { moneyOf } from '../amounts.ts';
import type { StripeClient } from '../client.ts';
import { intOf, refOf, timeOf } from '../fields.ts';
import { pageOf } from '../list-page.ts';
import { keyField } from '../map.ts';

/** The most that Stripe gives at once. */
const pageSize = 100;

/** A page of the account's charges, newest first (docs.stripe.com/api/charges/list). */
export async function listStripeCharges(
  { client, timeoutMs }: { readonly client: StripeClient; readonly timeoutMs: number },
  { from, to, cursor }: ListChargesRequest,
): Promise<ListedCharges> {
  const created = { gte: secondsOf(from), lt: secondsOf(to) };
  const position = cursor === undefined ? {} : { starting_after: cursor };
  const page = pageOf(
    await client.ask(timeoutMs, (stripe, options) =>
      stripe.charges.list({ created, limit: pageSize, ...position }, options),
    ),
  );
  if (page.kind === 'unknown') return { kind: 'unavailable', reason: page.reason };
  const charges = page.items.map(listed);
  const nextCursor = idOf(page.items.at(-1)?.id);
  if (!charges.every((charge) => charge !== undefined)) {
    return { kind: 'unavailable', reason: 'Stripe lists a charge that cannot be understood' };
  }
  return {
    kind: 'page',
    charges,
    ...(page.hasMore && nextCursor !== undefined && { nextCursor }),
  };
}

function listed(charge: Fields): ListedCharge | undefined {
  const pspTransactionId = idOf(charge.id);
  const createdAt = timeOf(charge.created);
  const currency = textOf(charge.currency);
  const amount = intOf(charge.amount);
  if (pspTransactionId === undefined || createdAt === undefined) return undefined;
  if (currency === undefined || amount === undefined) return undefined;
  const money = moneyOf(amount, currency);
  if (money === undefined) return undefined;
  const key = idOf(fieldsOf(charge.metadata)?.[keyField]);
  const pspInvoiceId = refOf(charge.invoice);
  // Charges do not name their invoice since 2025-03-31: whoever wants to know it asks for it.
  const pspCustomerId = refOf(charge.customer);
  // Of a payment that was told without its charge the record has the id of its intent.
  const alsoNamed = refOf(charge.payment_intent);
  const refunded = moneyOf(intOf(charge.amount_refunded) ?? 0, currency)?.amountMinor ?? 0;
  return {
    pspTransactionId,
    ...present({ idempotencyKey: key, pspInvoiceId, pspCustomerId, alsoNamed }),
    state: stateOf(charge),
    ...money,
    createdAt,
    ...(typeof charge.livemode === 'boolean' && { isLive: charge.livemode }),
    ...(refunded > 0 && { refundedMinor: refunded }),
  };
}

function stateOf({ status, paid }: Fields): ListedCharge['state'] {
  if (status === 'succeeded' && paid === true) return 'succeeded';
  return status === 'failed' ? 'declined' : 'pending';
}

function secondsOf(at: Date): number {
  return Math.ceil(at.getTime() / 1000);
}
