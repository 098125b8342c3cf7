import type { FoundInvoice } from '../../../recovery/psp-ports.ts';
import { fieldsOf } from '../../answer-fields.ts';
import type { Answer, StripeClient } from '../client.ts';
import { failureReason } from '../failures.ts';
import { refOf } from '../fields.ts';
import { pageOf } from '../list-page.ts';

/**
 * The invoice that a charge, or a payment intent, was made for. Neither names it since 2025-03-31: the
 * invoice's payment does (docs.stripe.com/changelog/basil).
 */
export async function findStripeInvoice(
  { client, timeoutMs }: { readonly client: StripeClient; readonly timeoutMs: number },
  pspTransactionId: string,
): Promise<FoundInvoice> {
  let intentId: string | undefined = pspTransactionId;
  if (!pspTransactionId.startsWith('pi_')) {
    if (!/^(ch|py)_/.test(pspTransactionId)) return { kind: 'none' };
    const read = await client.ask(timeoutMs, (stripe, options) =>
      stripe.charges.retrieve(pspTransactionId, {}, options),
    );
    if (isUnknown(read)) return { kind: 'not_known' };
    if (read.kind !== 'answered') return { kind: 'unknown', reason: failureReason(read) };
    const charge = fieldsOf(read.value);
    if (charge?.id !== pspTransactionId) {
      return { kind: 'unknown', reason: 'Stripe answered about another charge' };
    }
    const named = refOf(charge.invoice);
    if (named !== undefined) return { kind: 'found', pspInvoiceId: named };
    intentId = refOf(charge.payment_intent);
  }
  if (intentId === undefined) return { kind: 'none' };
  const payment = { type: 'payment_intent', payment_intent: intentId } as const;
  const page = pageOf(
    await client.ask(timeoutMs, (stripe, options) =>
      stripe.invoicePayments.list({ payment, limit: 1 }, options),
    ),
  );
  if (page.kind === 'unknown') return { kind: 'unknown', reason: page.reason };
  const pspInvoiceId = refOf(page.items[0]?.invoice);
  if (pspInvoiceId !== undefined) return { kind: 'found', pspInvoiceId };
  // The list of an intent that the account does not have is empty as well.
  const intent = await client.ask(timeoutMs, (stripe, options) =>
    stripe.paymentIntents.retrieve(payment.payment_intent, {}, options),
  );
  if (isUnknown(intent)) return { kind: 'not_known' };
  if (intent.kind !== 'answered') return { kind: 'unknown', reason: failureReason(intent) };
  return { kind: 'none' };
}

function isUnknown(read: Answer<unknown>): boolean {
  return read.kind === 'refused' && read.status === 404;
}
