import { addMs, secondMs } from '../../domain/clock.ts';
import type { LookUpRequest, LookUpResult } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../answer-fields.ts';
import type { ChargeDeps } from './charges/intent-charge.ts';
import { intentsOf } from './charges/invoice-charge.ts';
import { failureReason } from './failures.ts';
import { createdMs, refOf } from './fields.ts';
import { pageOf } from './list-page.ts';
import { type Amount, carriesKey, chargeObjectResult, intentResult, isOf } from './map.ts';

/**
 * Stripe's clock and ours, and its whole seconds. No more: an earlier decline of the same method
 * must not be taken for the charge that is looked up.
 */
const skewMs = 5 * secondMs;

/**
 * What an invoice's record says of a charge. A part payment has an intent of its own with our key.
 * A payment through the invoice itself leaves no key: there the charge with our method and amount
 * is meant that Stripe made in that time, the first of several, or the one that was paid.
 */
export async function invoiceRecord(
  deps: ChargeDeps,
  request: LookUpRequest & { readonly pspInvoiceId: string },
  amount: Amount,
): Promise<LookUpResult> {
  const { client, limits } = deps;
  const { pspInvoiceId, idempotencyKey } = request;
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
  const intents = intentsOf(payments.items);
  const own = intents.find((intent) => carriesKey(intent, idempotencyKey));
  if (own !== undefined) return partRecord(deps, own, amount, idempotencyKey);
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
  return chargeInTime(charges, request, amount);
}

async function partRecord(
  { client, limits }: ChargeDeps,
  own: Fields,
  amount: Amount,
  idempotencyKey: string,
): Promise<LookUpResult> {
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentIntents.retrieve(idOf(own.id) ?? '', { expand: ['latest_charge'] }, options),
  );
  if (read.kind !== 'answered') return { kind: 'unknown', reason: failureReason(read) };
  return intentResult(fieldsOf(read.value) ?? {}, amount, idempotencyKey);
}

function chargeInTime(
  charges: readonly Fields[],
  request: LookUpRequest,
  amount: Amount,
): LookUpResult {
  const from = addMs(request.sentAt, -skewMs).getTime();
  const fitting = charges
    .filter(
      (charge) =>
        isOf(amount, charge) &&
        refOf(charge.payment_method) === request.paymentMethodId &&
        createdMs(charge) >= from,
    )
    .toSorted((a, b) => createdMs(a) - createdMs(b));
  const charge = fitting.find((item) => item.status === 'succeeded') ?? fitting[0];
  if (charge === undefined) return { kind: 'not_found' };
  return (
    chargeObjectResult(charge) ?? { kind: 'unknown', reason: 'the charge is pending at Stripe' }
  );
}
