import { type Figure, inForce } from './dated.ts';
import type { RuledNetwork } from './ruled-network.ts';

/** After these alone a debit may be presented again as it is. */
export const sepaReasons: readonly Figure<readonly string[]>[] = [
  { value: ['AM04', 'MS03'], source: 'adyenSepa' },
];
export const achReasons: readonly Figure<readonly string[]>[] = [
  { value: ['R01', 'R09'], source: 'achGoCardless' },
];

/** Those that say that there was not enough money in the account. */
export const debitFundsReasons: readonly string[] = ['AM04', 'R01', 'R09'];

/** How the schemes of bank debits write why a debit came back. */
const forms: Readonly<Partial<Record<RuledNetwork, RegExp>>> = {
  // ISO 20022, ExternalStatusReason1Code: AM04, MS03, AC04.
  sepa_debit: /^\s*([A-Z]{2}[0-9]{2})(?![0-9A-Za-z])/i,
  // NACHA return reason codes.
  ach: /^\s*(R[0-9]{2})(?![0-9A-Za-z])/i,
};

/**
 * The reason at the start of the first text that has one, in capitals. Undefined for what is no debit of SEPA or
 * ACH: to a card network `R01` is nothing.
 */
export function debitReason(network: RuledNetwork, texts: readonly string[]): string | undefined {
  const form = forms[network];
  if (form === undefined) return undefined;
  const found = texts.map((text) => form.exec(text)?.[1]).find((code) => code !== undefined);
  return found?.toUpperCase();
}

/** Whether the scheme lets a debit that came back with a reason be presented again as it is. */
export function mayPresentAgain(network: RuledNetwork, reason: string, at: Date): boolean {
  const figures = { sepa_debit: sepaReasons, ach: achReasons };
  if (network !== 'sepa_debit' && network !== 'ach') return true;
  return inForce(figures[network], at)?.value.includes(reason) === true;
}

/** Whether a code is the reason of a bank debit: those of cards have two characters, or three digits. */
export function isDebitReason(code: string): boolean {
  return (
    debitReason('sepa_debit', [code]) !== undefined || debitReason('ach', [code]) !== undefined
  );
}
