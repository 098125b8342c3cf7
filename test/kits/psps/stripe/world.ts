import { TestDisputes } from '../test-disputes.ts';
import { type Action, type TestMethod, testMethods } from './methods.ts';
import {
  chargeObject,
  customerObject,
  intentObject,
  invoiceObject,
  invoicePaymentObject,
  methodObject,
  type NewIntent,
  type NewInvoice,
  type StripeObject,
  subscriptionObject,
} from './objects.ts';

/** An error that Stripe answers with. */
export interface Refusal {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** In place of a key: a try that Stripe makes by itself. */
export const byItself = 'of Stripe itself';

/** One account at the pretended Stripe: its objects by id, in the order in which they were made. */
export class StripeWorld {
  readonly objects = new Map<string, StripeObject>();
  /** The idempotency key of the request that made a charge. */
  readonly keys = new Map<string, string>();
  readonly disputes = new TestDisputes();
  readonly #now: () => Date;
  #made = 0;

  /** Its own id, as `GET /v1/account` gives it. */
  readonly accountId: string;

  constructor(now: () => Date, accountId = 'acct_1') {
    this.#now = now;
    this.accountId = accountId;
    for (const id of ['cus_1', 'cus_2']) this.#keep(customerObject(id));
    for (const [id, method] of Object.entries(testMethods)) {
      this.#keep(methodObject(id, ownerOf(method), method.brand ?? 'visa'));
    }
  }

  seconds(): number {
    return Math.floor(this.#now().getTime() / 1000);
  }

  nextId(prefix: string): string {
    this.#made += 1;
    return `${prefix}_${String(this.#made).padStart(4, '0')}`;
  }

  find(id: string, type: string): StripeObject | undefined {
    const found = this.objects.get(id);
    return found?.object === type ? found : undefined;
  }

  all(type: string): readonly StripeObject[] {
    return [...this.objects.values()].filter((object) => object.object === type);
  }

  makeIntent(input: Omit<NewIntent, 'id' | 'created'>): StripeObject {
    return this.#keep(intentObject({ ...input, id: this.nextId('pi'), created: this.seconds() }));
  }

  makeSubscription(customer: string): StripeObject {
    return this.#keep(subscriptionObject(this.nextId('sub'), customer));
  }

  /** A finalised invoice with the default payment that Stripe makes for it. */
  makeInvoice(input: Omit<NewInvoice, 'id' | 'created'>): StripeObject {
    const invoice = this.#keep(
      invoiceObject({ ...input, id: this.nextId('in'), created: this.seconds() }),
    );
    const { amount, currency, customer } = input;
    const intent = this.makeIntent({ amount, currency, customer, methodId: null, metadata: {} });
    this.attach(invoice, intent, true);
    return invoice;
  }

  attach(invoice: StripeObject, intent: StripeObject, isDefault = false): void {
    this.#keep(
      invoicePaymentObject(this.nextId('inpay'), invoice, intent.id, intent.amount, isDefault),
    );
  }

  paymentsOf(invoiceId: string): readonly StripeObject[] {
    return this.all('invoice_payment').filter((payment) => payment.invoice === invoiceId);
  }

  /** Charges an intent with a method, as the method's action says. Undefined where it went through. */
  charge(intent: StripeObject, methodId: string, key: string): Refusal | undefined {
    const method = testMethods[methodId];
    const action: Action = method?.action ?? { kind: 'success' };
    intent.payment_method = methodId;
    if (action.kind === 'refuse') return action;
    if (action.kind === 'processing') {
      intent.status = 'processing';
      return undefined;
    }
    const isFirst = intent.latest_charge === null;
    const firstSaid = isFirst ? method?.firstDeclined : undefined;
    const said = action.kind === 'decline' ? action.said : firstSaid;
    const charge = this.#keep(
      chargeObject({
        id: this.nextId('ch'),
        created: this.seconds(),
        intent,
        methodId,
        brand: method?.brand ?? 'visa',
        ...(said !== undefined && { said }),
      }),
    );
    this.keys.set(charge.id, key);
    intent.latest_charge = charge.id;
    if (said === undefined) {
      intent.status = 'succeeded';
      intent.amount_received = intent.amount;
      this.#credit(intent);
      return undefined;
    }
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    const error = {
      type: 'card_error',
      code: said.code,
      message: said.message,
      charge: charge.id,
      doc_url: `https://stripe.com/docs/error-codes/${said.code}`,
      ...(said.declineCode !== undefined && { decline_code: said.declineCode }),
      ...(said.advice !== undefined && { advice_code: said.advice }),
      ...(said.networkCode !== undefined && { network_decline_code: said.networkCode }),
      ...(said.networkAdvice !== undefined && { network_advice_code: said.networkAdvice }),
      payment_method: this.objects.get(methodId),
    };
    intent.last_payment_error = error;
    return { status: 402, error: { ...error, payment_intent: { ...intent } } };
  }

  /** What a paid intent pays of the invoice that it is attached to. */
  #credit(intent: StripeObject): void {
    const payment = this.all('invoice_payment').find(
      (item) => (item.payment as { payment_intent: string }).payment_intent === intent.id,
    );
    const invoice = payment && this.find(String(payment.invoice), 'invoice');
    if (payment === undefined || invoice === undefined) return;
    payment.status = 'paid';
    payment.amount_paid = intent.amount;
    invoice.amount_paid = Number(invoice.amount_paid) + Number(intent.amount);
    invoice.amount_remaining = Number(invoice.amount_due) - Number(invoice.amount_paid);
    if (invoice.amount_remaining === 0) invoice.status = 'paid';
  }

  #keep(object: StripeObject): StripeObject {
    this.objects.set(object.id, object);
    return object;
  }
}

export function ownerOf(method: TestMethod): string | null {
  return method.customer === undefined ? 'cus_1' : method.customer;
}
