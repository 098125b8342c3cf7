import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import type { Decline } from '../../domain/declines/decline.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import { present } from '../../domain/present.ts';
import { type Fields, fieldsOf, textOf } from '../answer-fields.ts';

/**
 * The decline of a transaction that took no money. A gateway rejection has its reason instead of a
 * processor's code, and one at settlement has the settlement's code.
 */
export function braintreeDecline(transaction: Fields): Decline {
  const network = cardNetworkOf(cardTypeOf(transaction) ?? '');
  const networkCode = textOf(transaction.networkResponseCode);
  const adviceCode = textOf(transaction.merchantAdviceCode);
  const pspCode = codeOf(transaction);
  const pspCategory = textOf(transaction.processorResponseType);
  const message = messageOf(transaction);
  return normaliseDecline({
    psp: 'braintree',
    ...present({ network, networkCode, adviceCode, pspCode, pspCategory, message }),
  });
}

/** The card's type, such as `Visa`; wallets have it in an object of their own. */
export function cardTypeOf(transaction: Fields): string | undefined {
  for (const name of ['creditCard', 'applePayCard', 'androidPayCard', 'visaCheckoutCard']) {
    const card = fieldsOf(transaction[name]);
    const type = textOf(card?.sourceCardType) ?? textOf(card?.cardType);
    if (type !== undefined) return type.replace(/^(Apple|Google) Pay - /, '');
  }
  return undefined;
}

/** Braintree's own code of the decline: one for each way in which it says no. */
export function codeOf(transaction: Fields): string | undefined {
  switch (transaction.status) {
    case 'gateway_rejected':
      return textOf(transaction.gatewayRejectionReason) ?? 'gateway_rejected';
    case 'settlement_declined':
      return textOf(transaction.processorSettlementResponseCode) ?? 'settlement_declined';
    case 'authorization_expired':
      return 'authorization_expired';
    default:
      return textOf(transaction.processorResponseCode) ?? textOf(transaction.status);
  }
}

/** The most exact words: what the processor added, else what the network or Braintree said. */
function messageOf(transaction: Fields): string | undefined {
  if (transaction.status === 'settlement_declined') {
    return textOf(transaction.processorSettlementResponseText);
  }
  return (
    textOf(transaction.additionalProcessorResponse) ??
    textOf(transaction.networkResponseText) ??
    textOf(transaction.processorResponseText)
  );
}
