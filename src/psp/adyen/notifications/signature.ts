import type { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js';
import { type Fields, fieldsOf } from '../../answer-fields.ts';
import type { AdyenAccount } from '../credentials.ts';
import { adyenSdk } from '../sdk.ts';

/** Whether one of the account's keys signed the whole body: webhooks of tokens. */
export function isBodySigned(
  { hmacKeys }: AdyenAccount,
  text: string,
  signature: string | undefined,
): boolean {
  if (signature === undefined) return false;
  const validator = new (adyenSdk().HmacValidator)();
  return hmacKeys.some((key) => validator.validateHMACSignature(key, signature, text));
}

/** The fields of a standard item, in the order in which they are signed with colons between them. */
export interface SignedFields {
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantAccountCode: string;
  readonly merchantReference: string;
  readonly value: number;
  readonly currency: string;
  readonly eventCode: string;
  readonly success: boolean;
}

/**
 * The signed fields of an item, where one of the account's keys signed them. Only the merchant's
 * reference may hold a colon itself: else another division of the same text would be signed too.
 */
export function signedFieldsOf({ hmacKeys }: AdyenAccount, item: Fields): SignedFields | undefined {
  const { pspReference, merchantAccountCode, eventCode, success } = item;
  const originalReference = item.originalReference ?? '';
  const merchantReference = item.merchantReference ?? '';
  const { value, currency } = fieldsOf(item.amount) ?? {};
  const signature = fieldsOf(item.additionalData)?.hmacSignature;
  if (!isPlain(pspReference) || !isPlain(originalReference) || !isPlain(merchantAccountCode)) {
    return undefined;
  }
  if (!isPlain(eventCode) || !isPlain(currency) || typeof merchantReference !== 'string') {
    return undefined;
  }
  if (success !== 'true' && success !== 'false') return undefined;
  if (typeof value !== 'number' || typeof signature !== 'string' || signature === '') {
    return undefined;
  }
  const validator = new (adyenSdk().HmacValidator)();
  const asTyped = item as unknown as NotificationRequestItem;
  if (!hmacKeys.some((key) => validator.validateHMAC(asTyped, key))) return undefined;
  return {
    pspReference,
    ...(originalReference !== '' && { originalReference }),
    merchantAccountCode,
    merchantReference,
    value,
    currency,
    eventCode,
    success: success === 'true',
  };
}

function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !value.includes(':');
}
