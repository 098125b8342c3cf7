import { dayMs, hourMs } from '../../../domain/clock.ts';
import { present } from '../../../domain/present.ts';
import type { ChargeRequest, ChargeResult, LookUpRequest } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import { chargeFailure, type Failure } from '../failures.ts';
import { createdMs, itemsOf, refOf } from '../fields.ts';
import { type Amount, chargeObjectResult, isOf, toldOf, transactionIds } from '../map.ts';
import { type ChargeDeps, cardErrorOf, declined } from './intent-charge.ts';
import { intentsOf, readCharges, readIntents } from './invoice-charges.ts';
import { ownTry } from './own-charge.ts';

/** A try of an invoice, as it is sent and as it is looked up. */
export type InvoiceTry = Pick<
  ChargeRequest | LookUpRequest,
  'idempotencyKey' | 'paymentMethodId'
> & { readonly pspInvoiceId: string };

/** The most that may be expanded: four levels (docs.stripe.com/expand). */
const withIntents = ['payments.data.payment.payment_intent'];
/**
 * Keys may be removed once they are 24 hours old: from a little before, an answer may be a new one.
 */
const keyMemoryMs = dayMs - hourMs;

/** `refused`: certainly not begun now, which says nothing of an earlier request with the key. */
export type PayAnswer = ChargeResult | { readonly kind: 'refused'; readonly failure: Failure };

/**
 * Pays an invoice with our key; the same request again is answered with what became of the first.
 */
export async function sendPay(
  deps: ChargeDeps,
  tried: InvoiceTry,
  amount: Amount,
  timeoutMs: number,
): Promise<PayAnswer> {
  const { pspInvoiceId, paymentMethodId, idempotencyKey } = tried;
  // Sources and cards of the time before payment methods have a parameter of their own.
  const isSource = /^(src|card|ba)_/.test(paymentMethodId);
  const method = isSource ? { source: paymentMethodId } : { payment_method: paymentMethodId };
  const sent = await deps.client.ask(timeoutMs, (stripe, options) =>
    stripe.invoices.pay(
      pspInvoiceId,
      { ...method, off_session: true, expand: withIntents },
      { ...options, idempotencyKey },
    ),
  );
  if (sent.kind === 'answered') return paidResult(deps, fieldsOf(sent.value), tried, amount);
  const error = cardErrorOf(sent) ?? actionErrorOf(sent);
  if (error === undefined) {
    const failure = chargeFailure(sent);
    return failure.kind === 'unknown' ? failure : { kind: 'refused', failure: sent };
  }
  const chargeId = idOf(error.charge);
  const intentId = refOf(error.payment_intent);
  if (chargeId === undefined && intentId === undefined && cardErrorOf(sent) !== undefined) {
    return { kind: 'unknown', reason: 'Stripe declined without naming our charge' };
  }
  return declined(deps, error, chargeId, intentId);
}

/**
 * Whose charge paid an invoice. Our request is sent again, since nothing can be charged of what is
 * paid: where Stripe remembers our key it answers what became of it. A refusal means that our try
 * did not pay, unless the key may be forgotten: then the charge after our mark tells.
 */
export async function resolvePaid(
  deps: ChargeDeps,
  tried: InvoiceTry,
  invoice: Fields,
  amount: Amount,
): Promise<ChargeResult> {
  const again = await sendPay(deps, tried, amount, deps.limits.chargeMs(3));
  return again.kind === 'refused'
    ? whoPaid(deps, tried, { invoice, amount, failure: again.failure })
    : again;
}

/** What became of a try that Stripe refused, now that the invoice is paid. */
export async function whoPaid(
  deps: ChargeDeps,
  tried: InvoiceTry,
  more: { readonly invoice: Fields; readonly amount: Amount; readonly failure: Failure },
): Promise<ChargeResult> {
  const { invoice, amount, failure } = more;
  const intents = await readIntents(deps, tried.pspInvoiceId);
  const charges = intents.kind === 'page' ? await readCharges(deps, intents.items) : intents;
  if (charges.kind === 'unknown') return { kind: 'unknown', reason: charges.reason };
  const paid = charges.items.find((charge) => charge.status === 'succeeded');
  const own = await ownTry(deps, tried, { invoice, charges: charges.items, amount });
  if (own.kind === 'unknown') return own;
  if (own.kind === 'found' && (own.isSaid || mayBeForgotten(own.charge, failure))) {
    const definite = chargeObjectResult(own.charge);
    if (definite !== undefined) return definite;
  }
  const pspTransactionId = idOf(paid?.id);
  return {
    kind: 'paid_elsewhere',
    ...present({ pspTransactionId }),
    reason: 'the invoice is paid at Stripe, and not by a charge of ours',
  };
}

/** By Stripe's clock alone: its own time of the charge, and its own time of the refusal. */
function mayBeForgotten(charge: Fields, failure: Failure): boolean {
  const at = failure.kind === 'refused' ? failure.error.at : undefined;
  return at === undefined || at.getTime() - createdMs(charge) >= keyMemoryMs;
}

/** The payer would have to act (docs.stripe.com/error-codes), so the invoice was not paid. */
function actionErrorOf(failure: Failure): Fields | undefined {
  if (failure.kind !== 'refused' || ![400, 402].includes(failure.status)) return undefined;
  const { code, fields } = failure.error;
  return code === 'invoice_payment_intent_requires_action' ? fields : undefined;
}

/** The answer of a paid invoice, and the charge that paid it: our method, our amount. */
async function paidResult(
  { client, limits }: ChargeDeps,
  invoice: Fields | undefined,
  tried: InvoiceTry,
  amount: Amount,
): Promise<ChargeResult> {
  if (invoice?.id !== tried.pspInvoiceId || invoice.status !== 'paid') {
    return { kind: 'unknown', reason: 'Stripe has not yet marked the invoice paid' };
  }
  const intent = intentsOf(itemsOf(invoice.payments)).find(
    (item) =>
      item.status === 'succeeded' &&
      isOf(amount, item) &&
      (refOf(item.payment_method) ?? refOf(item.source)) === tried.paymentMethodId,
  );
  const intentId = idOf(intent?.id);
  if (intentId === undefined) {
    return { kind: 'unknown', reason: 'the invoice at Stripe was paid otherwise' };
  }
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] }, options),
  );
  const latest = read.kind === 'answered' ? fieldsOf(read.value)?.latest_charge : undefined;
  const chargeId = refOf(latest) ?? refOf(intent?.latest_charge);
  return {
    kind: 'succeeded',
    ...transactionIds(fieldsOf(latest), chargeId ?? intentId),
    ...toldOf(fieldsOf(latest) ?? intent),
  };
}
