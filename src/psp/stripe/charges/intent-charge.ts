import type Stripe from 'stripe';
import type { ChargeRequest, ChargeResult, LookUpResult } from '../../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf } from '../../answer-fields.ts';
import type { Answer, StripeClient } from '../client.ts';
import { stripeDecline } from '../declines.ts';
import { beforeCharge, chargeFailure, type Failure } from '../failures.ts';
import { refOf } from '../fields.ts';
import {
  type Amount,
  carriesKey,
  intentParams,
  intentResult,
  isUnpaid,
  offSession,
  toldOf,
  transactionIds,
} from '../map.ts';
import type { TimeLimits } from '../time-limits.ts';

export interface ChargeDeps {
  readonly client: StripeClient;
  readonly limits: TimeLimits;
}

/** Charges a stored method by an intent that is made and confirmed in one call. */
export async function chargeByIntent(
  { client, limits }: ChargeDeps,
  request: ChargeRequest,
  amount: Amount,
): Promise<ChargeResult> {
  const { idempotencyKey, pspCustomerId, paymentMethodId } = request;
  const owner =
    pspCustomerId === undefined
      ? await ownerOf({ client, limits }, paymentMethodId)
      : ({ kind: 'answered', value: pspCustomerId } as const);
  if (owner.kind !== 'answered') return beforeCharge('the payment method was not read', owner);
  const stepsBefore = pspCustomerId === undefined ? 1 : 0;
  const params = intentParams(request, amount, owner.value);
  const sent = await client.ask(limits.chargeMs(stepsBefore), (stripe, options) =>
    stripe.paymentIntents.create(
      { ...params, confirm: true, ...offSession },
      { ...options, idempotencyKey },
    ),
  );
  return intentChargeResult({ client, limits }, sent, idempotencyKey);
}

/** The customer that a payment method is attached to; undefined where it is attached to none. */
export async function ownerOf(
  { client, limits }: ChargeDeps,
  paymentMethodId: string,
): Promise<Answer<string | undefined>> {
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentMethods.retrieve(paymentMethodId, {}, options),
  );
  if (read.kind !== 'answered') return read;
  const method = fieldsOf(read.value);
  if (idOf(method?.id) === undefined) {
    return { kind: 'lost', reason: 'Stripe gave an answer that cannot be understood' };
  }
  return { kind: 'answered', value: refOf(method?.customer) };
}

/** What confirming an intent came to. */
export async function intentChargeResult(
  deps: ChargeDeps,
  sent: Answer<Stripe.PaymentIntent>,
  idempotencyKey: string,
): Promise<ChargeResult> {
  if (sent.kind === 'answered') {
    return certain(intentResult(fieldsOf(sent.value) ?? {}, idempotencyKey));
  }
  const error = cardErrorOf(sent);
  if (error === undefined) return chargeFailure(sent);
  const intent = fieldsOf(error.payment_intent);
  const intentId = idOf(intent?.id);
  if (intent === undefined || intentId === undefined || !carriesKey(intent, idempotencyKey)) {
    return { kind: 'unknown', reason: 'Stripe declined without naming our charge' };
  }
  if (!isUnpaid(intent)) {
    return { kind: 'unknown', reason: 'Stripe declined, and its intent says otherwise' };
  }
  const chargeId = idOf(error.charge) ?? refOf(intent.latest_charge);
  return declined(deps, error, chargeId, intentId);
}

/** A decline, with what the charge adds to its error: the network, its codes and its ids. */
export async function declined(
  deps: ChargeDeps,
  error: Fields,
  chargeId: string | undefined,
  intentId: string | undefined,
): Promise<ChargeResult> {
  const charge = chargeId === undefined ? undefined : await readCharge(deps, chargeId);
  const id = chargeId ?? intentId;
  return {
    kind: 'declined',
    ...(id !== undefined && transactionIds(charge, id)),
    ...toldOf(charge),
    decline: stripeDecline({ error, charge }),
  };
}

/** The error object of a declined payment: 402 with `card_error` (docs.stripe.com/api/errors). */
export function cardErrorOf(failure: Failure): Fields | undefined {
  if (failure.kind !== 'refused' || failure.status !== 402) return undefined;
  return failure.error.type === 'card_error' ? failure.error.fields : undefined;
}

/** The charge, or undefined where it cannot be read: the decline stands without it. */
async function readCharge(
  { client, limits }: ChargeDeps,
  chargeId: string,
): Promise<Fields | undefined> {
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.charges.retrieve(chargeId, {}, options),
  );
  const charge = read.kind === 'answered' ? fieldsOf(read.value) : undefined;
  return charge?.id === chargeId ? charge : undefined;
}

/** A confirmed intent was certainly received, so "never charged" cannot be believed here. */
function certain(result: LookUpResult): ChargeResult {
  return result.kind === 'not_found'
    ? { kind: 'unknown', reason: 'Stripe took the charge in and did not make it' }
    : result;
}
