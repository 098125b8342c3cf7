import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { createdMs, refOf } from '../fields.ts';
import { type Page, pageOf } from '../list-page.ts';
import { type Amount, isOf, keyField } from '../map.ts';
import type { ChargeDeps } from './intent-charge.ts';

/** The newest charge of each of an invoice's intents before our try; `none` where it had none. */
const afterField = 'recoup_after_charges';
const none = 'none';
/** As many as a value of metadata holds. */
const maxMarks = 15;

/** The metadata by which our try of an invoice is told from those before it, set before it is sent. */
export function markOf(idempotencyKey: string, intents: readonly Fields[]): Record<string, string> {
  const latest = intents.flatMap((intent) => refOf(intent.latest_charge) ?? []);
  return { [keyField]: idempotencyKey, [afterField]: latest.slice(0, maxMarks).join(' ') || none };
}

/** Whether our try with this key was marked on the invoice, so that it may have been sent. */
export function isMarked(invoice: Fields | undefined, idempotencyKey: string): boolean {
  return fieldsOf(invoice?.metadata)?.[keyField] === idempotencyKey;
}

/** The intents of an invoice's payments, where they were expanded. */
export function intentsOf(payments: readonly Fields[]): readonly Fields[] {
  return payments
    .map((payment) => fieldsOf(fieldsOf(payment.payment)?.payment_intent))
    .filter((intent) => intent !== undefined);
}

/** An invoice's intents, each with its payment; unknown where there are more than a page. */
export async function readIntents(
  { client, limits }: ChargeDeps,
  pspInvoiceId: string,
): Promise<Page> {
  const payments = pageOf(
    await client.ask(limits.stepMs, (stripe, options) =>
      stripe.invoicePayments.list(
        { invoice: pspInvoiceId, limit: 100, expand: ['data.payment.payment_intent'] },
        options,
      ),
    ),
  );
  if (payments.kind === 'unknown') return payments;
  if (payments.hasMore) {
    return { kind: 'unknown', reason: 'the invoice has too many payments to look through' };
  }
  return { kind: 'page', items: intentsOf(payments.items), hasMore: false };
}

/** Every charge of these intents, newest first. */
export async function readCharges(
  { client, limits }: ChargeDeps,
  intents: readonly Fields[],
): Promise<Page> {
  const charges: Fields[] = [];
  for (const intent of intents) {
    const intentId = idOf(intent.id);
    if (intentId === undefined) continue;
    const page = pageOf(
      await client.ask(limits.stepMs, (stripe, options) =>
        stripe.charges.list({ payment_intent: intentId, limit: 100 }, options),
      ),
    );
    if (page.kind === 'unknown') return page;
    charges.push(...page.items);
  }
  return { kind: 'page', items: charges.toSorted(newestFirst), hasMore: false };
}

/**
 * The charges that our marked try may have made: those after the mark, with our method and amount,
 * newest first. By Stripe's own order alone: no clock is asked.
 */
export function chargesAfterMark(
  invoice: Fields,
  charges: readonly Fields[],
  asked: { readonly paymentMethodId: string; readonly amount: Amount },
): readonly Fields[] {
  const after = textOf(fieldsOf(invoice.metadata)?.[afterField])?.split(' ') ?? [];
  const end = charges.findIndex((charge) => after.includes(idOf(charge.id) ?? ''));
  const since = end === -1 ? charges : charges.slice(0, end);
  return chargesOfMethod(since, asked).filter((charge) => isOf(asked.amount, charge));
}

export function chargesOfMethod(
  charges: readonly Fields[],
  { paymentMethodId }: { readonly paymentMethodId: string },
): readonly Fields[] {
  return charges.filter((charge) => refOf(charge.payment_method) === paymentMethodId);
}

/** Stripe lists newest first; of one second in the order in which it lists them. */
function newestFirst(a: Fields, b: Fields): number {
  return createdMs(b) - createdMs(a);
}
