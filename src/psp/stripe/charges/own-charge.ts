import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { failureReason } from '../failures.ts';
import { createdMs, itemsOf } from '../fields.ts';
import type { Amount } from '../map.ts';
import type { ChargeDeps } from './intent-charge.ts';
import { chargesAfterMark, chargesOfMethod, isMarked } from './invoice-charges.ts';

/** Which charge of an invoice our try made. */
export type OwnCharge =
  /** `isSaid`: Stripe says that it was made by the request with our key. */
  | { readonly kind: 'found'; readonly charge: Fields; readonly isSaid: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

type Maker =
  | 'ours'
  | 'another'
  | 'not_said'
  | { readonly kind: 'unknown'; readonly reason: string };

/** An event is written with its charge, or a moment later. */
const eventLagSeconds = 60;

/**
 * The charge that the request with our key made, among those that it may have made, newest first. A charge
 * of an invoice carries no key; Stripe's event of it names the request's, and none for a try of Stripe's own.
 * What no event tells of (they last 30 days, and the key of the account may not read them) is taken
 * for ours, the first of it, unless some of it was paid and some declined: then nobody can say.
 */
export async function ownCharge(
  deps: ChargeDeps,
  charges: readonly Fields[],
  idempotencyKey: string,
): Promise<OwnCharge> {
  const said = await saidCharge(deps, charges, idempotencyKey);
  if (said.kind !== 'not_said') return said;
  const [first] = said.of;
  if (first === undefined) return { kind: 'none' };
  return said.of.every(({ status }) => status === first.status)
    ? { kind: 'found', charge: first, isSaid: false }
    : { kind: 'unknown', reason: 'Stripe does not say which charge of the invoice was ours' };
}

/** What Stripe's events say of each; `not_said`: of none that it is ours, and nothing of these. */
async function saidCharge(
  deps: ChargeDeps,
  charges: readonly Fields[],
  idempotencyKey: string,
): Promise<
  | Exclude<OwnCharge, { kind: 'none' }>
  | { readonly kind: 'not_said'; readonly of: readonly Fields[] }
> {
  const of: Fields[] = [];
  for (const charge of charges.toReversed()) {
    const maker = await makerOf(deps, charge, idempotencyKey);
    if (typeof maker === 'object') return maker;
    if (maker === 'ours') return { kind: 'found', charge, isSaid: true };
    if (maker === 'not_said') of.push(charge);
  }
  return { kind: 'not_said', of };
}

/**
 * The charge that our try of an invoice made. The mark is that of the invoice's last try: of one before
 * it, which a restored backup may ask for, Stripe's events alone tell, in whatever amount it was made.
 */
export async function ownTry(
  deps: ChargeDeps,
  tried: { readonly idempotencyKey: string; readonly paymentMethodId: string },
  record: {
    readonly invoice: Fields;
    /** All of the invoice's, newest first. */
    readonly charges: readonly Fields[];
    readonly amount: Amount;
  },
): Promise<OwnCharge> {
  const { invoice, charges, amount } = record;
  const { idempotencyKey, paymentMethodId } = tried;
  if (isMarked(invoice, idempotencyKey)) {
    const since = chargesAfterMark(invoice, charges, { paymentMethodId, amount });
    return ownCharge(deps, since, idempotencyKey);
  }
  const said = await saidCharge(deps, chargesOfMethod(charges, tried), idempotencyKey);
  return said.kind === 'not_said' ? { kind: 'none' } : said;
}

async function makerOf(
  { client, limits }: ChargeDeps,
  charge: Fields,
  idempotencyKey: string,
): Promise<Maker> {
  const madeAt = Math.floor(createdMs(charge) / 1_000);
  const read = await client.ask(limits.stepMs, (stripe, options) =>
    stripe.events.list(
      {
        types: ['charge.succeeded', 'charge.failed'],
        created: { gte: madeAt, lte: madeAt + eventLagSeconds },
        limit: 100,
      },
      options,
    ),
  );
  if (read.kind === 'refused' && (read.status === 403 || read.status === 404)) return 'not_said';
  if (read.kind !== 'answered') return { kind: 'unknown', reason: failureReason(read) };
  const event = itemsOf(read.value).find(
    ({ data }) => idOf(fieldsOf(fieldsOf(data)?.object)?.id) === idOf(charge.id),
  );
  if (event === undefined) return 'not_said';
  const key = textOf(fieldsOf(event.request)?.idempotency_key);
  return key === idempotencyKey ? 'ours' : 'another';
}
