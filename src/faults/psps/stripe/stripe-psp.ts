import { createHmac } from 'node:crypto';
import { dayMs } from '../../../domain/clock.ts';
import type { WireAnswer, WireRequest, WireServer } from '../../wire/wire.ts';
import { json, type PspWorld } from '../psp-world.ts';
import { type FormObject, formAt, parseForm, textAt, textsAt, withMetadata } from './form.ts';
import { listed, type Refusal, StripeAccount } from './stripe-account.ts';
import { expanded, type StripeObject } from './stripe-objects.ts';

/** Stripe: several accounts, told apart by their keys, and a memory of 24 hours for each. */
export interface StripePsp extends WireServer {
  account(name: string): StripeAccount;
  /** Customers and their methods are moved to another account, under the same ids. */
  copyMethods(from: string, to: string): void;
  /** The header that signs an event for an account's endpoint. */
  signature(account: StripeAccount, body: string): string;
}

export function secretKeyOf(account: string): string {
  return `sk_live_${account}`;
}

export function webhookSecretOf(account: string): string {
  return `whsec_${account}`;
}

interface Remembered {
  readonly request: string;
  readonly atMs: number;
  readonly answer: WireAnswer;
}

type Outcome =
  | { readonly kind: 'object'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** How its errors are sent: with both of the fields that its SDK reads. */
function answerOf(refusal: Refusal): WireAnswer {
  return json(refusal.status, { error: refusal.error });
}

/** Each answer says when it was given, by Stripe's own clock. */
function dated(answer: WireAnswer, atMs: number): WireAnswer {
  return { ...answer, headers: { ...answer.headers, date: new Date(atMs).toUTCString() } };
}

export function createStripePsp(world: PspWorld, clockOffsetMs: number): StripePsp {
  const accounts = new Map<string, StripeAccount>();
  const memory = new Map<string, Remembered>();
  const clockMs = () => world.nowMs() + clockOffsetMs;

  function account(name: string): StripeAccount {
    const known = accounts.get(name) ?? new StripeAccount(world, name, clockMs);
    accounts.set(name, known);
    return known;
  }

  /** The first answer again for a key of less than 24 hours, a failure's too. */
  function remembered(place: string, request: string): WireAnswer | undefined {
    const known = memory.get(place);
    if (known === undefined || world.nowMs() - known.atMs >= dayMs) return undefined;
    if (known.request === request) {
      return {
        ...known.answer,
        headers: { ...known.answer.headers, 'idempotent-replayed': 'true' },
      };
    }
    const message = 'Keys for idempotent requests can only be used with the same parameters.';
    return json(400, { error: { type: 'idempotency_error', message } });
  }

  function handle(request: WireRequest, fault: Parameters<WireServer['handle']>[1]): WireAnswer {
    const failure = json(500, {
      error: { type: 'api_error', message: 'An unknown error occurred' },
    });
    const name = /^Bearer sk_live_(\w+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (name === undefined) {
      return json(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } });
    }
    const at = account(name);
    if (request.method === 'GET') {
      return fault === 'none' ? route(world, at, request) : failure;
    }
    const key = request.headers['idempotency-key'];
    const place = `${name} ${key}`;
    const text = `${request.path} ${request.body}`;
    const kept = key === undefined ? undefined : remembered(place, text);
    if (kept !== undefined) return kept;
    // A failure of Stripe's own is kept with the key: it may have come before the effect or after.
    const answer = fault === 'error_before' ? failure : route(world, at, request);
    const given = fault === 'none' ? answer : failure;
    const hasBegun = given.status < 400 || given.status === 402 || given.status >= 500;
    if (hasBegun && key !== undefined) {
      memory.set(place, { request: text, atMs: world.nowMs(), answer: given });
    }
    return given;
  }

  return {
    account,
    copyMethods(from, to) {
      const copied = [...account(from).all('customer'), ...account(from).all('payment_method')];
      for (const object of copied) account(to).objects.set(object.id, structuredClone(object));
    },
    handle: (request, fault) => dated(handle(request, fault), clockMs()),
    signature(of, body) {
      const at = Math.floor(clockMs() / 1_000);
      const signed = createHmac('sha256', webhookSecretOf(of.name)).update(`${at}.${body}`);
      return `t=${at},v1=${signed.digest('hex')}`;
    },
  };
}

