import { addMs, type Clock } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { RefundRequest, RefundResult } from '../../recovery/psp-ports.ts';
import {
  codeOf,
  type Fields,
  fieldsOf,
  listOf,
  parsedFields,
  textOf,
  timeOf,
} from '../answer-fields.ts';
import type { Exchange } from '../exchange.ts';
import { worldpayCapabilities } from './capabilities.ts';
import type { WorldpayClient } from './client.ts';
import type { WorldpayAccount } from './credentials.ts';
import { paymentIdOf } from './record.ts';

interface RefundDeps {
  readonly clock: Clock;
  readonly client: Pick<WorldpayClient, 'findPayments' | 'readPayment' | 'act'>;
  readonly account: WorldpayAccount;
}

/** A payment with its events and what can still be done with it. */
interface Recorded {
  readonly paymentId: string;
  readonly payment: Fields;
  readonly events: readonly Fields[];
  /** Whether the whole of it is asked for: a refund of the whole has no reference of its own. */
  readonly isWhole: boolean;
  /** By Worldpay's clock. */
  readonly readAt?: Date;
}

/**
 * Gives a payment back by the link that its record holds (developer.worldpay.com, products/payments,
 * manage payments, and products/payment-queries, retrieve by payment id). There are no idempotency
 * keys: the record is asked first, and what was asked for before is not asked for again until the record
 * is sure to show it. Parts carry our key as their reference.
 */
export async function refundWorldpay(
  { client, account, clock }: RefundDeps,
  request: RefundRequest,
): Promise<RefundResult> {
  const now = clock.now();
  const found = await readRecord({ client, account }, request);
  if ('kind' in found) return found;
  const earlier = earlierRefund(found, request.idempotencyKey);
  if (earlier !== undefined) return earlier;
  if (mayNotShowYet(request, [now, found.readAt])) {
    return { kind: 'unknown', reason: 'the record may not hold the refund yet: ask again later' };
  }
  const path = actionPath(found);
  if (path === undefined) {
    return refused("Worldpay's record has no link to give this payment back by.");
  }
  const { amountMinor: amount, currency, idempotencyKey: reference } = request;
  const body = found.isWhole ? undefined : { reference, value: { amount, currency } };
  return sentResult(await client.act(account, path, body), refundIdOf(found, reference));
}

/**
 * One that was asked for before may have arrived: the record's "no" is believed once its lag is over, by
 * our clock and by Worldpay's.
 */
function mayNotShowYet({ askedAt }: RefundRequest, times: readonly (Date | undefined)[]): boolean {
  if (askedAt === undefined) return false;
  const completeAt = addMs(askedAt, worldpayCapabilities.recordLagMs);
  return times.some((at) => at === undefined || at.getTime() < completeAt.getTime());
}

async function readRecord(
  { client, account }: Omit<RefundDeps, 'clock'>,
  request: RefundRequest,
): Promise<Recorded | RefundResult> {
  const found = await client.findPayments(account, request.pspTransactionId);
  const payments = bodyOf(found, (body) => fieldsOf(body._embedded)?.payments);
  if (!Array.isArray(payments)) return unknown(found);
  const paymentId = paymentIdOf(listOf(payments)[0] ?? {});
  if (payments.length === 0) return refused('Worldpay has no payment with this reference.');
  if (payments.length > 1 || paymentId === undefined) {
    return refused('Worldpay has several payments with this reference: refund it there.');
  }
  const read = await client.readPayment(account, paymentId);
  const payment = bodyOf(read, (body) => body);
  if (payment?.transactionReference !== request.pspTransactionId) return unknown(read);
  const { amount, currency } = fieldsOf(payment.value) ?? {};
  if (typeof amount !== 'number' || typeof currency !== 'string') return unknown(read);
  if (currency !== request.currency || request.amountMinor > amount) {
    return refused('The payment is over less, or in another currency.');
  }
  const isWhole = request.amountMinor === amount;
  const readAt = read.kind === 'answered' ? timeOf(read.headers.date) : undefined;
  const events = listOf(payment.events);
  return { paymentId, payment, events, isWhole, ...present({ readAt }) };
}

