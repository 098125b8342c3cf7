import type { Psp } from '../psps.ts';

/**
 * The invoice at the PSP that a reported invoice's id is, where the id alone says so: what lives there
 * is paid there, however it was reported. Stripe's ids begin with what they are of
 * (docs.stripe.com/api/invoices/object); no other PSP that is charged through here keeps invoices.
 */
export function pspInvoiceIdOf(psp: Psp, invoiceId: string): string | undefined {
  return psp === 'stripe' && /^in_[0-9A-Za-z]+$/.test(invoiceId) ? invoiceId : undefined;
}
