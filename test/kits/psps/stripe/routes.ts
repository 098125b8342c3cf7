import { type FormObject, formAt, textAt } from '../../../../src/faults/psps/stripe/form.ts';
import { answerDispute } from './disputes.ts';
import { testMethods } from './methods.ts';
import type { StripeObject } from './objects.ts';
import { byItself, type Refusal, type StripeWorld } from './world.ts';

/** What a route makes of a request: an object, a list, or an error. */
export type Outcome =
  | { readonly kind: 'object'; readonly body: unknown; readonly methodId?: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly methodId?: string };

export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly form: FormObject;
  readonly idempotencyKey: string;
}

/** Answers a request that was let in. */
export function answerRoute(world: StripeWorld, request: StripeRequest): Outcome {
  const { method, path, form } = request;
  const [, , resource = '', id = '', action = ''] = path.split('/');
  const parts = [resource, id && ':id', action].filter((part) => part !== '');
  const route = `${method} ${parts.join('/')}`;
  switch (route) {
    case 'GET account':
      return found({ ...accountObject, id: world.accountId });
    case 'GET disputes/:id':
    case 'POST disputes/:id':
    case 'POST disputes/:id/close':
      return answerDispute(world.disputes, request, id);
    case 'POST payment_intents':
      return createIntent(world, request);
    case 'POST payment_intents/:id':
      return updateIntent(world, request, id);
    case 'POST payment_intents/:id/confirm':
      return confirmIntent(world, request, world.find(id, 'payment_intent'), id);
    case 'POST refunds':
      return refundCharge(world, request);
    case 'POST invoices/:id':
      return updateInvoice(world, request, id);
    case 'POST invoices/:id/pay':
      return payInvoice(world, request, id);
    case 'POST invoices/:id/attach_payment':
      return attachPayment(world, request, id);
    case 'GET payment_intents/:id':
      return id === 'search' ? searchIntents(world, form) : one(world, id, 'payment_intent');
    case 'GET payment_intents':
    case 'GET charges':
    case 'GET refunds':
    case 'GET invoices':
    case 'GET invoice_payments':
    case 'GET subscriptions':
    case 'GET customers':
      return listed(world, resource, form);
    case 'GET events':
      return chargeEvents(world, form);
    case 'GET payment_methods/:id':
    case 'GET charges/:id':
    case 'GET invoices/:id':
    case 'GET subscriptions/:id':
    case 'GET customers/:id':
      return one(world, id, resource.slice(0, -1));
    default:
      return refused(404, { message: `Unrecognized request URL (${method}: ${path}).` });
  }
}

const accountObject = {
  object: 'account',
  business_type: 'company',
  charges_enabled: true,
  country: 'DE',
  default_currency: 'eur',
  details_submitted: true,
  payouts_enabled: true,
  settings: { dashboard: { display_name: 'Test shop', timezone: 'Etc/UTC' } },
  type: 'standard',
};

function createIntent(world: StripeWorld, request: StripeRequest): Outcome {
  const { form } = request;
  for (const param of ['amount', 'currency'] as const) {
    if (textAt(form, param) === undefined) return missing(param);
  }
  const amount = Number(textAt(form, 'amount'));
  if (!Number.isInteger(amount) || amount < 1) {
    return refused(400, {
      code: 'parameter_invalid_integer',
      param: 'amount',
      message: 'Invalid integer',
    });
  }
  const methodId = textAt(form, 'payment_method') ?? null;
  const customer = textAt(form, 'customer') ?? null;
  const fault = methodFault(world, methodId, customer);
  if (fault !== undefined) return fault;
  const intent = world.makeIntent({
    amount,
    currency: textAt(form, 'currency') ?? '',
    customer,
    methodId,
    metadata: formAt(form, 'metadata') as Record<string, string>,
  });
  if (textAt(form, 'confirm') !== 'true') return found(intent);
  const outcome = confirmIntent(world, request, intent, intent.id);
  // What is refused at once, or breaks before it began, leaves no intent behind.
  const isRefused = outcome.kind === 'refused' && outcome.refusal.status !== 402;
  if (isRefused || breaksBefore(methodId)) world.objects.delete(intent.id);
  return outcome;
}

