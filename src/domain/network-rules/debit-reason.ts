import type { RuledNetwork } from './ruled-network.ts';

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
