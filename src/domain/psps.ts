import { adyenFacts } from './psps/adyen/facts.ts';
import { braintreeFacts } from './psps/braintree/facts.ts';
import { checkoutFacts } from './psps/checkout/facts.ts';
import { paypalFacts } from './psps/paypal/facts.ts';
import type { PspFacts } from './psps/psp-facts.ts';
import { rechargeFacts } from './psps/recharge/facts.ts';
import { recurlyFacts } from './psps/recurly/facts.ts';
import { sandboxFacts } from './psps/sandbox/facts.ts';
import { stripeFacts } from './psps/stripe/facts.ts';
import { worldpayFacts } from './psps/worldpay/facts.ts';

/** Every payment service provider that a merchant may name, in both APIs and in their documents' order. */
export const psps = [
  'stripe',
  'adyen',
  'braintree',
  'worldpay',
  'checkout',
  'paypal',
  'recurly',
  'recharge',
  'sandbox',
] as const;
export type Psp = (typeof psps)[number];

/** In the order of docs/settings.md. */
const facts = {
  stripe: stripeFacts,
  adyen: adyenFacts,
  braintree: braintreeFacts,
  checkout: checkoutFacts,
  worldpay: worldpayFacts,
  paypal: paypalFacts,
  recurly: recurlyFacts,
  recharge: rechargeFacts,
  sandbox: sandboxFacts,
} satisfies Record<Psp, PspFacts>;

/** What is known of each one: the only place where they are told apart outside `src/psp/`. */
export const pspFacts: Readonly<Record<Psp, PspFacts>> = facts;

/** The PSPs whose facts have this, so that a list of them which lacks one does not compile. */
type PspWith<Fact> = {
  readonly [Name in Psp]: (typeof facts)[Name] extends Fact ? Name : never;
}[Psp];

/** Those that are called at an address outside: each has an adapter and a setting for it. */
export type OutsidePsp = PspWith<{ readonly connects: 'charges' | 'disputes' }>;

/** Those that take evidence in fields of their own: each has a renderer. */
export type FieldsPsp = PspWith<{ readonly evidence: { readonly form: 'fields' } }>;

export const outsidePsps: readonly OutsidePsp[] = (Object.keys(facts) as Psp[]).filter(
  (psp): psp is OutsidePsp => ['charges', 'disputes'].includes(pspFacts[psp].connects),
);

/** Those through which Recoup can never charge. */
export const neverCharged: readonly Psp[] = psps.filter((psp) =>
  ['disputes', 'never'].includes(pspFacts[psp].connects),
);

/** What an account at a PSP is for: `unknown` where neither its credentials nor the PSP say. */
export const accountModes = ['live', 'test', 'sandbox', 'unknown'] as const;
export type AccountMode = (typeof accountModes)[number];
