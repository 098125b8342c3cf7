/** Every payment service provider that a merchant may name, in both APIs. */
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

/**
 * PSPs through which Recoup can never charge: it reads PayPal's disputes only, and Recurly and Recharge
 * are subscription platforms, which charge through a PSP of the merchant's.
 */
export const neverCharged: readonly Psp[] = ['paypal', 'recurly', 'recharge'];

/** Those of them that can be connected for what they tell of disputes. */
export const disputeSources: readonly Psp[] = ['paypal'];

/** What an account at a PSP is for: `unknown` where neither its credentials nor the PSP say. */
export const accountModes = ['live', 'test', 'sandbox', 'unknown'] as const;
export type AccountMode = (typeof accountModes)[number];
