import { addMs, secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { ListChargesRequest, ListedCharge, ListedCharges } from '../../recovery/psp-ports.ts';
import {
  type Fields,
  fieldsOf,
  idOf,
  listOf,
  parsedFields,
  textOf,
  timeOf,
} from '../answer-fields.ts';
import type { WorldpayClient } from './client.ts';
import type { WorldpayAccount } from './credentials.ts';
import { stateOfEvent } from './record.ts';

/** The most that Payment Queries give at once. */
const pageSize = 300;

/**
 * A page of the entity's card payments, by the time of their authorisation (developer.worldpay.com,
 * products/payment-queries/query-by-date-range; a year back at most). Each page links the next one.
 */
export async function listWorldpayCharges(
  client: Pick<WorldpayClient, 'readQuery'>,
  account: WorldpayAccount,
  { from, to, cursor }: ListChargesRequest,
): Promise<ListedCharges> {
  const sent = await client.readQuery(account, cursor ?? firstPage(account, from, to));
  if (sent.kind !== 'answered') return { kind: 'unavailable', reason: sent.reason };
  const body = parsedFields(sent.text);
  const payments = fieldsOf(body?._embedded)?.payments;
  if (sent.status !== 200 || body === undefined) return unavailable(`HTTP ${sent.status}`);
  if (payments !== undefined && !Array.isArray(payments)) return unavailable('no list of payments');
  const charges = listOf(payments ?? []).map((payment) => listed(account, payment));
  if (!charges.every((charge) => charge !== undefined)) {
    return unavailable('Worldpay lists a payment that cannot be understood');
  }
  const next = nextPage(body);
  if (next === 'elsewhere') return unavailable('the next page is not among the payment queries');
  return { kind: 'page', charges, ...present({ nextCursor: next }) };
}

function firstPage({ entity }: WorldpayAccount, from: Date, to: Date): string {
  const query = new URLSearchParams({
    // Payments after it, so the second before it belongs to what is asked for.
    startDate: secondOf(addMs(from, -secondMs)),
    endDate: secondOf(addMs(to, secondMs)),
    pageSize: String(pageSize),
    entityReferences: entity,
  });
  return `/paymentQueries/payments?${query}`;
}

/** Of a link the path alone is followed: nothing but the account's own address is asked. */
function nextPage(body: Fields): string | 'elsewhere' | undefined {
  const href = textOf(fieldsOf(fieldsOf(body._links)?.next)?.href);
  if (href === undefined) return undefined;
  const url = URL.parse(href, 'https://access.worldpay.com');
  return url?.pathname.startsWith('/paymentQueries/payments')
    ? `${url.pathname}${url.search}`
    : 'elsewhere';
}

/** Worldpay's events and reports name a payment by its reference, which is our key where it is ours. */
function listed({ environment }: WorldpayAccount, payment: Fields): ListedCharge | undefined {
  const reference = idOf(payment.transactionReference);
  const createdAt = timeOf(payment.timestamp);
  const { amount, currency } = fieldsOf(payment.value) ?? {};
  if (reference === undefined || createdAt === undefined) return undefined;
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined;
  return {
    pspTransactionId: reference,
    idempotencyKey: reference,
    state: stateOfEvent(payment.lastEvent),
    amountMinor: amount,
    currency,
    createdAt,
    isLive: environment === 'live',
  };
}

function secondOf(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

function unavailable(reason: string): ListedCharges {
  return { kind: 'unavailable', reason };
}
