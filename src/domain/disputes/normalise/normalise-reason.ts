import { type CardNetwork, cardNetworks } from '../../declines/decline-codes.ts';
import { disputeNetworkOf } from './dispute-network.ts';
import { type ReasonFamily, reasonCodes, reasonFamilies } from './reason-codes.ts';

/** A reason in the network's own present spelling: Visa `10.4`, Mastercard `4837`. */
export interface ReasonCode {
  readonly network: CardNetwork;
  readonly code: string;
  readonly family: ReasonFamily;
}

const byAlias: Readonly<Record<CardNetwork, ReadonlyMap<string, ReasonCode>>> = {
  visa: aliasesOf('visa'),
  mastercard: aliasesOf('mastercard'),
  amex: aliasesOf('amex'),
  discover: aliasesOf('discover'),
};

/**
 * A reason as any PSP writes it: with blanks around it (Adyen), without the dot (Braintree's 1040),
 * by Visa's number from before 2018 (83), or as two digits (Mastercard's 37 on debit single message).
 * Undefined for a code that no table has.
 */
export function normaliseReason(scheme: string, code: string): ReasonCode | undefined {
  const network = disputeNetworkOf(scheme);
  const table = cardNetworks.find((name) => name === (network === 'diners' ? 'discover' : network));
  return table && byAlias[table].get(code.trim().toUpperCase());
}

function aliasesOf(network: CardNetwork): ReadonlyMap<string, ReasonCode> {
  const aliases = new Map<string, ReasonCode>();
  for (const family of reasonFamilies) {
    for (const code of reasonCodes[network][family]) {
      for (const alias of spellingsOf(network, code)) aliases.set(alias, { network, code, family });
    }
  }
  return aliases;
}

function spellingsOf(network: CardNetwork, code: string): readonly string[] {
  if (network === 'visa' && code.includes('.')) {
    const digits = code.replaceAll('.', '');
    const legacy = code === '10.4' ? ['83'] : [];
    return [code, digits, digits.padEnd(4, '0'), ...legacy];
  }
  // 4999 is no 48xx code, and its last two digits would say nothing.
  if (network === 'mastercard' && code.startsWith('48')) return [code, code.slice(2)];
  return [code];
}
