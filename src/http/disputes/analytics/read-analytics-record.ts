import {
  bodyItem,
  bodyMissing,
  bodyNotAnObject,
  bodyNotJson,
  type ValidationItem,
} from '../../../domain/analytics/validation-item.ts';
import type { Json } from '../../../domain/payment.ts';
import { isJsonType } from '../require-json.ts';

export type AnalyticsReading =
  | { readonly kind: 'read'; readonly body: Json }
  | { readonly kind: 'invalid'; readonly detail: readonly ValidationItem[] };

/**
 * Reads the body of an analytics record. Nothing at all is a missing body, before its type is
 * looked at; what is not said to be JSON is not read as JSON.
 */
export function readAnalyticsRecord(
  bytes: Uint8Array,
  contentType: string | undefined,
): AnalyticsReading {
  if (bytes.length === 0) return invalid(bodyMissing);
  if (!isJsonType(contentType)) return invalid(bodyNotAnObject);
  return readJson(bytes);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** One JSON text in UTF-8; a byte order mark before it is passed over. */
export function readJson(bytes: Uint8Array): AnalyticsReading {
  try {
    return { kind: 'read', body: JSON.parse(utf8.decode(bytes)) as Json };
  } catch {
    return invalid(bodyNotJson);
  }
}

/** The text is longer than is read. */
export function tooLong(maxBytes: number): ValidationItem {
  return bodyItem('bytes_too_long', `Data should have at most ${maxBytes} bytes`);
}

function invalid(item: ValidationItem): AnalyticsReading {
  return { kind: 'invalid', detail: [item] };
}
