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

/** PSPs that can be connected for what they tell of disputes: Recoup charges nothing there. */
export const disputeSources: readonly Psp[] = ['paypal'];