function methodFault(
  world: StripeWorld,
  methodId: string | null,
  customer: string | null,
): Outcome | undefined {
  if (methodId === null) return undefined;
  const method = world.find(methodId, 'payment_method');
  if (method === undefined) {
    return refused(400, {
      code: 'resource_missing',
      param: 'payment_method',
      message: `No such PaymentMethod: '${methodId}'`,
    });
  }
  if (method.customer === customer || method.customer === null) return undefined;
  return refused(400, {
    message: 'The payment method supplied belongs to a Customer. Please include the Customer.',
  });
}

function updateIntent(world: StripeWorld, { form }: StripeRequest, id: string): Outcome {
  const intent = world.find(id, 'payment_intent');
  if (intent?.status !== 'requires_confirmation') {
    return refused(400, { code: 'payment_intent_unexpected_state', message: 'Not changeable.' });
  }
  intent.amount = Number(textAt(form, 'amount') ?? intent.amount);
  intent.payment_method = textAt(form, 'payment_method') ?? intent.payment_method;
  return found(intent);
}

function confirmIntent(
  world: StripeWorld,
  request: StripeRequest,
  intent: StripeObject | undefined,
  id: string,
): Outcome {
  if (intent === undefined) return noSuch('payment_intent', id);
  const methodId = textAt(request.form, 'payment_method') ?? String(intent.payment_method);
  if (intent.status === 'succeeded') {
    return refused(400, {
      code: 'payment_intent_unexpected_state',
      message: 'This PaymentIntent has already succeeded.',
    });
  }
  return charged(world, intent, methodId, request.idempotencyKey, intent);
}

function charged(
  world: StripeWorld,
  intent: StripeObject,
  methodId: string,
  key: string,
  body: StripeObject,
): Outcome {
  if (breaksBefore(methodId)) return { kind: 'object', body, methodId };
  const refusal = world.charge(intent, methodId, key);
  return refusal === undefined
    ? { kind: 'object', body, methodId }
    : { kind: 'refused', refusal, methodId };
}

/** Whether the connection breaks, or Stripe does, before the charge began. */
function breaksBefore(methodId: string | null): boolean {
  const fault = testMethods[methodId ?? '']?.fault;
  return fault === 'break_before' || fault === 'error_500_before';
}

function payInvoice(world: StripeWorld, request: StripeRequest, id: string): Outcome {
  const invoice = world.find(id, 'invoice');
  if (invoice === undefined) return noSuch('invoice', id);
  if (invoice.status === 'paid') return refused(400, { message: 'Invoice is already paid' });
  const methodId = textAt(request.form, 'payment_method') ?? textAt(request.form, 'source');
  if (methodId === undefined) return missing('payment_method');
  const fault = methodFault(world, methodId, String(invoice.customer));
  if (fault !== undefined) return fault;
  const payment = world.paymentsOf(id).find((item) => item.is_default === true);
  const reference = payment?.payment as { payment_intent: string };
  const intent = world.find(reference.payment_intent, 'payment_intent');
  if (intent === undefined) return noSuch('payment_intent', reference.payment_intent);
  intent.amount = invoice.amount_remaining;
  return charged(world, intent, methodId, request.idempotencyKey, invoice);
}

function refundCharge(world: StripeWorld, { form }: StripeRequest): Outcome {
  const intent = world.find(textAt(form, 'payment_intent') ?? '', 'payment_intent');
  const id = textAt(form, 'charge') ?? String(intent?.latest_charge);
  const charge = world.find(id, 'charge');
  if (charge === undefined) return noSuch('charge', id);
  const amount = Number(textAt(form, 'amount') ?? charge.amount);
  const left = Number(charge.amount_captured) - Number(charge.amount_refunded);
  if (left === 0) {
    return refused(400, {
      code: 'charge_already_refunded',
      message: `Charge ${id} has already been refunded.`,
    });
  }
  if (amount > left) {
    return refused(400, { message: 'Refund amount is greater than unrefunded amount on charge.' });
  }
  charge.amount_refunded = Number(charge.amount_refunded) + amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const refund = {
    id: world.nextId('re'),
    object: 'refund',
    created: world.seconds(),
    amount,
    charge: id,
    payment_intent: charge.payment_intent,
    metadata: formAt(form, 'metadata'),
    status: 'succeeded',
  };
  world.objects.set(refund.id, refund);
  return found(refund);
}

function updateInvoice(world: StripeWorld, { form }: StripeRequest, id: string): Outcome {
  const invoice = world.find(id, 'invoice');
  if (invoice === undefined) return noSuch('invoice', id);
  const given = formAt(form, 'metadata') as Record<string, string>;
  invoice.metadata = { ...(invoice.metadata as Record<string, string>), ...given };
  return found(invoice);
}

