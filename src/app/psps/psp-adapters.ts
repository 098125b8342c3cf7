import type { PspAdapter } from '../../psp/adapter.ts';
import { createAdyenAdapter } from '../../psp/adyen/adapter.ts';
import { createBraintreeAdapter } from '../../psp/braintree/adapter.ts';
import { createCheckoutAdapter } from '../../psp/checkout/adapter.ts';
import { createPaypalAdapter } from '../../psp/paypal/adapter.ts';
import { createStripeAdapter } from '../../psp/stripe/adapter.ts';
import { createWorldpayAdapter } from '../../psp/worldpay/adapter.ts';
import type { AppContext, Closable } from '../context.ts';

/** Every processor outside, whatever this process's roles: one charges, one tests, one listens. */
export interface PspAdapters extends Closable {
  readonly adapters: readonly PspAdapter[];
}

export function createPspAdapters({
  config,
  clock,
  simulated,
}: Pick<AppContext, 'config' | 'clock' | 'simulated'>): PspAdapters {
  const options = (baseUrl: string | undefined) => ({
    deadlineMs: config.pspTimeoutMs,
    clock,
    ...(simulated === undefined ? {} : { reach: simulated.reach }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  const adapters = [
    createStripeAdapter(options(config.stripeUrl)),
    createAdyenAdapter(options(config.adyenUrl)),
    createBraintreeAdapter(options(config.braintreeUrl)),
    createCheckoutAdapter(options(config.checkoutUrl)),
    createWorldpayAdapter(options(config.worldpayUrl)),
    createPaypalAdapter(options(config.paypalUrl)),
  ];
  return {
    adapters,
    async close() {
      await Promise.all(adapters.map((adapter) => adapter.close()));
    },
  };
}
