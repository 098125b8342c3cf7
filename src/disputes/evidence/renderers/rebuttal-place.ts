import type { Psp } from '../../../domain/psps.ts';
import { charactersIn } from '../../added/rebuttal.ts';

/** Where a PSP takes a rebuttal. */
export interface RebuttalPlace {
  /** In words, behind "goes to". */
  readonly field: string;
  /** Characters of the PSP's own field; absent: the PDF is all that takes it, whatever its length. */
  readonly limit?: number;
}

const document: RebuttalPlace = { field: 'the PDF of the evidence' };

/**
 * Sources: Stripe, dispute evidence; PayPal, Customer Disputes v1, evidence (`notes`); Braintree publishes no
 * limit, this one is ours; Checkout.com and Adyen have the PDF.
 */
const places: Readonly<Partial<Record<Psp, RebuttalPlace>>> = {
  stripe: { field: 'uncategorized_text', limit: 20_000 },
  braintree: { field: 'text evidence of the category GENERAL', limit: 20_000 },
  paypal: { field: 'the notes of MERCHANT_RESPONSE', limit: 2_000 },
};

export function rebuttalPlace(psp: Psp): RebuttalPlace {
  return places[psp] ?? document;
}

/** Where a rebuttal of this length goes, in a sentence: one that a PSP's field does not hold is in the PDF alone. */
export function rebuttalPlaceText(psp: Psp, text: string): string {
  const { field, limit } = rebuttalPlace(psp);
  if (limit === undefined || charactersIn(text) <= limit) return `It goes to ${field}.`;
  return `It is longer than the ${limit} characters of ${field}: it goes to ${document.field}.`;
}
