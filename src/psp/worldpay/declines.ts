import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import type { Decline, DeclineCategory } from '../../domain/declines/decline.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import { present } from '../../domain/present.ts';

/** What Worldpay says of a payment that did not succeed. */
export interface WorldpayRefusal {
  readonly code?: string;
  readonly description?: string;
  readonly adviceCode?: string;
  /** Such as `visa`. */
  readonly cardBrand?: string;
}

/**
 * A decline from what Worldpay says. Codes of one or two characters are the network's own, without
 * their leading zero (developer.worldpay.com, reference/refusal-response); but 34 is Worldpay's
 * word for a suspicion, where the network's 34 wants the card back.
 */
export function worldpayDecline(refusal: WorldpayRefusal): Decline {
  const { code, description, adviceCode, cardBrand } = refusal;
  const network = cardBrand === undefined ? undefined : cardNetworkOf(cardBrand);
  const isNetworkCode = code !== undefined && /^[0-9A-Za-z]{1,2}$/.test(code) && code !== '34';
  return normaliseDecline({
    psp: 'worldpay',
    ...present({ network }),
    ...(isNetworkCode && { networkCode: code.padStart(2, '0') }),
    ...(adviceCode !== undefined && { adviceCode: adviceCode.padStart(2, '0') }),
    ...present({ pspCode: code, message: description }),
  });
}

/**
 * What the outcomes of the Payments API that are neither a success nor a refusal mean. All of them
 * end the payment without money. The payer is not there to authenticate, a score or a rule of the
 * account is for a person to look at.
 */
const endings: Readonly<Record<string, DeclineCategory>> = {
  '3dsDeviceDataRequired': 'customer_action',
  '3dsChallenged': 'customer_action',
  '3dsAuthenticationFailed': 'customer_action',
  '3dsUnavailable': 'technical',
  fraudHighRisk: 'review',
  sentForCancellation: 'review',
};

/** A payment that ended by one of those outcomes; undefined for any other. */
export function declineByOutcome(outcome: string): Decline | undefined {
  const category = Object.hasOwn(endings, outcome) ? endings[outcome] : undefined;
  return category && { ...worldpayDecline({ code: outcome }), category };
}
