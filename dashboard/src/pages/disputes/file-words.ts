import type { AttachmentKindJson } from '../../api/generated/dispute-evidence.ts';
import { numberText } from '../../parts/number-text.ts';

const words: Readonly<Record<AttachmentKindJson, string>> = {
  receipt: 'Receipt or invoice',
  contract: 'Contract',
  customer_communication: 'Correspondence with the customer',
  service_documentation: 'Proof of the service',
  shipping_documentation: 'Proof of shipping',
  refund_policy: 'Refund policy',
  cancellation_policy: 'Cancellation policy',
  other: 'Something else',
};

export const kinds = Object.keys(words) as [AttachmentKindJson, ...AttachmentKindJson[]];

export function kindText(kind: AttachmentKindJson): string {
  return words[kind];
}

const whole = numberText({ maximumFractionDigits: 0 });
const tenths = numberText({ maximumFractionDigits: 1 });

/** In millions or thousands of bytes, as limits are written. */
export function bytesText(bytes: number): string {
  if (bytes >= 1_000_000) return `${tenths(bytes / 1_000_000)} MB`;
  return bytes >= 1_000 ? `${whole(bytes / 1_000)} kB` : `${whole(bytes)} bytes`;
}
