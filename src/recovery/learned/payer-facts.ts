import { zoneOfCountry } from '../../domain/places/country-zones.ts';
import { countryOfCurrency } from '../../domain/places/currency-country.ts';
import { present } from '../../domain/present.ts';
import { zoneOffsetMinutes } from '../../policy/learned/local-time.ts';
import type {
  CardFacts,
  CardFunding,
  HealthCounters,
  PastCharge,
  PaymentFacts,
} from '../../policy/learned/retry-facts.ts';
import { responseCode } from '../intake/first-decline.ts';
import type { MethodRecord, PastRecord, PayerRecord } from './ports.ts';

/** More of a payer's past says nothing more. */
export const maxPastCharges = 24;

/** ISO 8583: not sufficient funds, and over the limit of the amount or the account. */
const fundsCodes: readonly string[] = ['51', '61', '116', '121'];

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
  const { outcome, psp } = charge;
  const code =
    charge.networkCode ?? (outcome === undefined ? undefined : responseCode(psp, outcome));
  return {
    atMs: charge.at.getTime(),
    succeeded: charge.succeeded,
    amountMinor: charge.amountMinor,
    ...(!charge.succeeded && code !== undefined && { lackedFunds: fundsCodes.includes(code) }),
  };
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
