import { isOwnKey } from '../own-key.ts';

/**
 * The reference that a payment or a refund has for one of our keys: without the beginning that all of them
 * share. With an American Express card Checkout.com takes 30 characters at most (API reference, request a
 * payment), and a key has four more. Keys of the time before they began so are short enough.
 */
export function referenceOf(key: string): string {
  return key.replace(/^rc[pr]_/, '');
}

/** The key of ours that the reference of a payment stands for; any other is its merchant's own. */
export function paymentKeyOf(reference: string): string {
  return withBeginning('rcp_', reference);
}

/** The key that the reference of a refund stands for. */
export function refundKeyOf(reference: string): string {
  return withBeginning('rcr_', reference);
}

/** Whether a reference is that of our key, as it is sent now or as a whole, as before. */
export function isReferenceOf(reference: unknown, key: string): boolean {
  return reference === key || reference === referenceOf(key);
}

function withBeginning(beginning: 'rcp_' | 'rcr_', reference: string): string {
  return isOwnKey(`rcp_${reference}`) ? beginning + reference : reference;
}
