import type { LedgerCharge } from '../../record.ts';
import type { PspWorld } from '../psp-world.ts';
import { type FormObject, formAt, textAt, textsAt } from './form.ts';
import {
  chargeObject,
  intentObject,
  invoiceObject,
  invoicePaymentObject,
  methodObject,
  type StripeObject,
} from './stripe-objects.ts';

/** An error that Stripe answers with. */
export interface Refusal {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
}

/** Who charges: a request with its key, or Stripe itself. */
export interface ChargedBy {
  readonly origin: LedgerCharge['origin'];
  readonly key: string;
  readonly sentMs: number;
}

export interface NewInvoice {
  readonly invoiceId: string;
  readonly customer: string;
  readonly subscription: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly methodId: string;
}

/** An event that waits to be sent to the account's webhook endpoint. */
export interface StripeEvent {
  readonly id: string;
  readonly body: string;
}

/** One account at Stripe: its objects by id, in the order in which they were made, and its events. */
export class StripeAccount {
  readonly name: string;
  readonly objects = new Map<string, StripeObject>();
  /** Taken out by whoever sends them. */
  readonly events: StripeEvent[] = [];
  readonly #world: PspWorld;
  /** The account's clock may differ from the world's. */
  readonly #clockMs: () => number;
  #made = 0;

  constructor(world: PspWorld, name: string, clockMs: () => number) {
    this.#world = world;
    this.name = name;
    this.#clockMs = clockMs;
  }

  find(id: string, type?: string): StripeObject | undefined {
    const found = this.objects.get(id);
    return type === undefined || found?.object === type ? found : undefined;
  }

  all(type: string): readonly StripeObject[] {
    return [...this.objects.values()].filter((object) => object.object === type);
  }

  addMethod(methodId: string, customer: string): void {
    this.#keep({ id: customer, object: 'customer', created: this.seconds() });
    this.#keep(methodObject(methodId, customer));
  }

