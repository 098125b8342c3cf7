import type { Decline } from '../../domain/declines/decline.ts';
import { zoneOfCountry } from '../../domain/places/country-zones.ts';
import { countryOfCurrency } from '../../domain/places/currency-country.ts';
import { present } from '../../domain/present.ts';
import { lacksFunds } from '../../policy/learned/belief/lacks-funds.ts';
import { zoneOffsetMinutes } from '../../policy/learned/local-time.ts';
import type {
  CardFacts,
  CardFunding,
  HealthCounters,
  PastCharge,
  PaymentFacts,
} from '../../policy/learned/retry-facts.ts';
import { firstDecline } from '../intake/first-decline.ts';
import type { MethodRecord, PastRecord, PayerRecord } from './ports.ts';

/** More of a payer's past says nothing more. */
export const maxPastCharges = 24;

export interface PaymentKeys {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * What is known of a payment's payer at an instant: the same from the database at planning and at
 * training, so that a model meets in use what it was made from.
 */
export function paymentFactsAt(
  payment: PaymentKeys,
  record: PayerRecord | undefined,
  at: Date,
): PaymentFacts {
  const past = (record?.past ?? []).filter((charge) => charge.at.getTime() < at.getTime());
  const zone = zoneOfCountry(payerCountry(payment.currency, record) ?? '');
  return {
    paymentId: payment.invoiceId,
    merchantId: payment.merchantId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    utcOffsetMinutes: zone === undefined ? 0 : zoneOffsetMinutes(zone, at),
    past: past.slice(-maxPastCharges).map(pastCharge),
    ...(record?.productId !== undefined && { segment: record.productId }),
  };
}

/** Where the payer lives: by the issuer of the first card that has one, else by the currency. */
export function payerCountry(
  currency: string,
  record: PayerRecord | undefined,
): string | undefined {
  const issuer = record?.methods.find(({ issuerCountry }) => issuerCountry !== undefined);
  return issuer?.issuerCountry?.toUpperCase() ?? countryOfCurrency(currency);
}

const seenCharges = new WeakMap<PastRecord, PastCharge>();

/** One object for all tries that it came before: with one for each, a million tries fill gigabytes. */
function pastCharge(charge: PastRecord): PastCharge {
  const seen = seenCharges.get(charge) ?? readCharge(charge);
  seenCharges.set(charge, seen);
  return seen;
}

function readCharge(charge: PastRecord): PastCharge {
  const decline = charge.succeeded ? undefined : declineOf(charge);
  return {
    atMs: charge.at.getTime(),
    succeeded: charge.succeeded,
    amountMinor: charge.amountMinor,
    currency: charge.currency,
    ...(decline !== undefined && { lackedFunds: lacksFunds(decline) }),
  };
}

function declineOf({ decline, outcome, psp, at }: PastRecord): Decline | undefined {
  if (decline !== undefined || outcome === undefined) return decline;
  // Which network the card is of does not matter: want of funds has one meaning on all.
  const psp_transaction_created_at = at.toISOString();
  return firstDecline({ psp, scheme: '', outcome, psp_transaction_created_at });
}

export function cardFactsOf(
  { scheme, fundingSource, bin }: MethodRecord,
  issuerHealth: HealthCounters | undefined,
): CardFacts {
  const funding = fundingOf(fundingSource);
  return {
    ...present({ brand: scheme, funding, bin, issuerHealth }),
  };
}

function fundingOf(source: string | undefined): CardFunding | undefined {
  return source === 'debit' || source === 'credit' || source === 'prepaid' ? source : undefined;
}