function route(world: PspWorld, account: StripeAccount, request: WireRequest): WireAnswer {
  const url = new URL(request.path, 'http://stripe');
  const form = parseForm(request.method === 'GET' ? url.search.slice(1) : request.body);
  const outcome = outcomeOf(world, account, request, url.pathname, form);
  if (outcome.kind === 'refused') return answerOf(outcome.refusal);
  const body = withPayments(account, outcome.body, textsAt(form, 'expand'));
  return json(
    200,
    expanded((id) => account.find(id), body, textsAt(form, 'expand')),
  );
}

/** An invoice shows its payments only where they are asked for. */
function withPayments(account: StripeAccount, body: unknown, paths: readonly string[]): unknown {
  const object = body as StripeObject;
  const isAsked = paths.some((path) => path.startsWith('payments'));
  if (object.object !== 'invoice' || !isAsked) return body;
  const data = account.paymentsOf(object.id);
  return { ...object, payments: { object: 'list', data, has_more: false } };
}

function outcomeOf(
  world: PspWorld,
  account: StripeAccount,
  request: WireRequest,
  path: string,
  form: FormObject,
): Outcome {
  const [, , resource = '', id = '', action = ''] = path.split('/');
  const parts = [resource, id && ':id', action].filter((part) => part !== '');
  const by = {
    origin: 'ours',
    key: request.headers['idempotency-key'] ?? '',
    sentMs: request.sentMs,
  } as const;
  switch (`${request.method} ${parts.join('/')}`) {
    case 'GET account':
      return found({ id: account.name, object: 'account', charges_enabled: true });
    case 'POST payment_intents': {
      const methodId = textAt(form, 'payment_method') ?? null;
      const intent = account.makeIntent({
        amount: Number(textAt(form, 'amount')),
        currency: textAt(form, 'currency') ?? '',
        customer: textAt(form, 'customer') ?? null,
        methodId,
        metadata: formAt(form, 'metadata'),
      });
      if (textAt(form, 'confirm') !== 'true' || methodId === null) return found(intent);
      return charged(account, intent, methodId, by, intent);
    }
    case 'POST payment_intents/:id':
      return updateIntent(account, id, form);
    case 'POST payment_intents/:id/confirm': {
      const intent = account.find(id, 'payment_intent');
      if (intent === undefined) return noSuch('payment_intent');
      if (intent.status === 'succeeded') {
        return refused(400, { code: 'payment_intent_unexpected_state', message: 'It succeeded.' });
      }
      return charged(account, intent, String(intent.payment_method), by, intent);
    }
    case 'POST invoices/:id':
      return updateInvoice(account, id, form);
    case 'POST invoices/:id/pay':
      return payInvoice(account, id, form, by);
    case 'POST invoices/:id/attach_payment':
      return attachPayment(account, id, form);
    case 'GET payment_intents/:id':
      return id === 'search' ? searched(world, account, form) : one(account, id);
    case 'GET payment_intents':
    case 'GET charges':
    case 'GET invoices':
    case 'GET invoice_payments':
    case 'GET subscriptions':
    case 'GET customers':
    case 'GET events':
      noteLookUp(world, account, resource, form);
      return found(listed(account, resource, form));
    default:
      return request.method === 'GET' && id !== '' ? one(account, id) : noSuch(resource);
  }
}

