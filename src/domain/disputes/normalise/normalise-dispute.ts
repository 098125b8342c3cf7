import type { Psp } from '../../psps.ts';
import { adyenDisputes } from './adyen-disputes.ts';
import { braintreeDisputes } from './braintree-disputes.ts';
import { checkoutDisputes } from './checkout-disputes.ts';
import type { DisputeState } from './dispute-state.ts';
import { paypalDisputes } from './paypal-disputes.ts';
import type { PspDisputeSaid, PspDisputes } from './psp-dispute-rows.ts';
import { stripeDisputes } from './stripe-disputes.ts';
import { worldpayDisputes } from './worldpay-disputes.ts';

/** The PSPs whose disputes are read. */
export const pspDisputes: Readonly<Partial<Record<Psp, PspDisputes>>> = {
  stripe: stripeDisputes,
  adyen: adyenDisputes,
  braintree: braintreeDisputes,
  checkout: checkoutDisputes,
  paypal: paypalDisputes,
  worldpay: worldpayDisputes,
};

const fields = ['event', 'stage', 'status', 'outcome', 'program'] as const;

/** Where a dispute stands; undefined for words that no row of the PSP knows. */
export function normaliseDispute(psp: Psp, said: PspDisputeSaid): DisputeState | undefined {
  return pspDisputes[psp]?.rows.find(({ when }) =>
    fields.every((field) => {
      const word = when[field];
      return word === undefined || plain(word) === plain(said[field] ?? '');
    }),
  )?.state;
}

/** Client libraries change the case of such words, and PSPs' examples have blanks around them. */
function plain(word: string): string {
  return word.trim().toLowerCase();
}
