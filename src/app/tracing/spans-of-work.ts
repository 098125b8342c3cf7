import type { DueDelivery, DuePayment, UnknownCharge } from '../../recovery/engine-ports.ts';
import type { DueRequest } from '../../recovery/intake-ports.ts';
import type { SpanOf } from './tracing.ts';

export function spanOfRequest({ merchantId, body, channel }: DueRequest): SpanOf | undefined {
  if (!('invoice' in body)) return undefined;
  return {
    name: 'apply request',
    recovery: { merchantId, invoiceId: body.invoice.id },
    attributes: { 'recoup.channel': channel },
  };
}

export function spanOfPayment({ payment, dueAction, dueAt }: DuePayment): SpanOf {
  return {
    name: `${dueAction} payment`,
    recovery: { merchantId: payment.merchantId, invoiceId: payment.invoiceId },
    attributes: { 'recoup.psp': payment.psp, 'recoup.due_at': dueAt.toISOString() },
  };
}

export function spanOfUnknownCharge({ psp, lookUps, ...charge }: UnknownCharge): SpanOf {
  return {
    name: 'resolve charge',
    recovery: { merchantId: charge.merchantId, invoiceId: charge.invoiceId },
    attributes: { 'recoup.psp': psp, 'recoup.look_ups': lookUps },
  };
}

/** Every event's body names its invoice, where it is of one. */
export function spanOfDelivery({ merchantId, eventId, type, tries, body }: DueDelivery): SpanOf {
  const { invoice_id: invoiceId } = JSON.parse(body) as { readonly invoice_id?: string };
  return {
    name: 'deliver event',
    ...(invoiceId !== undefined && { recovery: { merchantId, invoiceId } }),
    attributes: {
      'recoup.event_id': eventId,
      'recoup.event_type': type,
      'recoup.tries': tries,
    },
  };
}
