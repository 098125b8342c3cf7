import type { JsonObject } from './payment.ts';
import type { Psp } from './psps.ts';

/**
 * One billing attempt as a merchant reports it, failed or successful, in the API's own words and
 * shape. Timestamps are RFC 3339 texts; amounts are decimals in major units.
 */
export interface PaymentEventBody {
  readonly customer: {
    readonly id: string;
    readonly psp_id?: string;
    readonly created_at?: string;
    readonly postal_code?: string;
    /** For messages to the customer, where the merchant has them sent; else dropped. */
    readonly email?: string;
    readonly language?: string;
    readonly time_zone?: string;
  };
  readonly subscription: {
    readonly id: string;
    readonly start_date: string;
    readonly end_date?: string;
    readonly discounted_or_free_period?: boolean;
    readonly product_id?: string;
    readonly billing?: { readonly period?: BillingPeriod; readonly frequency?: number };
  };
  readonly invoice: { readonly id: string; readonly created_at: string };
  /** One item for each payment method that the merchant tried; at least one. */
  readonly transactions: readonly TransactionBody[];
  readonly custom?: JsonObject;
}

/** Units of a subscription's billing cycle, as reports name them. */
export const billingPeriods = ['day', 'week', 'month', 'year'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

/** What a reported charge was paid from; `unknown` where the merchant cannot tell. */
export const fundingSources = [
  'credit',
  'debit',
  'mixed',
  'paypal',
  'prepaid',
  'uncategorized',
  'unknown',
] as const;

export interface TransactionBody {
  readonly id: string;
  readonly psp_transaction_id: string;
  readonly psp: Psp;
  readonly acquirer_country: string;
  readonly amount: number;
  readonly currency: string;
  /** One of fundingSources, in lower or upper case. */
  readonly funding_source: string;
  readonly payment_method_id: string;
  readonly psp_transaction_created_at: string;
  readonly scheme: string;
  readonly success: boolean;
  readonly outcome: {
    readonly raw_response_message: string;
    readonly psp_response_message?: string;
    readonly processor_response_code?: string | number;
    readonly network_status?: string;
    readonly response_type?: 'soft_decline' | 'hard_decline';
  };
  /** This and mid are required where the PSP wants them (`pspFacts`). */
  readonly network_transaction_id?: string;
  readonly mid?: string;
  readonly reporting_group?: string;
  readonly billing_postal_code?: string;
  readonly auth?: string;
  readonly bin?: string;
  /** What the PSP names the card by, the same for each of its methods. */
  readonly card_fingerprint?: string;
  /** The card's last month, `02`, and its year, `2027` or `27`: both or neither. */
  readonly expiration_month?: string;
  readonly expiration_year?: string;
  readonly captured?: boolean;
  readonly issuer_country?: string;
  readonly refunded?: boolean;
  readonly enhanced_data?: { readonly level_2?: JsonObject; readonly level_3?: JsonObject };
}

/** What led to a payment-method update. */
export const updateReasons = [
  'user_added',
  'user_removed',
  'user_updated',
  'network_updated',
] as const;
export type UpdateReason = (typeof updateReasons)[number];

/** A payment-method change as a merchant reports it; one of the two customer ids at least. */
export interface PaymentMethodUpdateBody {
  readonly customer_id?: string;
  readonly psp_customer_id?: string;
  readonly payment_method_id: string;
  readonly reason?: UpdateReason;
}

/** Whether the invoice was paid: one of the methods tried took the charge. */
export function isPaid(event: PaymentEventBody): boolean {
  return event.transactions.some((transaction) => transaction.success);
}
