import { present } from '../../domain/present.ts';
import { type OutsidePsp, outsidePsps } from '../../domain/psps.ts';
import type { AdapterOptions, PspAdapter } from '../../psp/adapter.ts';
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

const creators: Readonly<Record<OutsidePsp, (options: AdapterOptions) => PspAdapter>> = {
  stripe: createStripeAdapter,
  adyen: createAdyenAdapter,
  braintree: createBraintreeAdapter,
  checkout: createCheckoutAdapter,
  worldpay: createWorldpayAdapter,
  paypal: createPaypalAdapter,
};

export function createPspAdapters({
  config,
  clock,
  simulated,
}: Pick<AppContext, 'config' | 'clock' | 'simulated'>): PspAdapters {
  const options = (baseUrl: string | undefined) => ({
    deadlineMs: config.pspTimeoutMs,
    clock,
    ...(simulated !== undefined && { reach: simulated.reach }),
    ...present({ baseUrl }),
  });
  const adapters = outsidePsps.map((psp) => creators[psp](options(config[`${psp}Url`])));
  return {
    adapters,
    async close() {
      await Promise.all(adapters.map((adapter) => adapter.close()));
    },
  };
}
