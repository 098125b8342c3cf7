import { present } from '../present.ts';
import { type Psp, pspFacts } from '../psps.ts';
import type { CardNetwork } from './decline-codes.ts';
import { networkCodeRow, type Statement } from './network-statements.ts';
import { ownValue } from './own-value.ts';
import {
  type PspDeclineRow,
  type PspDeclines,
  type PspDeclineTable,
  row,
} from './psp-decline-rows.ts';

const hardDecline = row(
  'fix_data',
  'Hard decline',
  'This card will not do as it is; new data, or another card, may.',
);
const softDecline = row('later', 'Soft decline');

/** Hard or soft, as PSPs and merchants' reports write it. */
export const commonCategories: PspDeclineTable = {
  soft_decline: softDecline,
  soft_declined: softDecline,
  hard_decline: hardDecline,
  hard_declined: hardDecline,
};

/** What a PSP said about a decline in its own codes. */
export interface PspSaid {
  readonly psp: Psp;
  readonly network?: CardNetwork;
  readonly pspAdvice?: string;
  readonly pspCode?: string;
  readonly pspCategory?: string;
}

type Judged = Pick<PspDeclineRow, 'category' | 'blocks' | 'waitMs'>;

/** What one of the PSP's own words means, and whether the acquirer itself blocks the retry by it. */
export interface PspStatement extends Statement {
  readonly isBlock: boolean;
}

/** What the PSP's own words mean by its tables, by precedence; words that no table knows are out. */
export function pspStatements(said: PspSaid): readonly PspStatement[] {
  const { psp, pspAdvice, pspCode, pspCategory, network } = said;
  const tables = pspFacts[psp].declines;
  const found: PspStatement[] = [];
  const add = (
    source: Statement['source'],
    text: string | undefined,
    row: Judged | undefined,
  ): void => {
    if (text === undefined || row === undefined) return;
    const isBlock =
      row.blocks === 'always' ||
      (row.blocks === 'mastercard' && (network === undefined || network === 'mastercard'));
    const { category, waitMs } = row;
    found.push({ source, said: text, category, isBlock, ...present({ waitMs }) });
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
function pspCodeRow(said: Pick<PspSaid, 'psp' | 'network' | 'pspCode'>): Judged | undefined {
  const { psp, pspCode, network } = said;
  if (pspCode === undefined) return undefined;
  const row = ownCodeRow(psp, pspCode);
  if (row !== undefined || pspFacts[psp].declines?.restByNetworkCode === undefined) return row;
  return networkCodeRow({ networkCode: pspCode, ...present({ network }) });
}

/** The row of a code, or of the words for it, in the PSP's own tables. */
export function ownCodeRow(psp: Psp, pspCode: string): PspDeclineRow | undefined {
  const tables = pspFacts[psp].declines;
  if (tables === undefined) return undefined;
  return (
    rowOf(tables.codes, pspCode) ?? rowInRange(tables, pspCode) ?? rowNamed(tables.codes, pspCode)
  );
}

function rowOf(table: PspDeclineTable | undefined, text: string | undefined) {
  if (table === undefined || text === undefined) return undefined;
  const code = text.trim();
  for (const spelling of [code, code.toLowerCase(), code.toUpperCase()]) {
    const row = ownValue(table, spelling);
    if (row !== undefined) return row;
  }
  return undefined;
}

function rowInRange(tables: PspDeclines, pspCode: string): PspDeclineRow | undefined {
  const code = pspCode.trim();
  if (!/^\d{1,9}$/.test(code)) return undefined;
  const number = Number(code);
  return tables.ranges?.find(({ from, to }) => from <= number && number <= to)?.row;
}

function rowNamed(table: PspDeclineTable, text: string): PspDeclineRow | undefined {
  const name = text.trim().toLowerCase();
  return Object.values(table).find((row) => row.name?.toLowerCase() === name);
}
