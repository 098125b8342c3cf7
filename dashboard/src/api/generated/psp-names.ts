// Generated from the facts of each processor by npm run generate; do not edit.

/** A processor by its id, as it stands in a sentence. */
export const pspNames: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  adyen: 'Adyen',
  braintree: 'Braintree',
  worldpay: 'Worldpay',
  checkout: 'Checkout.com',
  paypal: 'PayPal',
  recurly: 'Recurly',
  recharge: 'Recharge',
  sandbox: 'the sandbox',
};
