import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import type { Decline } from '../../domain/declines/decline.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import { present } from '../../domain/present.ts';
import { type Fields, fieldsOf, textOf } from '../answer-fields.ts';

/**
 * Codes that say in other words that the payer must authenticate: of an intent, of an invoice's
 * intent, and of a 3-D Secure flow that nobody went through (docs.stripe.com/error-codes).
 */
const authenticationCodes: ReadonlySet<string> = new Set([
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'payment_intent_action_required',
  'payment_intent_authentication_failure',
]);

/** What Stripe says of a decline: its error object, the charge that failed, or both. */
export interface StripeDeclineSaid {
  readonly error?: Fields | undefined;
  readonly charge?: Fields | undefined;
}

/** A decline from the fields of an error (or `last_payment_error`) and of a charge's outcome. */
export function stripeDecline({ error, charge }: StripeDeclineSaid): Decline {
  const outcome = fieldsOf(charge?.outcome);
  const either = (name: string) => textOf(error?.[name]) ?? textOf(outcome?.[name]);
  const pspCode = stripeCode({ error, charge });
  // The networks of bank debits have codes of their own, which the tables of cards would misread.
  const debit = bankDebitOf({ error, charge });
  const networkCode =
    debit === undefined ? either('network_decline_code') : fundsReason(debit, pspCode);
  const adviceCode = either('network_advice_code');
  const pspAdvice = either('advice_code');
  const pspCategory = textOf(outcome?.type);
  const message =
    textOf(outcome?.seller_message) ?? textOf(error?.message) ?? textOf(charge?.failure_message);
  const scheme = cardSchemeOf({ error, charge });
  const network = scheme === undefined ? undefined : cardNetworkOf(scheme);
  return normaliseDecline({
    psp: 'stripe',
    pspCode,
    ...present({ network, networkCode, adviceCode, pspAdvice, pspCategory, message }),
  });
}

/** docs.stripe.com/api/charges/object, `payment_method_details.type`. */
const bankDebits: ReadonlySet<string> = new Set([
  'ach_debit',
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'sepa_debit',
  'us_bank_account',
]);

function bankDebitOf({ error, charge }: StripeDeclineSaid): string | undefined {
  const used = textOf(fieldsOf(charge?.payment_method_details)?.type);
  const type = used ?? textOf(fieldsOf(error?.payment_method)?.type) ?? '';
  return bankDebits.has(type) ? type : undefined;
}

/** The scheme's word for want of funds, one of the few that let a debit be presented again. */
const fundsReasons: Readonly<Record<string, string>> = {
  ach_debit: 'R01',
  sepa_debit: 'AM04',
  us_bank_account: 'R01',
};

function fundsReason(debit: string, pspCode: string): string | undefined {
  return pspCode === 'insufficient_funds' ? fundsReasons[debit] : undefined;
}

/** The network that the charge went over, else the card's brand; undefined for other methods. */
export function cardSchemeOf({ error, charge }: StripeDeclineSaid): string | undefined {
  const used = fieldsOf(fieldsOf(charge?.payment_method_details)?.card);
  const card = fieldsOf(fieldsOf(error?.payment_method)?.card);
  return textOf(used?.network) ?? textOf(used?.brand) ?? textOf(card?.brand);
}

/**
 * The most telling of Stripe's own codes. Where Stripe blocked the charge itself, the outcome's
 * reason says why (`previously_declined_do_not_retry`), while the decline code is a general one.
 */
function stripeCode({ error, charge }: StripeDeclineSaid): string {
  const outcome = fieldsOf(charge?.outcome);
  const code = textOf(error?.code) ?? textOf(charge?.failure_code);
  if (code !== undefined && authenticationCodes.has(code)) return 'authentication_required';
  const reason = textOf(outcome?.reason);
  if (outcome?.type === 'blocked' && reason !== undefined) return reason;
  return textOf(error?.decline_code) ?? reason ?? code ?? 'unknown';
}
