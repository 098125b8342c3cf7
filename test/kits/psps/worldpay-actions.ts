import type { PspAnswer } from './http-psp.ts';
import type { WorldpayPayment } from './worldpay-server.ts';

/** An event of a payment's record. */
export interface WorldpayEvent {
  readonly eventName: string;
  readonly commandId: string;
  readonly type?: 'fullRefund' | 'partialRefund';
  readonly refundReference?: string;
  readonly value?: { readonly amount: number; readonly currency: string };
}

const settled: readonly string[] = ['settlementRequestSubmitted', 'settlementRequested'];
const origin = 'https://try.access.worldpay.com';

/** What can be done with a payment now, as its record links it. */
export function linksOf({ paymentId, ending }: WorldpayPayment) {
  const self = { href: `/paymentQueries/payments/${paymentId}` };
  const linkTo = (path: string) => ({ href: `${origin}/payments/${path}/${paymentId}` });
  if (settled.includes(ending.lastEvent)) {
    return {
      self,
      'cardPayments:refund': linkTo('settlements/refunds/full'),
      'cardPayments:partialRefund': linkTo('settlements/refunds/partials'),
    };
  }
  return ending.lastEvent === 'authorizationSucceeded'
    ? { self, 'cardPayments:cancel': linkTo('authorizations/cancellations') }
    : { self };
}

/**
 * A refund or a cancellation. It is taken in whatever it asks for; what is more than was paid fails
 * afterwards.
 */
export function actOnPayment(
  payments: readonly WorldpayPayment[],
  url: URL,
  text: string,
): PspAnswer {
  const [, kind, id] = /^\/payments\/(.+)\/(\w+)$/.exec(url.pathname) ?? [];
  const payment = payments.find(({ paymentId }) => paymentId === id);
  if (payment === undefined) return { status: 404, body: { errorName: 'resourceNotFound' } };
  const { value } = payment.request.instruction;
  const commandId = `cmd${String(payment.actions.length).padStart(22, '0')}`;
  const add = (eventName: string, more: object = {}) =>
    payment.actions.push({ eventName, commandId, ...more });
  if (kind === 'authorizations/cancellations') {
    add('cancellationRequested');
    add('cancellationRequestSubmitted');
    return { status: 202, body: { outcome: 'sentForCancellation' } };
  }
  const asked = kind === 'settlements/refunds/partials' ? JSON.parse(text) : { value };
  const isOver = refundedOf(payment) + asked.value.amount > value.amount;
  add('refundRequested', {
    type: asked.reference === undefined ? 'fullRefund' : 'partialRefund',
    ...(asked.reference !== undefined && { refundReference: asked.reference }),
    value: asked.value,
  });
  add(isOver ? 'refundRequestSubmissionFailed' : 'refundRequestSubmitted');
  return { status: 202, body: { outcome: 'sentForRefund' } };
}

/** What was given back of a payment. */
export function refundedOf({ actions }: WorldpayPayment): number {
  const failed = actions.filter(({ eventName }) => eventName === 'refundRequestSubmissionFailed');
  return actions
    .filter(({ commandId }) => failed.every((event) => event.commandId !== commandId))
    .reduce((sum, { value }) => sum + (value?.amount ?? 0), 0);
}
