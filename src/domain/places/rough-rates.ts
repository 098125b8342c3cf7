import { currencyExponent } from '../money.ts';

/**
 * What one US dollar is in other currencies, to within a fifth or so: means of central banks' reference
 * rates of 2025, rounded. For weighing costs of some cents against an amount, never for money that is
 * charged, reported or compared.
 */
const perUsDollar: Readonly<Record<string, number>> = {
  AED: 3.67,
  ARS: 1_200,
  AUD: 1.55,
  BDT: 121,
  BHD: 0.376,
  BRL: 5.6,
  CAD: 1.4,
  CHF: 0.83,
  CLP: 950,
  CNY: 7.2,
  COP: 4_100,
  CRC: 505,
  CZK: 22,
  DKK: 6.6,
  EGP: 50,
  EUR: 0.89,
  GBP: 0.76,
  GEL: 2.7,
  HKD: 7.8,
  HUF: 355,
  IDR: 16_400,
  ILS: 3.5,
  INR: 87,
  ISK: 127,
  JOD: 0.709,
  JPY: 150,
  KES: 129,
  KRW: 1_420,
  KWD: 0.307,
  KZT: 520,
  LKR: 300,
  MXN: 19,
  MYR: 4.3,
  NGN: 1_530,
  NOK: 10.3,
  NZD: 1.7,
  OMR: 0.385,
  PEN: 3.6,
  PHP: 57,
  PKR: 281,
  PLN: 3.8,
  QAR: 3.64,
  RON: 4.5,
  SAR: 3.75,
  SEK: 9.7,
  SGD: 1.3,
  THB: 33,
  TRY: 39,
  TWD: 31,
  UAH: 41.5,
  USD: 1,
  UYU: 40,
  VND: 26_000,
  ZAR: 18,
};

/** So many US cents in minor units of a currency, not rounded; undefined where no rate is known. */
export function roughMinorOfCents(cents: number, currency: string): number | undefined {
  const rate = Object.hasOwn(perUsDollar, currency) ? perUsDollar[currency] : undefined;
  return rate === undefined ? undefined : (cents / 100) * rate * 10 ** currencyExponent(currency);
}
