import type { LookUpRequest, LookUpResult } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../answer-fields.ts';
import type { ChargeDeps } from './charges/intent-charge.ts';
import { isMarked, readCharges, readIntents } from './charges/invoice-charges.ts';
import { ownTry } from './charges/own-charge.ts';
import { resolvePaid } from './charges/paid-invoice.ts';
import { failureReason } from './failures.ts';
import { type Amount, chargeObjectResult, intentResult, ownIntent } from './map.ts';

/**
 * What an invoice's record says of a charge. A part payment has an intent of its own with our key. A
 * payment through the invoice itself leaves no key on the charge, so the try was marked on the invoice
 * before it was sent: what came after the mark may be of it. Without the mark it was not sent, or another
 * try was marked since: Stripe's events tell.
 */
export async function invoiceRecord(
  deps: ChargeDeps,
  request: LookUpRequest & { readonly pspInvoiceId: string },
  amount: Amount,
): Promise<LookUpResult> {
  const { client, limits } = deps;
  const { pspInvoiceId, idempotencyKey } = request;
  const intents = await readIntents(deps, pspInvoiceId);
  if (intents.kind === 'unknown') return { kind: 'unknown', reason: intents.reason };
  const part = ownIntent(intents.items, idempotencyKey);
  // One that was never charged says nothing of a later send of the key that paid the whole.
  const ofPart = part && (await partRecord(deps, part, idempotencyKey));
  if (ofPart !== undefined && ofPart.kind !== 'not_found') return ofPart;
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.invoices.retrieve(pspInvoiceId, {}, options),
  );
  // Nothing was charged of an invoice that the account does not have: the merchant has moved to it since.
  if (read.kind === 'refused' && read.status === 404) return { kind: 'not_found' };
  if (read.kind !== 'answered') return { kind: 'unknown', reason: failureReason(read) };
  const invoice = fieldsOf(read.value);
  if (invoice?.id !== pspInvoiceId) {
    return { kind: 'unknown', reason: 'Stripe gave an answer that cannot be understood' };
  }
  if (invoice.status === 'paid') return looked(await resolvePaid(deps, request, invoice, amount));
  const charges = await readCharges(deps, intents.items);
  if (charges.kind === 'unknown') return { kind: 'unknown', reason: charges.reason };
  const own = await ownTry(deps, request, { invoice, charges: charges.items, amount });
  if (own.kind === 'none') {
    return isMarked(invoice, idempotencyKey)
      ? { kind: 'not_found' }
      : (ofPart ?? unmarked(request));
  }
  if (own.kind === 'unknown') return own;
  return (
    chargeObjectResult(own.charge) ?? { kind: 'unknown', reason: 'the charge is pending at Stripe' }
  );
}

/** Tries of before there were marks had keys of another form: of them nothing can be told. */
function unmarked({ idempotencyKey }: LookUpRequest): LookUpResult {
  return idempotencyKey.startsWith('rcp_')
    ? { kind: 'not_found' }
    : { kind: 'unknown', reason: 'the charge is of before tries were marked on the invoice' };
}

async function partRecord(
  { client, limits }: ChargeDeps,
  own: Fields,
  idempotencyKey: string,
): Promise<LookUpResult> {
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentIntents.retrieve(idOf(own.id) ?? '', { expand: ['latest_charge'] }, options),
  );
  if (read.kind !== 'answered') return { kind: 'unknown', reason: failureReason(read) };
  return intentResult(fieldsOf(read.value) ?? {}, idempotencyKey);
}

/** A key that was sent once more can no longer be called never made. */
function looked(result: Awaited<ReturnType<typeof resolvePaid>>): LookUpResult {
  return result.kind === 'not_made' ? { kind: 'unknown', reason: result.reason } : result;
}
