import { type Psp, pspFacts } from '../psps.ts';

/**
 * The invoice at the PSP that a reported invoice's id is, where the id alone says so: what lives there
 * is paid there, however it was reported.
 */
export function pspInvoiceIdOf(psp: Psp, invoiceId: string): string | undefined {
  return pspFacts[psp].invoices.ids?.test(invoiceId) ? invoiceId : undefined;
}