/** An intent may be changed until it is confirmed. */
function updateIntent(account: StripeAccount, id: string, form: FormObject): Outcome {
  const intent = account.find(id, 'payment_intent');
  if (intent === undefined) return noSuch('payment_intent');
  if (intent.status !== 'requires_confirmation') {
    return refused(400, { code: 'payment_intent_unexpected_state', message: 'It was confirmed.' });
  }
  intent.amount = Number(textAt(form, 'amount') ?? intent.amount);
  intent.payment_method = textAt(form, 'payment_method') ?? intent.payment_method;
  intent.metadata = withMetadata(intent.metadata as Record<string, string>, form);
  return found(intent);
}

/** Of a finalised invoice the metadata alone may be changed; what is not named stays. */
function updateInvoice(account: StripeAccount, id: string, form: FormObject): Outcome {
  const invoice = account.find(id, 'invoice');
  if (invoice === undefined) return noSuch('invoice');
  invoice.metadata = withMetadata(invoice.metadata as Record<string, string>, form);
  return found(invoice);
}

/** Questions for an invoice's or a customer's charges are meant for one charge of ours. */
function noteLookUp(world: PspWorld, account: StripeAccount, resource: string, form: FormObject) {
  const of = textAt(form, 'customer') ?? textAt(form, 'invoice') ?? textAt(form, 'payment_intent');
  if (of === undefined) return;
  const key = `${resource}:${of}`;
  world.record.lookUps.push({ psp: 'stripe', account: account.name, key, atMs: world.nowMs() });
}

function charged(
  account: StripeAccount,
  intent: StripeObject,
  methodId: string,
  by: Parameters<StripeAccount['charge']>[2],
  body: StripeObject,
): Outcome {
  if (account.find(methodId, 'payment_method') === undefined) return noSuch('payment_method');
  const refusal = account.charge(intent, methodId, by);
  return refusal === undefined ? found(body) : { kind: 'refused', refusal };
}

function payInvoice(
  account: StripeAccount,
  id: string,
  form: FormObject,
  by: Parameters<StripeAccount['charge']>[2],
): Outcome {
  const invoice = account.find(id, 'invoice');
  const intent = account.defaultIntentOf(id);
  if (invoice === undefined || intent === undefined) return noSuch('invoice');
  if (invoice.status === 'paid') return refused(400, { message: 'Invoice is already paid' });
  const methodId = textAt(form, 'payment_method') ?? '';
  intent.amount = invoice.amount_remaining;
  return charged(account, intent, methodId, by, invoice);
}

function attachPayment(account: StripeAccount, id: string, form: FormObject): Outcome {
  const invoice = account.find(id, 'invoice');
  const intent = account.find(textAt(form, 'payment_intent') ?? '', 'payment_intent');
  if (invoice === undefined || intent === undefined) return noSuch('invoice');
  if (Number(intent.amount) > Number(invoice.amount_remaining)) {
    return refused(400, { message: 'The amount is above what remains.' });
  }
  account.attach(invoice, intent);
  return found(invoice);
}

function searched(world: PspWorld, account: StripeAccount, form: FormObject): Outcome {
  const [, key, value] = /^metadata\['(\w+)'\]:'(.*)'$/.exec(textAt(form, 'query') ?? '') ?? [];
  if (key === undefined) return refused(400, { message: 'We were unable to parse your query.' });
  const sought = value ?? '';
  world.record.lookUps.push({
    psp: 'stripe',
    account: account.name,
    key: sought,
    atMs: world.nowMs(),
  });
  const data = account
    .all('payment_intent')
    .filter((item) => (item.metadata as Record<string, string>)[key] === value);
  return found({ object: 'search_result', data, has_more: false });
}

function one(account: StripeAccount, id: string): Outcome {
  const object = account.find(id);
  return object === undefined ? noSuch(id) : found(object);
}

function found(body: unknown): Outcome {
  return { kind: 'object', body };
}

function noSuch(what: string): Outcome {
  return refused(404, { code: 'resource_missing', message: `No such ${what}` });
}

function refused(status: number, error: Readonly<Record<string, string>>): Outcome {
  const type = 'invalid_request_error';
  return { kind: 'refused', refusal: { status, error: { type, ...error } } };
}
