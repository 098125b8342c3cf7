import { isDay } from '../../domain/clock.ts';
import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import type { DeclineSaid } from '../../domain/declines/normalise-decline.ts';
import { currencyExponent } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { type Psp, psps } from '../../domain/psps.ts';
import { type ColumnName, columnNames, type ShapeName } from './columns.ts';

/** One attempt of a history, as its row tells of it. */
export interface ParsedAttempt {
  readonly attemptId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly atMs: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly succeeded: boolean;
  /** Of a decline; the network is the card's. */
  readonly said: DeclineSaid;
  readonly brand?: string;
  readonly funding?: string;
  readonly bin?: string;
  /** What tells one card of a payer from another. */
  readonly card?: string;
  readonly timeZone?: string;
  readonly propensity?: number;
}

export type ParseResult =
  | { readonly kind: 'attempt'; readonly attempt: ParsedAttempt }
  | { readonly kind: 'fault'; readonly reason: string };

/** A row's values, in the order of `columnNames`; an empty text is absent. */
export type RowValues = readonly (string | undefined)[];

const placeOf = Object.fromEntries(columnNames.map((name, at) => [name, at])) as Record<
  ColumnName,
  number
>;

const maxIdLength = 255;

/** The attempt of a row, or the reason why there is none. */
export function parseAttempt(values: RowValues, shape: ShapeName): ParseResult {
  const value = (name: ColumnName): string | undefined => values[placeOf[name]] || undefined;
  const fault = (reason: string): ParseResult => ({ kind: 'fault', reason });
  const attemptId = value('attempt_id');
  const invoiceId = value('invoice_id');
  const customerId = value('customer_id');
  if (attemptId === undefined || attemptId.length > maxIdLength) return fault('no attempt id');
  if (invoiceId === undefined || invoiceId.length > maxIdLength) return fault('no invoice id');
  if (customerId === undefined || customerId.length > maxIdLength) return fault('no customer id');
  const atMs = parseTime(value('occurred_at') ?? '');
  if (atMs === undefined) return fault('the time is not ISO 8601 or Unix time from 2000 to 2100');
  const currency = (value('currency') ?? '').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) return fault('the currency has not three letters');
  const amountMinor = parseAmount(value('amount'), value('amount_minor'), currency);
  if (amountMinor === undefined) return fault('the amount is not a number above 0');
  const succeeded = outcomes[(value('outcome') ?? '').toLowerCase()];
  if (succeeded === undefined) return fault('the outcome is neither a success nor a decline');
  const propensityText = value('propensity');
  const propensity = propensityText === undefined ? undefined : Number(propensityText);
  if (propensity !== undefined && !(propensity > 0 && propensity <= 1)) {
    return fault('the propensity is not above 0 and at most 1');
  }
  const optional = (name: ColumnName): string | undefined => value(name)?.toLowerCase();
  return {
    kind: 'attempt',
    attempt: {
      attemptId,
      invoiceId,
      customerId,
      atMs,
      amountMinor,
      currency,
      succeeded,
      said: saidOf(value, shape),
      ...present({
        brand: optional('brand'),
        funding: optional('funding'),
        bin: value('bin'),
        card: value('card'),
        timeZone: value('time_zone'),
        propensity,
      }),
    },
  };
}

/**
 * Words for outcomes, of Stripe's exports and charges, of Recoup and of common lists. A refunded
 * charge had succeeded. Others, such as `pending` or `incomplete`, are no outcome yet.
 */
const outcomes: Readonly<Record<string, boolean | undefined>> = {
  __proto__: null as never,
  succeeded: true,
  success: true,
  approved: true,
  paid: true,
  captured: true,
  refunded: true,
  'partially refunded': true,
  'partial refund': true,
  disputed: true,
  true: true,
  failed: false,
  failure: false,
  declined: false,
  refused: false,
  blocked: false,
  false: false,
};

const [earliestMs, latestMs] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];
const isoShape =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601 (UTC where it names no zone), or Unix time in seconds or milliseconds. */
export function parseTime(text: string): number | undefined {
  const parts = isoShape.exec(text);
  const ms = parts === null ? unixMs(text) : isoMs(parts);
  return ms >= earliestMs && ms < latestMs ? ms : undefined;
}

function isoMs([, date = '', time = '00:00', zone = 'Z']: RegExpExecArray): number {
  if (!isDay(date)) return Number.NaN;
  return Date.parse(`${date}T${time}${zone.length === 5 ? zone.replace(/(\d\d)$/, ':$1') : zone}`);
}

function unixMs(text: string): number {
  if (!/^\d{9,13}(\.\d+)?$/.test(text)) return Number.NaN;
  const value = Number(text);
  return value < 1e11 ? value * 1000 : value;
}

const maxAmount = 999_999_999_999;

function parseAmount(
  major: string | undefined,
  minor: string | undefined,
  currency: string,
): number | undefined {
  const value =
    minor === undefined
      ? Math.round(decimal(major ?? '') * 10 ** currencyExponent(currency))
      : Number(minor);
  return Number.isInteger(value) && value > 0 && value <= maxAmount ? value : undefined;
}

/** `1,234.56`, `1234.56` or, with a comma for the point, `1234,56` and `0,500`, which no thousands begin with. */
function decimal(text: string): number {
  if (/^(?:\d+,\d{1,2}|0,\d+)$/.test(text)) return Number(text.replace(',', '.'));
  return /^\d{1,3}(,\d{3})+(\.\d+)?$|^\d+(\.\d+)?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : Number.NaN;
}

/**
 * What the row says of a decline. A code of two characters is the network's own; words are read by
 * the PSP's table, and by Stripe's where the row names no PSP, since its words are the most used.
 */
function saidOf(value: (name: ColumnName) => string | undefined, shape: ShapeName): DeclineSaid {
  const named = psps.find((psp) => psp === value('psp')?.toLowerCase());
  const psp: Psp = shape === 'stripe' ? 'stripe' : (named ?? 'stripe');
  const network = cardNetworkOf(value('brand') ?? '');
  const code = value('decline_code');
  const isNetworks = code !== undefined && named === undefined && /^[0-9A-Z]{2}$/.test(code);
  const networkCode = value('network_code') ?? (isNetworks ? code : undefined);
  return {
    psp,
    ...present({
      network,
      networkCode,
      adviceCode: value('advice_code'),
      pspCode: isNetworks ? undefined : code,
    }),
  };
}
