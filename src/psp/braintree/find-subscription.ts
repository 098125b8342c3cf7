import type { FoundInvoice } from '../../recovery/psp-ports.ts';
import { fieldsOf, idOf } from '../answer-fields.ts';
import type { BraintreeClient } from './client.ts';
import { reasonOf } from './map.ts';

/**
 * Braintree keeps no invoices, but a subscription's balance: what failed of it is paid into it, or it
 * stays past due and is charged once more.
 */
export async function findSubscription(
  { client }: { readonly client: BraintreeClient },
  { pspTransactionId }: { readonly pspTransactionId: string },
): Promise<FoundInvoice> {
  const sent = await client.find(pspTransactionId);
  if (sent.kind === 'refused' && sent.status === 404) return { kind: 'not_known' };
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: reasonOf(sent) };
  const transaction = fieldsOf(sent.value);
  if (transaction?.id !== pspTransactionId) {
    return { kind: 'unknown', reason: 'Braintree answered about another transaction' };
  }
  const pspInvoiceId = idOf(transaction.subscriptionId);
  return pspInvoiceId === undefined ? { kind: 'none' } : { kind: 'found', pspInvoiceId };
}
