/** An object of Stripe's, as its API gives it. */
export type StripeObject = Record<string, unknown> & { readonly id: string };

/** A copy of an object with the ids at these paths replaced by what they name. */
export function expanded(
  find: (id: string) => StripeObject | undefined,
  value: unknown,
  paths: readonly string[],
): unknown {
  const copy = structuredClone(value);
  for (const path of paths) expandAt(find, copy, path.split('.'));
  return copy;
}

function expandAt(
  find: (id: string) => StripeObject | undefined,
  at: unknown,
  path: readonly string[],
): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof at !== 'object' || at === null) return;
  if (Array.isArray(at)) {
    for (const item of at) expandAt(find, item, path);
    return;
  }
  const holder = at as Record<string, unknown>;
  const value = holder[key];
  if (typeof value === 'string') holder[key] = structuredClone(find(value)) ?? value;
  expandAt(find, holder[key], rest);
}

const card = { brand: 'visa', country: 'US', exp_month: 8, exp_year: 2035, funding: 'credit' };

export function methodObject(id: string, customer: string): StripeObject {
  return { id, object: 'payment_method', card, customer, livemode: true, type: 'card' };
}

export function intentObject(input: {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly methodId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}): StripeObject {
  const { methodId, ...rest } = input;
  return {
    ...rest,
    object: 'payment_intent',
    amount_received: 0,
    last_payment_error: null,
    latest_charge: null,
    livemode: true,
    payment_method: methodId,
    status: methodId === null ? 'requires_payment_method' : 'requires_confirmation',
  };
}

export function chargeObject(input: {
  readonly id: string;
  readonly created: number;
  readonly intent: StripeObject;
  readonly methodId: string;
  readonly declinedBy: string | undefined;
}): StripeObject {
  const { id, created, intent, methodId, declinedBy } = input;
  const isPaid = declinedBy === undefined;
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    captured: isPaid,
    created,
    currency: intent.currency,
    customer: intent.customer,
    failure_code: isPaid ? null : 'card_declined',
    failure_message: isPaid ? null : 'Your card was declined.',
    livemode: true,
    metadata: intent.metadata,
    outcome: {
      network_status: isPaid ? 'approved_by_network' : 'declined_by_network',
      reason: declinedBy ?? null,
      seller_message: isPaid ? 'Payment complete.' : 'The bank declined.',
      type: isPaid ? 'authorized' : 'issuer_declined',
    },
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: methodId,
    payment_method_details: {
      type: 'card',
      card: {
        ...card,
        fingerprint: `fp_${methodId}`,
        network: 'visa',
        network_transaction_id: `nt_${id}`,
      },
    },
    refunded: false,
    status: isPaid ? 'succeeded' : 'failed',
  };
}

export function invoiceObject(input: {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly subscription: string;
}): StripeObject {
  const { id, created, amount, currency, customer, subscription } = input;
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 1,
    attempted: true,
    auto_advance: true,
    billing_reason: 'subscription_cycle',
    collection_method: 'charge_automatically',
    created,
    currency,
    customer,
    livemode: true,
    metadata: {},
    parent: { type: 'subscription_details', subscription_details: { metadata: {}, subscription } },
    status: 'open',
    total: amount,
  };
}

export function invoicePaymentObject(
  id: string,
  invoice: StripeObject,
  intent: StripeObject,
  isDefault: boolean,
): StripeObject {
  return {
    id,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: intent.amount,
    created: intent.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: isDefault,
    livemode: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
  };
}
