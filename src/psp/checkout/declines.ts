import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import type { Decline } from '../../domain/declines/decline.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import { present } from '../../domain/present.ts';
import { type Fields, fieldsOf, textOf } from '../answer-fields.ts';

/**
 * The decline of a payment: its response code, Mastercard's advice and Checkout.com's own
 * recommendation. A payment of the record has the code in its action of authorisation.
 */
export function checkoutDecline(payment: Fields, authorisation: Fields = payment): Decline {
  const scheme = textOf(fieldsOf(payment.source)?.scheme) ?? textOf(payment.scheme);
  const network = cardNetworkOf(scheme ?? '');
  const adviceCode = processing('partner_merchant_advice_code', authorisation, payment);
  const pspAdvice = processing('recommendation_code', authorisation, payment)?.padStart(2, '0');
  const message = textOf(authorisation.response_summary);
  return normaliseDecline({
    psp: 'checkout',
    pspCode: textOf(authorisation.response_code) ?? 'declined',
    ...present({ network, adviceCode, pspAdvice, message }),
  });
}

function processing(name: string, ...sources: readonly Fields[]): string | undefined {
  for (const source of sources) {
    const value = fieldsOf(source.processing)?.[name];
    const text = typeof value === 'number' ? value.toString() : textOf(value);
    if (text !== undefined) return text;
  }
  return undefined;
}
