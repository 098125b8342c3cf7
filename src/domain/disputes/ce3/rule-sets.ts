import type { CardNetwork } from '../../declines/decline-codes.ts';
import type { ElementName } from './elements.ts';

/** One network's test of prior transactions, by edition: a verdict names the set it was made by. */
export interface PriorRuleSet {
  readonly id: 'visa_ce3' | 'mastercard_first_party_trust';
  readonly version: string;
  readonly words: string;
  /** Whether no text of the network, nor two of its partners, confirm the figures. */
  readonly unconfirmed: boolean;
  readonly network: CardNetwork;
  readonly reasonCodes: readonly string[];
  readonly minPriors: number;
  readonly minElements: number;
  /** Whole UTC days before both the disputed charge's processing date and the dispute's date. */
  readonly minDays: number;
  readonly maxDays: number;
  readonly source: string;
}

const ce3RuleSetVersion = '2026.11.2';

/**
 * Visa Compelling Evidence 3.0. Sources differ on the window: Stripe counts 120 to 364 or 365 days
 * from the processing date, Adyen, Verifi and Justt 120 to 365 from the dispute. What satisfies all
 * of them is 120 to 364 days before both. Justt's exception for original credits, which have no least
 * age, has one source and is left out.
 */
export const visaCe3: PriorRuleSet = {
  id: 'visa_ce3',
  version: ce3RuleSetVersion,
  words: 'Visa Compelling Evidence 3.0',
  unconfirmed: false,
  network: 'visa',
  reasonCodes: ['10.4'],
  minPriors: 2,
  minElements: 2,
  minDays: 120,
  maxDays: 364,
  source:
    'Stripe, disputes/api/visa-ce3; Verifi on CE3.0; Adyen; Checkout.com notice on CE3.0; Kount on formats',
};

/**
 * Mastercard First-Party Trust. Justt applies the test of CE3.0 to it; another source speaks of three
 * data points. No text of Mastercard was found, so that a verdict by it is a guide, never a promise.
 */
export const mastercardFirstPartyTrust: PriorRuleSet = {
  ...visaCe3,
  id: 'mastercard_first_party_trust',
  words: 'Mastercard First-Party Trust',
  unconfirmed: true,
  network: 'mastercard',
  reasonCodes: ['4837'],
  source: 'Justt on First-Party Trust (same test as CE3.0); Chargebacks911 on the reason code',
};

export const priorRuleSets: readonly PriorRuleSet[] = [visaCe3, mastercardFirstPartyTrust];

/**
 * What a charge without a checkout may take from the first charge of its mandate. Verifi says so of
 * the IP address. E-mail, login and address belong to the account that gave the mandate, and no
 * source speaks against them; of a device nobody says it, and a renewal has none.
 */
export const inheritable: ReadonlySet<ElementName> = new Set([
  'ip',
  'email',
  'login',
  'shipping_address',
]);

/** What of it has to be of the checkout that gave the mandate: the others are the account's, wherever it checked out. */
export const ofMandateAlone: ReadonlySet<ElementName> = new Set(['ip']);

/** How many first characters of the descriptor have to be equal. Source: Checkout.com. */
export const descriptorPrefix = 6;
