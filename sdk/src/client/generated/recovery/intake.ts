// Generated from openapi/recovery.json by npm run generate; do not edit.

export type Receipt = {
  readonly message: string;
  /** A UUID, a number of 56 digits and a 12-digit partition, with colons between. */
  readonly request_id: string;
};

/** The PSP that processed the transaction. */
export type Psp = 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';

export type ReportPaymentMethodUpdateBody = {
  /** The customer's id in your subscription platform. May be left out, or empty, where psp_customer_id is given. */
  readonly customer_id?: string;
  /** The customer's id at the PSP. May be left out, or empty, where customer_id is given. */
  readonly psp_customer_id?: string;
  /** The PSP's id of the payment method. */
  readonly payment_method_id: string;
  /** What led to the update. Without one it counts as user_updated. */
  readonly reason?: 'user_added' | 'user_removed' | 'user_updated' | 'network_updated';
};

export type ReportPaymentBody = {
  readonly customer: {
    /** The customer's id in your subscription platform. */
    readonly id: string;
    /** The customer's id at the PSP. */
    readonly psp_id?: string;
    /** When the customer was created. */
    readonly created_at?: string;
    /** The customer's postal code. */
    readonly postal_code?: string;
    /** Where the customer is written to, if your operator switched messages on for you: kept sealed then, and dropped otherwise. */
    readonly email?: string;
    /** The language of these messages, such as en or pt-BR. Default: yours. */
    readonly language?: string;
    /** The customer's zone (IANA), such as Europe/Berlin, for quiet hours. Default: yours. */
    readonly time_zone?: string;
  };
  readonly subscription: {
    /** The subscription's id in your system. */
    readonly id: string;
    /** When the subscription began. */
    readonly start_date: string;
    /** When it ends or ended. */
    readonly end_date?: string;
    /** Whether a discount or a free period ended with this payment. */
    readonly discounted_or_free_period?: boolean;
    /** What is subscribed to. */
    readonly product_id?: string;
    readonly billing?: {
      /** The unit of the billing cycle. */
      readonly period?: 'day' | 'week' | 'month' | 'year';
      /** Units per cycle. */
      readonly frequency?: number;
    };
  };
  readonly invoice: {
    /** The invoice's id in your system; its recovery goes by this id. */
    readonly id: string;
    /** When the invoice was created. */
    readonly created_at: string;
  };
  /** One item for each payment method that was tried, in that order. */
  readonly transactions: readonly ({
    /** The transaction's id in your system. */
    readonly id: string;
    /** The transaction's id at the PSP. */
    readonly psp_transaction_id: string;
    /** The PSP that processed the transaction. */
    readonly psp: Psp;
    /** The acquirer's country. */
    readonly acquirer_country: string;
    /** The amount in major units, such as 12.23. */
    readonly amount: number;
    /** The currency (ISO 4217). */
    readonly currency: string;
    /** How the card is funded, in lower or upper case. */
    readonly funding_source: 'credit' | 'debit' | 'mixed' | 'paypal' | 'prepaid' | 'uncategorized' | 'unknown' | 'CREDIT' | 'DEBIT' | 'MIXED' | 'PAYPAL' | 'PREPAID' | 'UNCATEGORIZED' | 'UNKNOWN';
    /** The PSP's id of the payment method. */
    readonly payment_method_id: string;
    /** When the PSP made the transaction. */
    readonly psp_transaction_created_at: string;
    /** The card scheme, such as visa or mastercard. */
    readonly scheme: string;
    /** Whether the charge succeeded. */
    readonly success: boolean;
    readonly outcome: {
      /** What the issuer answered, as it came. */
      readonly raw_response_message: string;
      /** The PSP's words. */
      readonly psp_response_message?: string;
      /** The processor's response code. */
      readonly processor_response_code?: string | number;
      /** The network's status. */
      readonly network_status?: string;
      /** How the PSP classes the decline. */
      readonly response_type?: 'soft_decline' | 'hard_decline';
    };
    /** The transaction id of the card network. Required where psp is worldpay. */
    readonly network_transaction_id?: string;
    /** The merchant id at the acquirer. Required where psp is worldpay. */
    readonly mid?: string;
    /** Your own reporting group. */
    readonly reporting_group?: string;
    /** The postal code of the billing address. */
    readonly billing_postal_code?: string;
    /** The authorisation code. */
    readonly auth?: string;
    /** The card's first digits. */
    readonly bin?: string;
    /** What the PSP names the card by, the same for each method id that stands for it. */
    readonly card_fingerprint?: string;
    /** The card's last month, with expiration_year. With subscription.billing.period too, customer_action_required tells of a card that ends before the next renewal. */
    readonly expiration_month?: string;
    /** The year of the card's last month. */
    readonly expiration_year?: string;
    /** Whether the amount was captured. */
    readonly captured?: boolean;
    /** The issuer's country. */
    readonly issuer_country?: string;
    /** Whether the amount was refunded. */
    readonly refunded?: boolean;
    readonly enhanced_data?: {
      /** Level 2 data. */
      readonly level_2?: Readonly<Record<string, unknown>>;
      /** Level 3 data. */
      readonly level_3?: Readonly<Record<string, unknown>>;
    };
  })[];
  /** Your own fields. They come back in the retry-status call and in webhooks. */
  readonly custom?: Readonly<Record<string, unknown>>;
};

export type ShowRequestAnswer = {
  readonly request_id: string;
  /** What was submitted. */
  readonly kind: 'payment' | 'payment_method_update';
  /** accepted: stored, and about to be applied. */
  readonly status: 'accepted' | 'applied' | 'rejected';
  /** When it was stored. */
  readonly received_at: string;
  /** When it took effect. */
  readonly applied_at?: string;
  /** What it did. Of a payment: `recovery_started`, `joined` to the debt of `joined_invoice_id`, `recovery_ended` or `history_recorded`. */
  readonly outcome?: Readonly<Record<string, unknown>>;
};