function attachPayment(world: StripeWorld, { form }: StripeRequest, id: string): Outcome {
  const invoice = world.find(id, 'invoice');
  const intent = world.find(textAt(form, 'payment_intent') ?? '', 'payment_intent');
  if (invoice === undefined) return noSuch('invoice', id);
  if (intent === undefined) return missing('payment_intent');
  if (intent.customer !== invoice.customer || intent.currency !== invoice.currency) {
    return refused(400, { message: 'The PaymentIntent is of another customer or currency.' });
  }
  if (Number(intent.amount) > Number(invoice.amount_remaining)) {
    return refused(400, { message: 'The amount is above what remains.' });
  }
  world.attach(invoice, intent);
  return found(invoice);
}

function listed(world: StripeWorld, resource: string, form: FormObject): Outcome {
  const since = Number(textAt(formAt(form, 'created'), 'gte') ?? 0);
  const before = Number(textAt(formAt(form, 'created'), 'lt') ?? Number.MAX_SAFE_INTEGER);
  const filters = ['customer', 'invoice', 'payment_intent', 'charge'].filter(
    (name) => textAt(form, name) !== undefined,
  );
  const all = world
    .all(resource.slice(0, -1))
    .filter((item) => filters.every((name) => item[name] === textAt(form, name)))
    .filter((item) => Number(item.created) >= since && Number(item.created) < before)
    .filter((item) => isPaidBy(item, textAt(formAt(form, 'payment'), 'payment_intent')))
    .toReversed();
  const after = textAt(form, 'starting_after');
  const from = after === undefined ? 0 : all.findIndex((item) => item.id === after) + 1;
  const limit = Number(textAt(form, 'limit') ?? 10);
  const data = all.slice(from, from + limit);
  return found({
    object: 'list',
    data,
    has_more: from + limit < all.length,
    url: `/v1/${resource}`,
  });
}

/** The events of charges, each with the key of the request that made it; none for Stripe's own tries. */
function chargeEvents(world: StripeWorld, form: FormObject): Outcome {
  const { data } = (listed(world, 'charges', form) as { body: { data: readonly StripeObject[] } })
    .body;
  const events = data.map((charge) => {
    const key = world.keys.get(charge.id);
    return {
      id: `evt_${charge.id}`,
      object: 'event',
      created: charge.created,
      data: { object: charge },
      request: { id: null, idempotency_key: key === byItself ? null : key },
      type: charge.status === 'succeeded' ? 'charge.succeeded' : 'charge.failed',
    };
  });
  return found({ object: 'list', data: events, has_more: false, url: '/v1/events' });
}

/** Whether a payment of an invoice is of this intent; any is where none was asked for. */
function isPaidBy(item: StripeObject, intentId: string | undefined): boolean {
  if (intentId === undefined) return true;
  return (item.payment as { payment_intent?: string } | undefined)?.payment_intent === intentId;
}

function searchIntents(world: StripeWorld, form: FormObject): Outcome {
  const [, key, value] = /^metadata\['(\w+)'\]:'(.*)'$/.exec(textAt(form, 'query') ?? '') ?? [];
  if (key === undefined) return refused(400, { message: 'We were unable to parse your query.' });
  const data = world
    .all('payment_intent')
    .filter((item) => (item.metadata as Record<string, string>)[key] === value);
  return found({
    object: 'search_result',
    data,
    has_more: false,
    url: '/v1/payment_intents/search',
  });
}

function one(world: StripeWorld, id: string, type: string): Outcome {
  const object = world.find(id, type);
  return object === undefined ? noSuch(type, id) : found(object);
}

function found(body: unknown): Outcome {
  return { kind: 'object', body };
}

function noSuch(type: string, id: string): Outcome {
  return refused(404, {
    code: 'resource_missing',
    param: 'id',
    message: `No such ${type}: '${id}'`,
  });
}

function missing(param: string): Outcome {
  return refused(400, {
    code: 'parameter_missing',
    param,
    message: `Missing required param: ${param}.`,
  });
}

function refused(status: number, error: Readonly<Record<string, string>>): Outcome {
  return {
    kind: 'refused',
    refusal: { status, error: { type: 'invalid_request_error', ...error } },
  };
}
