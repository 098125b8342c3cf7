import type { Psp } from '../psps.ts';
import { adyenDeclines } from './adyen-declines.ts';
import { braintreeDeclines } from './braintree-declines.ts';
import { checkoutDeclines } from './checkout-declines.ts';
import type { DeclineStatement } from './decline.ts';
import type { CardNetwork } from './decline-codes.ts';
import { networkCodeRow } from './network-statements.ts';
import { ownValue } from './own-value.ts';
import type { PspDeclineRow, PspDeclines, PspDeclineTable } from './psp-decline-rows.ts';
import { stripeDeclines } from './stripe-declines.ts';
import { worldpayDeclines } from './worldpay-declines.ts';

/** The PSPs that have tables of their own. */
export const pspDeclines: Readonly<Partial<Record<Psp, PspDeclines>>> = {
  stripe: stripeDeclines,
  adyen: adyenDeclines,
  braintree: braintreeDeclines,
  worldpay: worldpayDeclines,
  checkout: checkoutDeclines,
};

/** Hard or soft, as PSPs and merchants' reports write it. */
export const commonCategories: PspDeclineTable = {
  soft_decline: { category: 'later', meaning: 'Soft decline' },
  soft_declined: { category: 'later', meaning: 'Soft decline' },
  hard_decline: {
    category: 'fix_data',
    meaning: 'Hard decline',
    why: 'This card will not do as it is; new data, or another card, may.',
  },
  hard_declined: {
    category: 'fix_data',
    meaning: 'Hard decline',
    why: 'This card will not do as it is; new data, or another card, may.',
  },
};

/** What a PSP said about a decline in its own codes. */
export interface PspSaid {
  readonly psp: Psp;
  readonly network?: CardNetwork;
  readonly pspAdvice?: string;
  readonly pspCode?: string;
  readonly pspCategory?: string;
}

/** A statement, and whether the acquirer itself blocks the retry. */
export interface PspStatement extends DeclineStatement {
  readonly isBlock: boolean;
}

/** What the PSP's own words mean by its tables, by precedence; words that no table knows are out. */
export function pspStatements(said: PspSaid): readonly PspStatement[] {
  const { psp, pspAdvice, pspCode, pspCategory, network } = said;
  const tables = pspDeclines[psp];
  const found: PspStatement[] = [];
  const add = (
    source: DeclineStatement['source'],
    text: string | undefined,
    row: PspDeclineRow | undefined,
  ): void => {
    if (text === undefined || row === undefined) return;
    const isBlock =
      row.blocks === 'always' ||
      (row.blocks === 'mastercard' && (network === undefined || network === 'mastercard'));
    found.push({ source, said: text, category: row.category, isBlock });
  };
  add('psp_advice', pspAdvice, rowOf(tables?.advice, pspAdvice));
  add('psp_code', pspCode, pspCodeRow(said));
  add(
    'psp_category',
    pspCategory,
    rowOf(tables?.categories, pspCategory) ?? rowOf(commonCategories, pspCategory),
  );
  return found;
}

/** The row of a PSP's code; undefined where its tables do not know it. */
export function pspCodeRow(
  said: Pick<PspSaid, 'psp' | 'network' | 'pspCode'>,
): PspDeclineRow | undefined {
  const { psp, pspCode, network } = said;
  const tables = pspDeclines[psp];
  if (tables === undefined || pspCode === undefined) return undefined;
  const row = rowOf(tables.codes, pspCode) ?? rowInRange(tables, pspCode);
  if (row !== undefined || tables.restByNetworkCode === undefined) return row;
  return networkCodeRow({ networkCode: pspCode, ...(network !== undefined && { network }) });
}

function rowOf(table: PspDeclineTable | undefined, text: string | undefined) {
  return table === undefined || text === undefined ? undefined : ownValue(table, canonical(text));
}

function rowInRange(tables: PspDeclines, pspCode: string): PspDeclineRow | undefined {
  const code = canonical(pspCode);
  if (!/^\d{1,9}$/.test(code)) return undefined;
  const number = Number(code);
  return tables.ranges?.find(({ from, to }) => from <= number && number <= to)?.row;
}

/** Codes come padded, with leading zeros, or in capitals, depending on who passes them on. */
function canonical(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^0+(?=\d+$)/, '');
}
