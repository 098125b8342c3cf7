import type { IncidentJson } from '../../api/generated/incidents.ts';
import { formatAmount } from '../../parts/format-amount.ts';
import { pspName, pspTitle } from '../../parts/psp-name.ts';

/** What an incident means, in a sentence: of one that is resolved, what it meant when it was found. */
export function meaningOf({ kind, psp, state }: IncidentJson): string {
  const isResolved = state === 'refunded' || state === 'dismissed';
  const [has, is, reports] = isResolved ? ['had', 'was', 'reported'] : ['has', 'is', 'reports'];
  switch (kind) {
    case 'contradiction':
      return `${pspTitle(psp)} ${reports} the opposite of what ${is} recorded here for this charge.`;
    case 'two_successes':
      return 'Two charges of this debt succeeded: the payer may have paid twice.';
    case 'amount_differs':
      return `The charge at ${pspName(psp)} ${has} a different amount or currency from what was sent.`;
    case 'mode_differs':
      return 'A test charge went through a live connection, or the other way round.';
    case 'missing_at_psp':
      return `This charge ${is} recorded here as made, and ${is} not in the list of ${pspName(psp)}.`;
    case 'missing_here':
      return `The list of ${pspName(psp)} ${has} this charge, but it ${is} not recorded here.`;
    case 'state_differs':
      return `The list of ${pspName(psp)} ${has} this charge in a different state from the one recorded here.`;
  }
}

/** What holds until a person decides, or what was decided. */
export function consequenceOf({ state, kind, invoice_id: invoiceId, psp }: IncidentJson): string {
  switch (state) {
    case 'open':
      if (invoiceId === undefined && kind === 'missing_here') {
        return 'It matches no debt here, so nothing is frozen. If its debt is reported later, for example again after a restored backup, the next comparison closes this incident once the charge is on record.';
      }
      return invoiceId === undefined
        ? 'It matches no debt here, so nothing is frozen.'
        : 'Its invoice is frozen: nothing is charged for it until this is decided.';
    case 'refunding':
      return `The refund was requested from ${pspName(psp)} and is not confirmed yet. Until it is, nothing is charged for the invoice.`;
    case 'refunded':
      return 'The money was refunded.';
    case 'dismissed':
      return 'It was left as it is.';
  }
}

export type Money = { readonly words: string } | { readonly missing: string };

/** The money that a refund gives back, or why there is none to give. */
export function refundable({ theirs, ours, psp }: IncidentJson): Money {
  const id = theirs?.psp_transaction_id ?? ours?.psp_transaction_id;
  if (theirs?.state !== 'succeeded' || id === undefined) {
    return {
      missing: `According to ${pspName(psp)}, no money was taken for this charge: there is nothing to refund.`,
    };
  }
  const amount = theirs.amount ?? ours?.amount;
  const currency = theirs.currency ?? ours?.currency;
  if (amount === undefined || currency === undefined) {
    return {
      missing: `How much was taken is not known: refund it at ${pspName(psp)}, then dismiss this.`,
    };
  }
  return { words: formatAmount(amount, currency) };
}
