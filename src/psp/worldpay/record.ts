import { addMs, type Clock, secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { ListedCharge, LookUpRequest, LookUpResult } from '../../recovery/psp-ports.ts';
import {
  codeOf,
  type Fields,
  fieldsOf,
  idOf,
  listOf,
  parsedFields,
  textOf,
  timeOf,
} from '../answer-fields.ts';
import type { Answered } from '../exchange.ts';
import { worldpayCapabilities } from './capabilities.ts';
import type { WorldpayClient } from './client.ts';
import type { WorldpayAccount } from './credentials.ts';
import { declineByOutcome, worldpayDecline } from './declines.ts';

/** What is known of a payment that is looked for in Worldpay's record. */
export type SoughtPayment = Pick<LookUpRequest, 'idempotencyKey'> &
  Partial<Pick<LookUpRequest, 'sentAt'>>;

/**
 * What a payment's last event says of its money, by the names in the documents of Payment Queries
 * (developer.worldpay.com, products/payment-queries: its guides have refundRequestSubmissionFailed, its OpenAPI
 * document has refundFailed for the same). All others (requested, timed out, a settlement or a cancellation
 * whose submission failed) say nothing certain.
 */
const taken: readonly string[] = [
  'authorizationSucceeded',
  'saleSucceeded',
  'settlementRequested',
  'settlementRequestSubmitted',
  'refundRequested',
  'refundRequestSubmitted',
  'refundRequestSubmissionFailed',
  'refundRequestSubmissionTimedOut',
  'refundFailed',
  'refundTimedOut',
];
const refused: readonly string[] = ['authorizationRefused', 'saleRefused'];
const failed: readonly string[] = ['authorizationFailed', 'saleFailed'];
const cancelled: readonly string[] = ['cancellationRequestSubmitted', 'reversalRequestSubmitted'];

/**
 * What a payment's last event says of it in a list. One that was cancelled says nothing: a rule of the
 * account declined it so, or it had been taken and was given back.
 */
export function stateOfEvent(lastEvent: unknown): ListedCharge['state'] {
  const event = codeOf(lastEvent) ?? '';
  if (taken.includes(event)) return 'succeeded';
  return [...refused, ...failed].includes(event) ? 'declined' : 'pending';
}

/** What Worldpay's record says of a payment, by the reference that it was sent with. */
export async function lookUpPayment(
  deps: { readonly client: WorldpayClient; readonly clock: Clock },
  account: WorldpayAccount,
  sought: SoughtPayment,
): Promise<LookUpResult> {
  const found = await deps.client.findPayments(account, sought.idempotencyKey);
  if (found.kind !== 'answered') return unknown(found.reason);
  const payments = fieldsOf(parsedFields(found.text)?._embedded)?.payments;
  if (found.status !== 200 || !Array.isArray(payments)) {
    return unknown(`HTTP ${found.status} with a record that cannot be understood`);
  }
  const [summary] = payments.map((item) => fieldsOf(item));
  if (payments.length === 0) return missing(deps.clock, found, sought);
  // Nothing but a person can tell which of several the charge was.
  if (summary === undefined || payments.length > 1 || !isSought(summary, account, sought)) {
    return unknown('the record holds another payment, or several, with this reference');
  }
  // Summaries need not have their last event: it is optional there, and the guides' examples have none.
  const payment =
    summary.lastEvent === undefined ? await wholePayment(deps.client, account, summary) : summary;
  return payment === undefined
    ? unknown('the record of the payment could not be read')
    : resultOf(deps, account, payment, sought.idempotencyKey);
}

/** Worldpay's id of a payment: some summaries name it by their link alone. */
export function paymentIdOf({ paymentId, _links }: Fields): string | undefined {
  const href = textOf(fieldsOf(fieldsOf(_links)?.self)?.href);
  return idOf(paymentId) ?? /\/paymentQueries\/payments\/([\w-]+)$/.exec(href ?? '')?.[1];
}

/** The payment of a summary with its events, the last of which is told where it does not stand by itself. */
async function wholePayment(
  client: WorldpayClient,
  account: WorldpayAccount,
  summary: Fields,
): Promise<Fields | undefined> {
  const paymentId = paymentIdOf(summary);
  const payment = paymentId && (await readPayment(client, account, paymentId));
  if (!payment || payment.transactionReference !== summary.transactionReference) return undefined;
  const lastEvent = payment.lastEvent ?? listOf(payment.events).at(-1)?.eventName;
  return { ...payment, paymentId, lastEvent };
}

async function readPayment(
  client: WorldpayClient,
  account: WorldpayAccount,
  paymentId: string,
): Promise<Fields | undefined> {
  const read = await client.readPayment(account, paymentId);
  return read.kind === 'answered' && read.status === 200 ? parsedFields(read.text) : undefined;
}

/**
 * A record that may not hold the payment yet says nothing. That it is complete has to follow by our clock
 * and by Worldpay's own, the `Date` of its answer: one that runs ahead alone must not free a second
 * charge. The header leaves out parts of a second.
 */
function missing(clock: Clock, { headers }: Answered, { sentAt }: SoughtPayment): LookUpResult {
  const theirs = timeOf(headers.date);
  const isComplete =
    sentAt !== undefined &&
    theirs !== undefined &&
    [clock.now(), addMs(theirs, secondMs)].every(
      (at) => at.getTime() >= addMs(sentAt, worldpayCapabilities.recordLagMs).getTime(),
    );
  return isComplete ? { kind: 'not_found' } : unknown('the record may not hold the payment yet');
}

/** Whatever it was made for: another amount is told, and becomes an incident. */
function isSought(payment: Fields, account: WorldpayAccount, sought: SoughtPayment): boolean {
  return (
    payment.transactionReference === sought.idempotencyKey &&
    (payment.entity === undefined || payment.entity === account.entity)
  );
}

async function resultOf(
  deps: { readonly client: WorldpayClient },
  account: WorldpayAccount,
  payment: Fields,
  idempotencyKey: string,
): Promise<LookUpResult> {
  const lastEvent = codeOf(payment.lastEvent) ?? 'none';
  const networkTransactionId = idOf(textOf(fieldsOf(payment.scheme)?.reference)?.trim());
  const { amount, currency } = fieldsOf(payment.value) ?? {};
  const ids = {
    pspTransactionId: idempotencyKey,
    ...present({ networkTransactionId }),
    ...(typeof amount === 'number' &&
      typeof currency === 'string' && { told: { amountMinor: amount, currency } }),
  };
  if (taken.includes(lastEvent)) return { kind: 'succeeded', ...ids };
  if (failed.includes(lastEvent)) {
    const decline = { ...worldpayDecline({ code: lastEvent }), category: 'technical' } as const;
    return { kind: 'declined', ...ids, decline };
  }
  const cancel = cancelled.includes(lastEvent) && declineByOutcome('sentForCancellation');
  if (cancel) return { kind: 'declined', ...ids, decline: cancel };
  const paymentId = paymentIdOf(payment);
  if (!refused.includes(lastEvent) || paymentId === undefined) {
    return unknown(`the record's last event is ${lastEvent}`);
  }
  const event = refusalIn(
    payment.events ? payment : await readPayment(deps.client, account, paymentId),
  );
  if (event === undefined) return unknown('the record of the refusal could not be read');
  const card = fieldsOf(fieldsOf(payment.paymentInstrument)?.card);
  const cardBrand = textOf(card?.brand);
  const code = codeOf(event.code);
  const description = textOf(event.description);
  const decline = worldpayDecline({
    ...present({ code, description, cardBrand }),
  });
  return { kind: 'declined', ...ids, decline };
}

/** The refusal among a payment's events: it alone has the code. */
function refusalIn(payment: Fields | undefined): Fields | undefined {
  return listOf(payment?.events).find(({ eventName }) => refused.includes(String(eventName)));
}

function unknown(reason: string): Extract<LookUpResult, { kind: 'unknown' }> {
  return { kind: 'unknown', reason };
}
