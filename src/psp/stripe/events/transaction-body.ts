import { mayTryAgain } from '../../../domain/declines/decline.ts';
import { fundingSources, type TransactionBody } from '../../../domain/payment-event.ts';
import { present } from '../../../domain/present.ts';
import { truncatedText } from '../../../domain/truncated-text.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { chargedCard } from '../../charged-card.ts';
import { intentsOf } from '../charges/invoice-charges.ts';
import { cardSchemeOf, stripeDecline } from '../declines.ts';
import { itemsOf, refOf, timeOf } from '../fields.ts';
import { transactionIds } from '../map.ts';
import type { StripeEvent } from './event.ts';

export interface TransactionInput {
  readonly event: StripeEvent;
  readonly invoice: Fields;
  /** Undefined where the try ended before a charge, or was paid outside Stripe. */
  readonly charge: Fields | undefined;
  readonly success: boolean;
  /** In major units. */
  readonly amount: number;
  readonly currency: string;
}

/** Stands for no country (ISO 3166-1 leaves ZZ to its users), where Stripe names none. */
const unknownCountry = 'ZZ';

/** One charge of an invoice as a merchant would report it. */
export function transactionBody(input: TransactionInput): TransactionBody {
  const { event, invoice, charge, success, amount, currency } = input;
  const intents = intentsOf(itemsOf(invoice.payments));
  // An intent that asks the payer to authenticate has an error and no charge.
  const error = fieldsOf(intents.find(hasError)?.last_payment_error);
  const said = charge === undefined && !success ? { error } : { charge };
  const details = fieldsOf(charge?.payment_method_details);
  const card = fieldsOf(details?.card) ?? fieldsOf(fieldsOf(error?.payment_method)?.card);
  const id = idOf(charge?.id) ?? idOf(intents[0]?.id) ?? idOf(invoice.id) ?? event.eventId;
  const { networkTransactionId } = transactionIds(charge, id);
  const scheme = cardSchemeOf(said) ?? textOf(details?.type) ?? 'unknown';
  const method = refOf(charge?.payment_method) ?? refOf(said.error?.payment_method) ?? 'unknown';
  const createdAt = timeOf(charge?.created) ?? event.occurredAt;
  return {
    id,
    psp_transaction_id: id,
    psp: 'stripe',
    // A Stripe account acquires in its own country.
    acquirer_country: countryOf(invoice.account_country) ?? unknownCountry,
    amount,
    currency,
    funding_source: fundingSources.find((known) => known === card?.funding) ?? 'unknown',
    payment_method_id: method,
    psp_transaction_created_at: createdAt.toISOString(),
    scheme: scheme.slice(0, 64),
    success,
    outcome: success ? successOutcome(charge) : declineOutcome(said),
    ...present({ network_transaction_id: networkTransactionId }),
    ...cardFields(card),
    ...(typeof charge?.captured === 'boolean' && { captured: charge.captured }),
    ...(typeof charge?.refunded === 'boolean' && { refunded: charge.refunded }),
  };
}

function hasError(intent: Fields): boolean {
  return fieldsOf(intent.last_payment_error) !== undefined;
}

function cardFields(card: Fields | undefined): Partial<TransactionBody> {
  const country = countryOf(card?.country);
  const bin = textOf(card?.iin);
  const { fingerprint } = chargedCard({ fingerprint: card?.fingerprint }).card ?? {};
  const auth = textOf(card?.authorization_code);
  return {
    ...present({ issuer_country: country }),
    ...(bin !== undefined && /^\d{6,8}$/.test(bin) && { bin }),
    ...present({ auth, card_fingerprint: fingerprint }),
  };
}

function countryOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[A-Za-z]{2}$/.test(text) ? text : undefined;
}

function successOutcome(charge: Fields | undefined): TransactionBody['outcome'] {
  const outcome = fieldsOf(charge?.outcome);
  const status = textOf(outcome?.network_status);
  return {
    raw_response_message: truncatedText(textOf(outcome?.seller_message) ?? 'paid'),
    ...present({ network_status: status }),
  };
}

/** The decline with its class, so that what only Stripe's own code says is not lost. */
function declineOutcome(said: {
  readonly charge?: Fields | undefined;
  readonly error?: Fields | undefined;
}): TransactionBody['outcome'] {
  const decline = stripeDecline(said);
  const status = textOf(fieldsOf(said.charge?.outcome)?.network_status);
  const words = textOf(said.charge?.failure_message) ?? textOf(said.error?.message);
  return {
    raw_response_message: decline.message ?? 'unknown',
    ...(words !== undefined && { psp_response_message: truncatedText(words) }),
    processor_response_code: decline.networkCode ?? decline.code,
    ...present({ network_status: status }),
    response_type: mayTryAgain(decline.category) ? 'soft_decline' : 'hard_decline',
  };
}
