import { addMs, dayMs } from '../clock.ts';
import type { IdField } from './analytics.ts';

/**
 * What an analytics record lacks to serve as evidence:
 * `public_ipv4_address`: the networks take no other address as an element that matches.
 * `customer_id`: the account's id is an element of its own, and lets the customer be erased.
 * `user_agent`: supports the claim that the same person paid; an input to a device fingerprint.
 * `payment_id`: `charge_id` or `transaction_id`. A dispute names the PSP's payment, and neither the
 * invoice nor the subscription nor the network's transaction.
 */
export const evidenceGaps = [
  'public_ipv4_address',
  'customer_id',
  'user_agent',
  'payment_id',
] as const;
export type EvidenceGap = (typeof evidenceGaps)[number];

/** The gaps of an analytics record, in the order of `evidenceGaps`; none where it has all that a network takes. */
export function gapsOf(analyticsRecord: {
  readonly hasPublicIp: boolean;
  readonly hasUserAgent: boolean;
  readonly ids: readonly IdField[];
}): readonly EvidenceGap[] {
  const isThere: Readonly<Record<EvidenceGap, boolean>> = {
    public_ipv4_address: analyticsRecord.hasPublicIp,
    customer_id: analyticsRecord.ids.includes('customer_id'),
    user_agent: analyticsRecord.hasUserAgent,
    payment_id:
      analyticsRecord.ids.includes('charge_id') || analyticsRecord.ids.includes('transaction_id'),
  };
  return evidenceGaps.filter((gap) => !isThere[gap]);
}

/** Days after which a payment counts as a prior one of a later dispute (Visa CE3.0: 120 to 365). */
const matureDays = 120;

/** When an analytics record is old enough for its payment to speak for a later one. */
export function maturesAt(capturedAt: Date): Date {
  return addMs(capturedAt, matureDays * dayMs);
}
