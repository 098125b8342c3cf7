import type { DeclineCategory } from './decline.ts';
import {
  type AdviceCodeRow,
  actionCodes1993,
  adviceCodes,
  type CardNetwork,
  commonDeclineCodes,
  type DeclineCodeRow,
  mastercardDeclineCodes,
  visaDeclineCodes,
} from './decline-codes.ts';

/** What a card network said about a decline. */
export interface NetworkDecline {
  /** Leave it out when the PSP does not tell. */
  readonly network?: CardNetwork;
  /** The response code, ISO 8583 DE 39; leave it out when the PSP passes none on. */
  readonly networkCode?: string;
  /** Mastercard's merchant advice code, DE 48 SE 84. */
  readonly adviceCode?: string;
}

/** What it means for the next try; `waitMs` is the least wait that the network asks for. */
export interface NormalisedDecline {
  readonly category: DeclineCategory;
  readonly waitMs?: number;
}

/**
 * The meaning of a decline by what the network said: its advice outranks its response code, except
 * that Visa has no advice of its own, so there only the two that forbid a retry are heeded. Answers
 * for every string. A response code that no table knows is `later`, as Visa's category 4 ("every
 * other decline") allows; a text that is no response code at all is `review`, because no issuer
 * sent it.
 */
export function normaliseNetworkDecline(decline: NetworkDecline): NormalisedDecline {
  const row = codeRow(decline);
  const advice = adviceRow(decline);
  if (advice?.category === undefined) return { category: row.category };
  if (advice === adviceCodes['01'] && row.withAdvice01 !== undefined) {
    return { category: row.withAdvice01 };
  }
  return {
    category: advice.category,
    ...(advice.waitMs !== undefined && { waitMs: advice.waitMs }),
  };
}

type Judged = Pick<DeclineCodeRow, 'category' | 'withAdvice01'>;

function codeRow(decline: NetworkDecline): Judged {
  if (decline.networkCode === undefined) return { category: 'later' };
  const code = canonical(decline.networkCode);
  const tables = [commonDeclineCodes, actionCodes1993];
  if (decline.network === 'visa') tables.unshift(visaDeclineCodes);
  if (decline.network === 'mastercard') tables.unshift(mastercardDeclineCodes);
  for (const table of tables) {
    const row = ownValue(table, code);
    if (row !== undefined) return row;
  }
  return { category: /^[0-9A-Z]{2,3}$/.test(code) ? 'later' : 'review' };
}

function adviceRow(decline: NetworkDecline): AdviceCodeRow | undefined {
  if (decline.adviceCode === undefined) return undefined;
  const row = ownValue(adviceCodes, canonical(decline.adviceCode));
  return decline.network === 'visa' && row?.onVisaToo !== true ? undefined : row;
}

/** Some PSPs pad codes with spaces, drop the leading zero (Worldpay) or write letters small. */
function canonical(code: string): string {
  return code.trim().toUpperCase().padStart(2, '0');
}

/** Texts such as `constructor` must not find what every object inherits. */
function ownValue<Row>(table: Readonly<Record<string, Row>>, code: string): Row | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