  seconds(): number {
    return Math.floor(this.#clockMs() / 1_000);
  }

  /** An open invoice of a subscription whose first charge was declined, with the event of it. */
  failInvoice(input: NewInvoice): { readonly chargeId: string } {
    const { invoiceId, customer, subscription, amountMinor, currency, methodId } = input;
    this.#keep({
      id: subscription,
      object: 'subscription',
      created: this.seconds(),
      customer,
      items: { object: 'list', data: [], has_more: false },
      start_date: this.seconds(),
      status: 'past_due',
    });
    const created = this.seconds();
    const amount = amountMinor;
    const invoice = this.#keep(
      invoiceObject({ id: invoiceId, created, amount, currency, customer, subscription }),
    );
    const intent = this.makeIntent({ amount, currency, customer, methodId: null, metadata: {} });
    this.attach(invoice, intent, true);
    const by = { origin: 'psp', key: '', sentMs: this.#world.nowMs() } as const;
    this.charge(intent, methodId, by);
    return { chargeId: String(intent.latest_charge) };
  }

  makeIntent(input: Omit<Parameters<typeof intentObject>[0], 'id' | 'created'>): StripeObject {
    return this.#keep(intentObject({ ...input, id: this.#nextId('pi'), created: this.seconds() }));
  }

  attach(invoice: StripeObject, intent: StripeObject, isDefault = false): void {
    this.#keep(invoicePaymentObject(this.#nextId('inpay'), invoice, intent, isDefault));
  }

  paymentsOf(invoiceId: string): readonly StripeObject[] {
    return this.all('invoice_payment').filter((payment) => payment.invoice === invoiceId);
  }

  defaultIntentOf(invoiceId: string): StripeObject | undefined {
    const payment = this.paymentsOf(invoiceId).find((item) => item.is_default === true);
    return this.find(intentIdOf(payment), 'payment_intent');
  }

  /** Stripe's own next try of an open invoice. */
  retryInvoice(invoiceId: string, methodId: string): void {
    const invoice = this.find(invoiceId, 'invoice');
    const intent = this.defaultIntentOf(invoiceId);
    if (invoice?.status !== 'open' || intent === undefined) return;
    intent.amount = invoice.amount_remaining;
    this.charge(intent, methodId, { origin: 'psp', key: '', sentMs: this.#world.nowMs() });
  }

  /** Charges an intent. Undefined where it went through. */
  charge(intent: StripeObject, methodId: string, by: ChargedBy): Refusal | undefined {
    const { record, issuer, nowMs } = this.#world;
    const verdict = issuer.decide(methodId, nowMs());
    const declinedBy = verdict.kind === 'approved' ? undefined : declineCodes[verdict.code];
    intent.payment_method = methodId;
    const created = this.seconds();
    const id = this.#nextId('ch');
    const charge = this.#keep(chargeObject({ id, created, intent, methodId, declinedBy }));
    record.charges.push({
      psp: 'stripe',
      account: this.name,
      chargeId: id,
      debtId: issuer.cards.get(methodId)?.debtId ?? '',
      methodId,
      amountMinor: Number(intent.amount),
      currency: String(intent.currency).toUpperCase(),
      state: declinedBy === undefined ? 'succeeded' : 'declined',
      ...(verdict.kind === 'declined' && { declineCode: verdict.code }),
      atMs: nowMs(),
      ...by,
    });
    intent.latest_charge = id;
    const refusal =
      declinedBy === undefined ? undefined : this.#decline(intent, charge, declinedBy);
    if (refusal === undefined) this.#succeed(intent);
    this.#tellOfCharge(charge, intent, by.key);
    return refusal;
  }

  #succeed(intent: StripeObject): void {
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.last_payment_error = null;
    const payment = this.#paymentOf(intent);
    const invoice = payment && this.find(String(payment.invoice), 'invoice');
    if (payment === undefined || invoice === undefined) return;
    payment.status = 'paid';
    payment.amount_paid = intent.amount;
    invoice.amount_paid = Number(invoice.amount_paid) + Number(intent.amount);
    invoice.amount_remaining = Number(invoice.amount_due) - Number(invoice.amount_paid);
    if (invoice.amount_remaining === 0) invoice.status = 'paid';
  }

  #decline(intent: StripeObject, charge: StripeObject, declineCode: string): Refusal {
    const method = this.find(String(intent.payment_method));
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    const error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: declineCode,
      message: 'Your card was declined.',
      charge: charge.id,
      payment_method: method,
    };
    intent.last_payment_error = error;
    return { status: 402, error: { ...error, payment_intent: structuredClone(intent) } };
  }

  #tellOfCharge(charge: StripeObject, intent: StripeObject, key: string): void {
    const isPaid = charge.status === 'succeeded';
    this.#tell(isPaid ? 'charge.succeeded' : 'charge.failed', charge, key);
    const invoice = this.find(String(this.#paymentOf(intent)?.invoice), 'invoice');
    if (invoice === undefined) return;
    if (isPaid && invoice.status !== 'paid') return;
    this.#tell(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice, key);
  }

  #tell(type: string, object: StripeObject, key: string): void {
    const id = this.#nextId('evt');
    const event = {
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: this.seconds(),
      data: { object },
      livemode: true,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: key === '' ? null : key },
      type,
    };
    const body = JSON.stringify(event);
    this.events.push({ id, body });
    this.#keep(JSON.parse(body));
  }

  #paymentOf(intent: StripeObject): StripeObject | undefined {
    return this.all('invoice_payment').find((item) => intentIdOf(item) === intent.id);
  }

  #nextId(prefix: string): string {
    this.#made += 1;
    return `${prefix}_${this.name}_${String(this.#made).padStart(4, '0')}`;
  }

  #keep(object: StripeObject): StripeObject {
    this.objects.set(object.id, object);
    return object;
  }
}

const declineCodes = {
  insufficient_funds: 'insufficient_funds',
  do_not_honor: 'do_not_honor',
  expired: 'expired_card',
  stolen: 'stolen_card',
};

function intentIdOf(payment: StripeObject | undefined): string {
  return String((payment?.payment as { payment_intent?: string } | undefined)?.payment_intent);
}

/** The page of a list that was asked for, newest first, as Stripe's lists are. */
export function listed(account: StripeAccount, resource: string, form: FormObject): unknown {
  const wanted = ['customer', 'invoice', 'payment_intent'].filter(
    (name) => textAt(form, name) !== undefined,
  );
  const created = formAt(form, 'created');
  const [from, to] = [
    Number(textAt(created, 'gte') ?? 0),
    Number(textAt(created, 'lte') ?? Infinity),
  ];
  const before = Number(textAt(created, 'lt') ?? Infinity);
  const intentId = textAt(formAt(form, 'payment'), 'payment_intent');
  const types = textsAt(form, 'types');
  const all = account
    .all(resource.replace(/s$/, ''))
    .filter((item) => wanted.every((name) => item[name] === textAt(form, name)))
    .filter((item) => types.length === 0 || types.includes(String(item.type)))
    .filter((item) => Number(item.created) >= from && Number(item.created) <= to)
    .filter((item) => Number(item.created) < before)
    .filter((item) => intentId === undefined || intentIdOf(item) === intentId)
    .toReversed();
  const after = textAt(form, 'starting_after');
  const start = after === undefined ? 0 : all.findIndex((item) => item.id === after) + 1;
  const limit = Number(textAt(form, 'limit') ?? 10);
  const data = all.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < all.length, url: `/v1/${resource}` };
}
