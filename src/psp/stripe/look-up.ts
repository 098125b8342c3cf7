import { addMs, type Clock, dayMs, hourMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { LookUpRequest, LookUpResult } from '../../recovery/psp-ports.ts';
import { textOf } from '../answer-fields.ts';
import { stripeAmount } from './amounts.ts';
import { type ChargeDeps, ownerOf } from './charges/intent-charge.ts';
import { failureReason } from './failures.ts';
import { createdMs } from './fields.ts';
import { invoiceRecord } from './invoice-look-up.ts';
import { pageOf } from './list-page.ts';
import { intentResult, keyField, ownIntent } from './map.ts';

export interface LookUpDeps extends ChargeDeps {
  readonly clock: Clock;
}

/**
 * How much further than the charge's age the record is read back. The age is a difference of two times
 * of ours, and is taken off Stripe's own present: how far the two clocks are apart does not matter.
 */
const marginMs = dayMs;
/** Search is behind by up to an hour in an outage (docs.stripe.com/api/payment_intents/search). */
const searchLagMs = hourMs;
const pageSize = 100;
/** Past so many pages of intents the list is not worth its calls. */
const maxPages = 10;

/** What Stripe's record says of a charge that was sent with this key. */
export async function lookUpCharge(
  deps: LookUpDeps,
  request: LookUpRequest,
): Promise<LookUpResult> {
  const amount = stripeAmount(request);
  // Such an amount is refused before it is sent.
  if (amount.kind === 'not_taken') return { kind: 'not_found' };
  const { pspInvoiceId } = request;
  if (pspInvoiceId !== undefined) {
    return invoiceRecord(deps, { ...request, pspInvoiceId }, amount);
  }
  const owner =
    request.pspCustomerId === undefined
      ? await ownerOf(deps, request.paymentMethodId)
      : ({ kind: 'answered', value: request.pspCustomerId } as const);
  const isGone = owner.kind === 'refused' && owner.status === 404;
  if (owner.kind !== 'answered' && !isGone) {
    return { kind: 'unknown', reason: failureReason(owner) };
  }
  const customer = owner.kind === 'answered' ? owner.value : undefined;
  const listed = await listedRecord(deps, request, customer);
  if (listed !== 'too_many') return listed;
  if (customer === undefined) return searchedRecord(deps, request);
  return { kind: 'unknown', reason: 'the customer has too many payments since to look through' };
}

/**
 * The customer's intents, else the account's, newest first, until one carries our key or all that came
 * since are read. Lists are not behind (docs.stripe.com/search, "Data freshness").
 */
async function listedRecord(
  deps: LookUpDeps,
  request: LookUpRequest,
  customer: string | undefined,
): Promise<LookUpResult | 'too_many'> {
  const { client, limits, clock } = deps;
  const ageMs = clock.now().getTime() - request.sentAt.getTime();
  const filter = {
    ...present({ customer }),
    limit: pageSize,
    expand: ['data.latest_charge'],
  };
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const position = after === undefined ? {} : { starting_after: after };
    const read = await client.ask(limits.stepMs, (stripe, options) =>
      stripe.paymentIntents.list({ ...filter, ...position }, options),
    );
    const intents = pageOf(read);
    if (intents.kind === 'unknown') return intents;
    const found = ownIntent(intents.items, request.idempotencyKey);
    if (found !== undefined) return intentResult(found, request.idempotencyKey);
    if (!intents.hasMore) return { kind: 'not_found' };
    const oldest = intents.items.at(-1);
    const now = read.kind === 'answered' ? read.at : undefined;
    const since = now && addMs(now, -Math.max(0, ageMs) - marginMs);
    if (oldest && since && createdMs(oldest) < since.getTime()) return { kind: 'not_found' };
    after = textOf(oldest?.id);
  }
  return 'too_many';
}

/** The search of a charge among very many, whose "no" is believed once its lag has passed. */
async function searchedRecord(deps: LookUpDeps, request: LookUpRequest): Promise<LookUpResult> {
  const { client, limits, clock } = deps;
  const { idempotencyKey, sentAt } = request;
  const quoted = idempotencyKey.replaceAll(/['\\]/g, '\\$&');
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.paymentIntents.search(
      { query: `metadata['${keyField}']:'${quoted}'`, expand: ['data.latest_charge'] },
      options,
    ),
  );
  const intents = pageOf(read);
  if (intents.kind === 'unknown') return intents;
  const found = ownIntent(intents.items, idempotencyKey);
  if (found !== undefined) return intentResult(found, idempotencyKey);
  return clock.now().getTime() > addMs(sentAt, searchLagMs).getTime()
    ? { kind: 'not_found' }
    : { kind: 'unknown', reason: 'the search of Stripe may not hold the charge yet' };
}
