import type Stripe from 'stripe';
import { present } from '../../domain/present.ts';
import type { CredentialsCheck } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import type { StripeClient } from './client.ts';
import { type Failure, failureReason, missingPermission } from './failures.ts';

type Call = (stripe: Stripe, options: Stripe.RequestOptions) => Promise<unknown>;

type Probe = readonly [permission: string, call: Call];

/** What a key must be allowed, each with a call that shows it and moves nothing. */
const probes: readonly Probe[] = [
  // Without an amount Stripe refuses the intent, but only where the key may make one.
  [
    'rak_payment_intent_write',
    (stripe, options) => stripe.rawRequest('POST', '/v1/payment_intents', {}, options),
  ],
  ['rak_charge_read', (stripe, options) => stripe.charges.list({ limit: 1 }, options)],
  // There is no such invoice, which Stripe says only where the key may pay one.
  [
    'rak_invoice_write',
    (stripe, options) => stripe.rawRequest('POST', '/v1/invoices/in_recoup_probe/pay', {}, options),
  ],
  [
    'rak_invoice_payment_read',
    (stripe, options) => stripe.invoicePayments.list({ limit: 1 }, options),
  ],
  ['rak_subscription_read', (stripe, options) => stripe.subscriptions.list({ limit: 1 }, options)],
  ['rak_customer_read', (stripe, options) => stripe.customers.list({ limit: 1 }, options)],
];

/** What everything else works without, and what does not. */
const warned: readonly (readonly [probe: Probe, words: string])[] = [
  // Charges and Refunds, write. Without a charge Stripe refuses the refund, but only where the key may make one.
  [
    [
      'rak_charge_write',
      (stripe, options) => stripe.rawRequest('POST', '/v1/refunds', {}, options),
    ],
    'The key may make no refunds of incidents',
  ],
  [
    ['rak_event_read', (stripe, options) => stripe.events.list({ limit: 1 }, options)],
    "The key may not read which charges of an invoice are ours and which Stripe's own",
  ],
];

/** Asks Stripe whose key this is, and a restricted one whether it may do what Recoup does. */
export async function checkStripeCredentials(
  client: StripeClient,
  credentials: PspCredentials,
  timeoutMs: number,
): Promise<CredentialsCheck> {
  const secretKey = credentials.secret_key ?? '';
  if (!/^(sk|rk)_/.test(secretKey)) {
    return {
      kind: 'refused',
      reason: 'secret_key must be a secret key (sk_…) or a restricted key (rk_…), not another key.',
    };
  }
  const read = await client.ask(timeoutMs, (stripe, options) =>
    stripe.accounts.retrieveCurrent({}, options),
  );
  const isRestricted = secretKey.startsWith('rk_');
  // A restricted key may do without reading the account; what it needs is asked for below.
  const isWithheld = read.kind === 'refused' && read.status === 403 && isRestricted;
  if (read.kind !== 'answered' && !isWithheld) return refusal(read);
  const account = read.kind === 'answered' ? fieldsOf(read.value) : undefined;
  if (read.kind === 'answered' && idOf(account?.id) === undefined) {
    return { kind: 'unreachable', reason: 'What answered does not speak as Stripe does.' };
  }
  const warnings = [...warningsOf(account, credentials)];
  if (isRestricted) {
    const lacking = await lackingPermissions(client, probes, timeoutMs);
    if (lacking.kind !== 'known') return lacking;
    if (lacking.permissions.length > 0) {
      const names = lacking.permissions.join(', ');
      return { kind: 'refused', reason: `Give the restricted key these permissions: ${names}.` };
    }
    for (const [probe, words] of warned) {
      const less = await lackingPermissions(client, [probe], timeoutMs);
      if (less.kind !== 'known') return less;
      const [permission] = less.permissions;
      if (permission !== undefined) warnings.push(`${words}: give it ${permission}.`);
    }
  }
  const name = accountName(account);
  const accountId = idOf(account?.id);
  return {
    kind: 'accepted',
    ...present({ account: name, accountId }),
    ...(warnings.length > 0 && { warnings }),
  };
}

type Lacking =
  | { readonly kind: 'known'; readonly permissions: readonly string[] }
  | Exclude<CredentialsCheck, { kind: 'accepted' }>;

async function lackingPermissions(
  client: StripeClient,
  asked: readonly Probe[],
  timeoutMs: number,
): Promise<Lacking> {
  const answers = await Promise.all(asked.map(([, call]) => client.ask(timeoutMs, call)));
  const permissions: string[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.kind === 'answered') continue;
    if (answer.kind !== 'refused' || answer.status >= 429 || answer.status === 401)
      return refusal(answer);
    if (answer.status !== 403) continue;
    permissions.push(missingPermission(answer.error) ?? asked[index]?.[0] ?? 'unknown');
  }
  return { kind: 'known', permissions };
}

function refusal(failure: Failure): Exclude<CredentialsCheck, { kind: 'accepted' }> {
  const reason = failureReason(failure);
  if (failure.kind === 'refused' && failure.status === 401) {
    return { kind: 'refused', reason: `Stripe does not know this secret_key (${reason}).` };
  }
  if (failure.kind === 'refused' && failure.status === 403) {
    return {
      kind: 'refused',
      reason: `The key may not do this; check account and its permissions (${reason}).`,
    };
  }
  return { kind: 'unreachable', reason };
}

function accountName(account: Fields | undefined): string | undefined {
  const dashboard = fieldsOf(fieldsOf(account?.settings)?.dashboard);
  const name = textOf(dashboard?.display_name);
  const id = idOf(account?.id);
  return name === undefined || id === undefined ? id : `${name} (${id})`;
}

function warningsOf(account: Fields | undefined, credentials: PspCredentials): readonly string[] {
  return [
    ...(account?.charges_enabled === false
      ? ['Stripe has not enabled charges for this account yet.']
      : []),
    ...(credentials.webhook_secret === undefined
      ? ['Without webhook_secret no webhook of Stripe is taken.']
      : []),
  ];
}
