import { present } from '../present.ts';
import type { DeclineStatement } from './decline.ts';
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
import { ownValue } from './own-value.ts';

/** What a card network said about a decline. */
export interface NetworkSaid {
  /** Leave it out when the PSP does not tell. */
  readonly network?: CardNetwork;
  /** The response code, ISO 8583 DE 39; leave it out when the PSP passes none on. */
  readonly networkCode?: string;
  /** Mastercard's merchant advice code, DE 48 SE 84. */
  readonly adviceCode?: string;
}

/** A statement with the least wait that its source asks for. */
export interface Statement extends DeclineStatement {
  readonly waitMs?: number;
}

/**
 * What the network's advice means; undefined where it came without one or with one that only
 * describes the card. Visa has no advice of its own, so there only the two that forbid a retry are
 * heeded.
 */
export function adviceStatement(said: NetworkSaid): Statement | undefined {
  const { adviceCode } = said;
  const row = adviceRow(said);
  if (adviceCode === undefined || row?.category === undefined) return undefined;
  const base = { source: 'network_advice', said: adviceCode } as const;
  const withAdvice01 = networkCodeRow(said)?.withAdvice01;
  if (row === adviceCodes['01'] && withAdvice01 !== undefined) {
    return { ...base, category: withAdvice01 };
  }
  const { category, waitMs } = row;
  return { ...base, category, ...present({ waitMs }) };
}

/** What the response code means by the table of its network; undefined where none knows it. */
export function networkCodeStatement(said: NetworkSaid): Statement | undefined {
  const { networkCode } = said;
  if (networkCode === undefined) return undefined;
  const row = codeRow(networkCode, said.network);
  return row && { source: 'network_code', said: networkCode, category: row.category };
}

/** The row of a response code, in the table of its network or the common ones. */
export function networkCodeRow({
  network,
  networkCode,
}: Pick<NetworkSaid, 'network' | 'networkCode'>): DeclineCodeRow | undefined {
  return networkCode === undefined ? undefined : codeRow(networkCode, network);
}

function codeRow(networkCode: string, network: NetworkSaid['network']): DeclineCodeRow | undefined {
  const code = canonical(networkCode);
  const tables = [commonDeclineCodes, actionCodes1993];
  if (network === 'visa') tables.unshift(visaDeclineCodes);
  if (network === 'mastercard') tables.unshift(mastercardDeclineCodes);
  for (const table of tables) {
    const row = ownValue(table, code);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** Whether the response code says that the charge was approved. */
export function isApproval(said: NetworkSaid): boolean {
  return networkCodeRow(said)?.isApproval === true;
}

function adviceRow(said: NetworkSaid): AdviceCodeRow | undefined {
  if (said.adviceCode === undefined) return undefined;
  const row = ownValue(adviceCodes, canonical(said.adviceCode));
  return said.network === 'visa' && row?.onVisaToo !== true ? undefined : row;
}

/** Some PSPs pad codes with spaces, drop the leading zero (Worldpay) or write letters small. */
function canonical(code: string): string {
  return code.trim().toUpperCase().replace(/^\d$/, '0$&');
}
