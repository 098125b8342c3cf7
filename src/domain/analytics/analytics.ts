import type { Psp } from '../psps.ts';

/** The ids that tie analytics to a payment; at least one is there. In the order of the request. */
export const paymentIdFields = [
  'invoice_id',
  'subscription_id',
  'charge_id',
  'transaction_id',
  'network_transaction_id',
] as const;

/** The fields that are kept as they came: ids mean nothing outside the merchant's systems. */
export const idFields = ['customer_id', ...paymentIdFields] as const;
export type IdField = (typeof idFields)[number];

/** Every field of an analytics record, in the order of the request. */
export const analyticsFields = [
  'customer_email',
  'ipv4_address',
  'psp',
  'user_agent',
  ...idFields,
] as const;
export type AnalyticsField = (typeof analyticsFields)[number];

/** What tells of a person; it is only ever kept sealed. */
export interface PersonalData {
  /** The domain in lower case, the local part as it came. */
  readonly customerEmail: string;
  readonly ipv4Address: string;
  readonly userAgent?: string;
}

/** What a checkout captured, checked and normalised: absent and empty fields are not there. */
export interface Analytics extends PersonalData {
  readonly psp: Psp;
  readonly ids: Readonly<Partial<Record<IdField, string>>>;
}

/**
 * `active`: may be matched to disputes. `archived`: kept for disputes that arrive late, and read
 * for those alone. `erased`: the customer was erased; only that it was there is known.
 */
export const analyticsStates = ['active', 'archived', 'erased'] as const;
export type AnalyticsState = (typeof analyticsStates)[number];