/** What the record says of a refund that was asked for before; a failed one gave nothing back. */
function earlierRefund(found: Recorded, key: string): RefundResult | undefined {
  const { events, isWhole } = found;
  const refundId = refundIdOf(found, key);
  const asked = events.filter(
    ({ eventName, type, refundReference }) =>
      (eventName === 'refundRequested' &&
        (isWhole ? type === 'fullRefund' : refundReference === key)) ||
      (isWhole && (eventName === 'cancellationRequested' || eventName === 'reversalRequested')),
  );
  const results = asked.map(({ commandId }) => {
    const ends = events.filter((event) => event.commandId === commandId).map(endOf);
    return ends.find((end) => end !== undefined) ?? 'under_way';
  });
  if (results.includes('submitted')) return { kind: 'refunded', refundId };
  if (results.includes('under_way')) return { kind: 'pending', refundId };
  if (results.includes('timed_out')) {
    return { kind: 'unknown', reason: 'the refund timed out at Worldpay: look it up there' };
  }
  return undefined;
}

/**
 * `submitted`: sent to be processed, which is the last that the record says of what goes well. Of what failed
 * Worldpay's documents have two names (see record.ts).
 */
function endOf({ eventName }: Fields): 'submitted' | 'failed' | 'timed_out' | undefined {
  const [, end] =
    /^(?:refund|cancellation|reversal)(RequestSubmitted|(?:RequestSubmission)?(?:Failed|TimedOut))$/.exec(
      String(eventName),
    ) ?? [undefined, undefined];
  if (end === undefined) return undefined;
  if (end === 'RequestSubmitted') return 'submitted';
  return end.endsWith('Failed') ? 'failed' : 'timed_out';
}

/** Names of links: of the Payments API, and of the Card Payments API in its versions. */
const wholeLinks = ['refundPayment', 'cardPayments:refund', 'payments:refund'] as const;
const partLinks = [
  'partiallyRefundPayment',
  'cardPayments:partialRefund',
  'payments:partialRefund',
] as const;
/** What is not settled yet is cancelled, as a whole. */
const cancelLinks = ['cancelPayment', 'cardPayments:cancel', 'payments:cancel'] as const;

/** The path of the link; the address is the account's own. */
function actionPath({ payment, isWhole }: Recorded): string | undefined {
  const links = { ...fieldsOf(payment._links), ...fieldsOf(payment._actions) };
  const names = isWhole ? [...wholeLinks, ...cancelLinks] : partLinks;
  const hrefs = names.map((name) => textOf(fieldsOf(links[name])?.href));
  const href = hrefs.find((link) => link !== undefined);
  const url = URL.parse(href ?? '', 'https://access.worldpay.com');
  return href !== undefined && /^\/(api\/)?payments\//.test(url?.pathname ?? '')
    ? `${url?.pathname}${url?.search}`
    : undefined;
}

function sentResult(sent: Exchange, refundId: string): RefundResult {
  // Nothing was sent: nothing is lost by asking again.
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: sent.reason };
  if (sent.status === 202) return { kind: 'pending', refundId };
  const errorName = codeOf(parsedFields(sent.text)?.errorName);
  const reason = `HTTP ${sent.status}${errorName === undefined ? '' : `, error ${errorName}`}`;
  const isRefused = [400, 401, 403, 404, 406, 415].includes(sent.status);
  return { kind: isRefused ? 'refused' : 'unknown', reason };
}

/** A payment is refunded as a whole once: that refund goes by the payment's own id. */
function refundIdOf({ isWhole, paymentId }: Recorded, key: string): string {
  return isWhole ? paymentId : key;
}

function bodyOf<Value>(sent: Exchange, read: (body: Fields) => Value): Value | undefined {
  if (sent.kind !== 'answered' || sent.status !== 200) return undefined;
  const body = parsedFields(sent.text);
  return body && read(body);
}

function refused(reason: string): RefundResult {
  return { kind: 'refused', reason };
}

function unknown(sent: Exchange): RefundResult {
  const reason =
    sent.kind === 'answered'
      ? `HTTP ${sent.status} with a record that cannot be understood`
      : sent.reason;
  return { kind: 'unknown', reason };
}
