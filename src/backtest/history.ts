import type { Decline } from '../domain/declines/decline.ts';
import { type DeclineSaid, normaliseDecline } from '../domain/declines/normalise-decline.ts';
import { present } from '../domain/present.ts';
import { createColumn, createNames } from './columns-of-numbers.ts';
import type { ParsedAttempt } from './reading/parse-attempt.ts';
import { createZones } from './zones.ts';

/** What is known of a card, shared by the attempts that are alike. */
export interface CardLook {
  readonly brand?: string;
  readonly funding?: string;
  readonly bin?: string;
}

/**
 * A merchant's history, one entry of each array for each attempt: columns of numbers, since millions
 * of objects would not fit into memory. Names are numbered in the order in which they came.
 */
export interface History {
  readonly attempts: number;
  readonly invoices: Int32Array;
  readonly customers: Int32Array;
  /** Instants, milliseconds of Unix time. */
  readonly atMs: Float64Array;
  readonly amountsMinor: Float64Array;
  readonly currencies: Int32Array;
  /** 1 for a success. */
  readonly outcomes: Int32Array;
  /** Places in `declines`; -1 for a success. */
  readonly declineOf: Int32Array;
  /** Places in `looks`. */
  readonly lookOf: Int32Array;
  /** Numbers of cards; -1 where none is named. */
  readonly cards: Int32Array;
  /** Minutes that the payer's clock is ahead of UTC. */
  readonly offsets: Int32Array;
  /** NaN where none was logged. */
  readonly propensities: Float64Array;
  /** Hashes of the attempts' ids, to find doubles. */
  readonly idHashes: Float64Array;
  readonly invoiceCount: number;
  readonly customerCount: number;
  readonly currencyNames: readonly string[];
  readonly declines: readonly Decline[];
  readonly looks: readonly CardLook[];
}

/** An attempt as a file tells of it, or one whose decline is known already. */
export type HistoryAttempt =
  | ParsedAttempt
  | (Omit<ParsedAttempt, 'said'> & { readonly decline: Decline });

export interface HistoryBuilder {
  /** False where the zone is none that is known: then UTC was taken. */
  add(attempt: HistoryAttempt): boolean;
  finish(): History;
}

export function createHistory(input: { readonly timeZone: string }): HistoryBuilder {
  const [invoiceNames, customerNames, currencyNames] = [
    createNames(),
    createNames(),
    createNames(),
  ];
  const [cardNames, declineNames, lookNames] = [createNames(), createNames(), createNames()];
  const declines: Decline[] = [];
  const looks: CardLook[] = [];
  const zones = createZones();
  const columns = createColumns();
  const declineNumber = (attempt: HistoryAttempt): number => {
    const parts = 'said' in attempt ? partsOfSaid(attempt.said) : partsOfDecline(attempt.decline);
    const number = declineNames.numberOf(parts.join('|'));
    if (number === declines.length) {
      declines.push('said' in attempt ? normaliseDecline(attempt.said) : attempt.decline);
    }
    return number;
  };
  const lookNumber = ({ brand, funding, bin }: HistoryAttempt): number => {
    const number = lookNames.numberOf([brand, funding, bin].join('|'));
    if (number === looks.length) {
      looks.push({
        ...present({ brand, funding, bin }),
      });
    }
    return number;
  };
  return {
    add(attempt) {
      const { timeZone = input.timeZone, card } = attempt;
      const offset = zones.offsetMinutes(timeZone, attempt.atMs);
      columns.invoices.push(invoiceNames.numberOf(attempt.invoiceId));
      columns.customers.push(customerNames.numberOf(attempt.customerId));
      columns.atMs.push(attempt.atMs);
      columns.amountsMinor.push(attempt.amountMinor);
      columns.currencies.push(currencyNames.numberOf(attempt.currency));
      columns.outcomes.push(attempt.succeeded ? 1 : 0);
      columns.declineOf.push(attempt.succeeded ? -1 : declineNumber(attempt));
      columns.lookOf.push(lookNumber(attempt));
      columns.cards.push(card === undefined ? -1 : cardNames.numberOf(card));
      columns.offsets.push(offset ?? 0);
      columns.propensities.push(attempt.propensity ?? Number.NaN);
      columns.idHashes.push(hashOf(attempt.attemptId));
      return offset !== undefined;
    },
    finish: () => ({
      ...finished(columns),
      invoiceCount: invoiceNames.count(),
      customerCount: customerNames.count(),
      currencyNames: currencyNames.all(),
      declines,
      looks,
    }),
  };
}

function partsOfSaid(said: DeclineSaid): readonly unknown[] {
  return [said.psp, said.network, said.networkCode, said.adviceCode, said.pspCode];
}

/** Words and sources of a decline are of no use to a policy: those that differ by them are one. */
function partsOfDecline(decline: Decline): readonly unknown[] {
  const { category, code, network, networkCode, adviceCode, waitMs } = decline;
  return ['known', category, code, network, networkCode, adviceCode, waitMs];
}

function createColumns() {
  const whole = () => createColumn(Int32Array);
  const real = () => createColumn(Float64Array);
  return {
    invoices: whole(),
    customers: whole(),
    atMs: real(),
    amountsMinor: real(),
    currencies: whole(),
    outcomes: whole(),
    declineOf: whole(),
    lookOf: whole(),
    cards: whole(),
    offsets: whole(),
    propensities: real(),
    idHashes: real(),
  };
}

function finished(columns: ReturnType<typeof createColumns>) {
  return {
    attempts: columns.atMs.length(),
    invoices: columns.invoices.finish(),
    customers: columns.customers.finish(),
    atMs: columns.atMs.finish(),
    amountsMinor: columns.amountsMinor.finish(),
    currencies: columns.currencies.finish(),
    outcomes: columns.outcomes.finish(),
    declineOf: columns.declineOf.finish(),
    lookOf: columns.lookOf.finish(),
    cards: columns.cards.finish(),
    offsets: columns.offsets.finish(),
    propensities: columns.propensities.finish(),
    idHashes: columns.idHashes.finish(),
  };
}

/** 53 bits in two rounds of FNV-1a (Fowler, Noll, Vo; public domain): enough to tell ids apart. */
function hashOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
