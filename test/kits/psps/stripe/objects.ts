import type { DeclineSaid } from './methods.ts';

/** An object of Stripe's, as its API gives it. */
export type StripeObject = Record<string, unknown> & { readonly id: string };

/** What a charge is made of. */
export interface NewCharge {
  readonly id: string;
  readonly created: number;
  readonly intent: StripeObject;
  readonly methodId: string;
  readonly brand: string;
  readonly said?: DeclineSaid;
}

export function chargeObject({
  id,
  created,
  intent,
  methodId,
  brand,
  said,
}: NewCharge): StripeObject {
  const { amount, currency, customer, metadata } = intent;
  const isBlocked = said?.type === 'blocked';
  return {
    id,
    object: 'charge',
    amount,
    amount_captured: said === undefined ? amount : 0,
    amount_refunded: 0,
    billing_details: { address: null, email: null, name: null, phone: null },
    captured: said === undefined,
    created,
    currency,
    customer,
    disputed: false,
    failure_code: said?.code ?? null,
    failure_message: said?.message ?? null,
    livemode: false,
    metadata,
    outcome: {
      advice_code: said?.advice ?? null,
      network_advice_code: said?.networkAdvice ?? null,
      network_decline_code: said?.networkCode ?? null,
      network_status: outcomeStatus(said, isBlocked),
      reason: said?.reason ?? said?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: said === undefined ? 'Payment complete.' : `The bank said: ${said.message}`,
      type: said === undefined ? 'authorized' : (said.type ?? 'issuer_declined'),
    },
    paid: said === undefined,
    payment_intent: intent.id,
    payment_method: methodId,
    payment_method_details: {
      type: 'card',
      card: { ...cardOf(brand), network_transaction_id: `ntid${id}` },
    },
    refunded: false,
    status: said === undefined ? 'succeeded' : 'failed',
  };
}

function outcomeStatus(said: DeclineSaid | undefined, isBlocked: boolean): string {
  if (said === undefined) return 'approved_by_network';
  return isBlocked ? 'not_sent_to_network' : 'declined_by_network';
}

function cardOf(brand: string): Record<string, unknown> {
  return {
    authorization_code: '123456',
    brand,
    country: 'US',
    exp_month: 8,
    exp_year: 2030,
    fingerprint: 'AOB934RVNwzk6xtn',
    funding: 'credit',
    last4: '4242',
    network: brand,
    network_token: { used: true },
    three_d_secure: null,
    wallet: null,
  };
}

export function methodObject(id: string, customer: string | null, brand: string): StripeObject {
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null },
    card: { brand, country: 'US', exp_month: 8, exp_year: 2030, funding: 'credit', last4: '4242' },
    created: 1_700_000_000,
    customer,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}

export interface NewIntent {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly methodId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export function intentObject(input: NewIntent): StripeObject {
  const { id, created, amount, currency, customer, methodId, metadata } = input;
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_received: 0,
    automatic_payment_methods: { allow_redirects: 'never', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_of_the_test`,
    confirmation_method: 'automatic',
    created,
    currency,
    customer,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata,
    next_action: null,
    payment_method: methodId,
    payment_method_types: ['card'],
    processing: null,
    status: methodId === null ? 'requires_payment_method' : 'requires_confirmation',
  };
}

export function customerObject(id: string): StripeObject {
  return {
    id,
    object: 'customer',
    balance: 0,
    created: 1_690_000_000,
    currency: 'usd',
    default_source: null,
    delinquent: false,
    email: 'jane@example.test',
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null },
    livemode: false,
    metadata: {},
    name: null,
  };
}

export function subscriptionObject(id: string, customer: string): StripeObject {
  return {
    id,
    object: 'subscription',
    cancel_at: null,
    created: 1_695_000_000,
    currency: 'usd',
    customer,
    ended_at: null,
    items: {
      object: 'list',
      data: [
        {
          id: `si_${id}`,
          object: 'subscription_item',
          price: {
            id: 'price_1',
            object: 'price',
            currency: 'usd',
            product: 'prod_1',
            recurring: { interval: 'month', interval_count: 3, usage_type: 'licensed' },
            unit_amount: 2000,
          },
          quantity: 1,
        },
      ],
      has_more: false,
    },
    livemode: false,
    metadata: {},
    start_date: 1_695_000_000,
    status: 'past_due',
  };
}

export interface NewInvoice {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly subscription: string | null;
}

/** An open invoice in the shape of the newest API version, without its payments. */
export function invoiceObject(input: NewInvoice): StripeObject {
  const { id, created, amount, currency, customer, subscription } = input;
  return {
    id,
    object: 'invoice',
    account_country: 'DE',
    account_name: 'Test',
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    amount_overpaid: 0,
    attempt_count: 1,
    attempted: true,
    auto_advance: true,
    billing_reason: subscription === null ? 'manual' : 'subscription_cycle',
    collection_method: 'charge_automatically',
    created,
    currency,
    customer,
    default_payment_method: null,
    livemode: false,
    metadata: {},
    parent:
      subscription === null
        ? null
        : {
            quote_details: null,
            subscription_details: { metadata: {}, subscription },
            type: 'subscription_details',
          },
    status: 'open',
    status_transitions: {
      finalized_at: created,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: amount,
    total: amount,
  };
}

export function invoicePaymentObject(
  id: string,
  invoice: StripeObject,
  intentId: string,
  amount: unknown,
  isDefault: boolean,
): StripeObject {
  return {
    id,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: amount,
    created: invoice.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: isDefault,
    livemode: false,
    payment: { payment_intent: intentId, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
