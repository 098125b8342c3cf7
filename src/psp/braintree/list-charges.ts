import { addMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { ListChargesRequest, ListedCharge, ListedCharges } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, timeOf } from '../answer-fields.ts';
import { billingInvoiceId } from './billing-attempt.ts';
import type { BraintreeClient } from './client.ts';
import { reasonOf } from './map.ts';
import {
  isRefusedRepetition,
  isTaken,
  isTriedAgain,
  isTurnedDown,
  moneyOf,
  retriedIdOf,
  retryIdsOf,
} from './transaction.ts';

/** Transactions of one page: as many as Braintree's own search shows at once. */
const pageSize = 50;
/** Ids of one search at most; a time with more of them is halved. Braintree gives no more than 50 000. */
const maxIds = 10_000;
/** A time is not halved any further: so many transactions are not made within a second. */
const shortestMs = 1_000;

/** A part of the time that is asked for, and how many of its transactions were given. */
interface Place {
  readonly from: Date;
  readonly to: Date;
  readonly offset: number;
}

/**
 * A page of the gateway's sales by when they were created (developer.paypal.com/braintree, transaction
 * search). The search gives the ids of all; each page fetches some of them.
 */
export async function listBraintreeCharges(
  client: Pick<BraintreeClient, 'searchCreated' | 'findMany'>,
  { from, to, cursor }: ListChargesRequest,
): Promise<ListedCharges> {
  let place = placeOf(cursor) ?? { from, to, offset: 0 };
  for (;;) {
    const found = await client.searchCreated(place);
    if (found.kind !== 'answered') return { kind: 'unavailable', reason: reasonOf(found) };
    const ids = found.value;
    if (ids.length > maxIds && lengthOf(place) > shortestMs) {
      place = { ...place, to: addMs(place.from, lengthOf(place) / 2) };
      continue;
    }
    const end = place.offset + pageSize;
    const page = await readPage(client, ids.slice(place.offset, end));
    const next = end < ids.length ? { ...place, offset: end } : restAfter(place, to);
    return page.kind === 'page' && next !== undefined
      ? { ...page, nextCursor: cursorOf(next) }
      : page;
  }
}

async function readPage(
  client: Pick<BraintreeClient, 'findMany'>,
  ids: readonly string[],
): Promise<ListedCharges> {
  if (ids.length === 0) return { kind: 'page', charges: [] };
  const read = await client.findMany(ids);
  if (read.kind !== 'answered') return { kind: 'unavailable', reason: reasonOf(read) };
  // Refunds are transactions too.
  const sales = read.value
    .map((item) => fieldsOf(item) ?? {})
    .filter(({ type }) => type === 'sale');
  const charges = sales.map(listed);
  return charges.every((charge) => charge !== undefined)
    ? { kind: 'page', charges }
    : { kind: 'unavailable', reason: 'Braintree lists a transaction that cannot be understood' };
}

function listed(transaction: Fields): ListedCharge | undefined {
  const pspTransactionId = idOf(transaction.id);
  const createdAt = timeOf(transaction.createdAt);
  const money = moneyOf(transaction);
  if (pspTransactionId === undefined || createdAt === undefined || money === undefined) {
    return undefined;
  }
  const idempotencyKey = idOf(transaction.orderId);
  const subscriptionId = idOf(transaction.subscriptionId);
  const pspInvoiceId =
    subscriptionId === undefined
      ? undefined
      : billingInvoiceId({ id: subscriptionId }, transaction);
  return {
    pspTransactionId,
    ...present({ idempotencyKey, pspInvoiceId }),
    state: stateOf(transaction),
    ...money,
    createdAt,
    // What was voided had been taken, and was given back as a whole.
    ...(transaction.status === 'voided' && { refundedMinor: money.amountMinor }),
  };
}

function stateOf(transaction: Fields): ListedCharge['state'] {
  if (isTaken(transaction) || transaction.status === 'voided') return 'succeeded';
  // It stands for a charge that has a transaction of its own.
  if (isRefusedRepetition(transaction)) return 'pending';
  // Of a charge that Braintree tries again by itself no single try says that it was declined.
  const isOneOfSeveral =
    retryIdsOf(transaction).length > 0 || retriedIdOf(transaction) !== undefined;
  if (isOneOfSeveral || isTriedAgain(transaction)) return 'pending';
  return isTurnedDown(transaction) ? 'declined' : 'pending';
}

function restAfter({ to: from }: Place, to: Date): Place | undefined {
  return from < to ? { from, to, offset: 0 } : undefined;
}

function lengthOf({ from, to }: Place): number {
  return to.getTime() - from.getTime();
}

function cursorOf({ from, to, offset }: Place): string {
  return [from.getTime(), to.getTime(), offset].join('.');
}

function placeOf(cursor: string | undefined): Place | undefined {
  const read = /^(\d{1,15})\.(\d{1,15})\.(\d{1,9})$/.exec(cursor ?? '');
  if (read === null) return undefined;
  const [, from, to, offset] = read;
  return { from: new Date(Number(from)), to: new Date(Number(to)), offset: Number(offset) };
}
