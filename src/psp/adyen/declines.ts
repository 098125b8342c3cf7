import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import type { Decline } from '../../domain/declines/decline.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import { present } from '../../domain/present.ts';
import { type Fields, textOf } from '../answer-fields.ts';

/** What Adyen says of a charge that did not succeed. */
export interface AdyenRefusal {
  /** Refused, Error, Cancelled and others. A webhook does not carry it. */
  readonly resultCode?: string;
  readonly refusalReasonCode?: string;
  /** The words for the code. They alone stand in a webhook. */
  readonly refusalReason?: string;
  readonly additionalData: Fields;
  /** The card scheme, where it stands outside additionalData. */
  readonly scheme?: string;
}

/** A decline from what Adyen says, with the network's own code where the account passes it on. */
export function adyenDecline(refusal: AdyenRefusal): Decline {
  const { resultCode, refusalReasonCode, refusalReason, additionalData } = refusal;
  const network = networkOf(additionalData, refusal.scheme);
  const networkCode = networkCodeOf(additionalData);
  const adviceCode = adviceCodeOf(additionalData);
  const pspCode = refusalReasonCode ?? refusalReason;
  return normaliseDecline({
    psp: 'adyen',
    ...present({
      network,
      networkCode,
      adviceCode,
      pspCode,
      pspCategory: resultCode,
      message: refusalReason,
    }),
  });
}

/**
 * Whether Adyen's own Auto Rescue is going to charge a refused payment again, for up to a month: what
 * became of it is not known until that has ended (docs.adyen.com, online-payments/auto-rescue/cards).
 */
export function isRescued(additionalData: Fields): boolean {
  return additionalData['retry.rescueScheduled'] === 'true';
}

/** A charge that waits for the payer, who is not there: it is never made. */
export function payerNeeded(refusal: AdyenRefusal): Decline {
  return { ...adyenDecline(refusal), category: 'customer_action' };
}

/**
 * The network's response code: what stands before the colon of `05 : Do not honor`. Source:
 * docs.adyen.com, development-resources/raw-acquirer-responses: with or without a leading zero, and
 * only where the account has "Raw acquirer result" switched on.
 */
export function networkCodeOf(additionalData: Fields): string | undefined {
  const raw = textOf(additionalData.refusalReasonRaw);
  return raw === undefined ? undefined : /^\s*([0-9A-Za-z]{1,3})\s*(?::|$)/.exec(raw)?.[1];
}

/** Mastercard's merchant advice code in two digits, from `01 : New account information available`. */
function adviceCodeOf(additionalData: Fields): string | undefined {
  const said = textOf(additionalData.merchantAdviceCode);
  return said === undefined ? undefined : /^\s*(\d{1,2})\b/.exec(said)?.[1]?.padStart(2, '0');
}

function networkOf(additionalData: Fields, scheme: string | undefined) {
  const { cardScheme, paymentMethod, cardPaymentMethod } = additionalData;
  for (const name of [cardScheme, paymentMethod, cardPaymentMethod, scheme]) {
    const network = typeof name === 'string' ? cardNetworkOf(name) : undefined;
    if (network !== undefined) return network;
  }
  return undefined;
}
