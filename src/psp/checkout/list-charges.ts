import { present } from '../../domain/present.ts';
import type { ListChargesRequest, ListedCharge, ListedCharges } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, listOf, textOf, timeOf } from '../answer-fields.ts';
import { minorFromCheckout } from './amount.ts';
import type { CheckoutClient } from './client.ts';
import { reasonOf } from './map.ts';
import { paymentKeyOf } from './reference.ts';

/** Payments of a page at most (checkout.com/docs, search and filter payments). */
const pageSize = 500;

/** A payment's status by what it says of its money; the search writes it in small letters. */
const taken: readonly string[] = [
  'authorized',
  'captured',
  'paid',
  'partially captured',
  'partially refunded',
  'refunded',
  // It had been taken, and was given back as a whole.
  'voided',
];
const turnedDown: readonly string[] = ['declined', 'canceled', 'expired'];

/**
 * A page of the account's payments by when they were requested, through the search of payments. It is in
 * beta, and a key has to be allowed it (`payments:search`). Each page links the next one.
 */
export async function listCheckoutCharges(
  client: Pick<CheckoutClient, 'search' | 'searchOn'>,
  { from, to, cursor }: ListChargesRequest,
): Promise<ListedCharges> {
  const asked = { from: from.toISOString(), to: to.toISOString(), limit: pageSize };
  const sent = await (cursor === undefined ? client.search(asked) : client.searchOn(cursor));
  if (sent.kind === 'refused' && sent.status === 403) {
    return unavailable('the key may not search payments: give it payments:search');
  }
  if (sent.kind !== 'answered') return unavailable(reasonOf(sent));
  const body = fieldsOf(sent.value);
  if (!Array.isArray(body?.data)) return unavailable('the search was not understood');
  const charges = listOf(body.data).map(listed);
  if (!charges.every((charge) => charge !== undefined)) {
    return unavailable('Checkout.com lists a payment that cannot be understood');
  }
  const next = nextPage(body);
  if (next === 'elsewhere') return unavailable('the next page is not of the search');
  return { kind: 'page', charges, ...present({ nextCursor: next }) };
}

function listed(payment: Fields): ListedCharge | undefined {
  const pspTransactionId = idOf(payment.id);
  const createdAt = timeOf(payment.requested_on);
  const currency = textOf(payment.currency);
  if (pspTransactionId === undefined || createdAt === undefined) return undefined;
  if (currency === undefined || typeof payment.amount !== 'number') return undefined;
  const amountMinor = minorFromCheckout(payment.amount, currency);
  if (amountMinor === undefined) return undefined;
  const reference = idOf(payment.reference);
  const idempotencyKey = reference && paymentKeyOf(reference);
  const refundedMinor = refundedOf(payment, currency);
  return {
    pspTransactionId,
    ...present({ idempotencyKey }),
    state: stateOf(payment),
    amountMinor,
    currency,
    createdAt,
    ...present({ refundedMinor }),
  };
}

function refundedOf({ status, amount, balances }: Fields, currency: string): number | undefined {
  const isVoided = textOf(status)?.toLowerCase() === 'voided';
  const refunded = isVoided ? amount : fieldsOf(balances)?.total_refunded;
  return typeof refunded === 'number' && refunded > 0
    ? minorFromCheckout(refunded, currency)
    : undefined;
}

function stateOf(payment: Fields): ListedCharge['state'] {
  const status = (textOf(payment.status) ?? '').toLowerCase();
  if (taken.includes(status)) return 'succeeded';
  return turnedDown.includes(status) ? 'declined' : 'pending';
}

/** Of a link what stands behind `/payments/`: it is asked of the account's own address. */
function nextPage(body: Fields): string | 'elsewhere' | undefined {
  const href = textOf(fieldsOf(fieldsOf(body._links)?.next)?.href);
  if (href === undefined) return undefined;
  return /\/payments\/(search\/[\w-]+\?token=[\w.~-]+)$/.exec(href)?.[1] ?? 'elsewhere';
}

function unavailable(reason: string): ListedCharges {
  return { kind: 'unavailable', reason };
}
