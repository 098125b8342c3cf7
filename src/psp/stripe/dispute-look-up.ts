import type {
  DisputeAnswer,
  DisputeQuestion,
  ReadFacts,
} from '../../domain/disputes/dispute-look-up.ts';
import { present } from '../../domain/present.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answer-fields.ts';
import { reasonFacts } from '../dispute-reason.ts';
import { moneyOf } from './amounts.ts';
import type { StripeClient } from './client.ts';
import { subscriptionOf } from './events/invoice-shape.ts';
import { failureReason } from './failures.ts';
import { intOf, itemsOf, refOf, timeOf } from './fields.ts';
import { keyField } from './map.ts';

interface LookUpDeps {
  readonly client: StripeClient;
  /** For each question to Stripe. */
  readonly timeoutMs: number;
}

type Unavailable = Extract<DisputeAnswer, { kind: 'unavailable' }>;
type Read = { readonly kind: 'read'; readonly value: Fields | undefined } | Unavailable;

/**
 * Whose charge it was, and on which card: of the charge; of which subscription: of the invoice that the
 * charge's intent paid, since neither names an invoice itself since 2025-03-31 (docs.stripe.com,
 * changelog/basil).
 */
export async function lookUpStripeDispute(
  deps: LookUpDeps,
  { paymentIds, kind }: DisputeQuestion,
): Promise<DisputeAnswer> {
  const chargeId = paymentIds.find((id) => !id.startsWith('pi_'));
  if (chargeId === undefined) return { kind: 'nothing' };
  const charge = await chargeOf(deps, chargeId);
  if (charge.kind === 'unavailable') return charge;
  if (charge.value === undefined) return { kind: 'nothing' };
  const intentId = refOf(charge.value.payment_intent);
  const invoice = await invoiceOf(deps, intentId);
  if (invoice.kind === 'unavailable') return invoice;
  const billing = fieldsOf(charge.value.billing_details);
  const email = textOf(billing?.email) ?? textOf(charge.value.receipt_email);
  return {
    kind: 'read',
    facts: {
      ...chargeFacts(charge.value, kind),
      ...present({
        invoiceId: idOf(invoice.value?.id),
        subscriptionId: invoice.value && subscriptionOf(invoice.value),
      }),
    },
    ...present({ email }),
  };
}

function chargeFacts(charge: Fields, kind: DisputeQuestion['kind']): ReadFacts {
  const card = fieldsOf(fieldsOf(charge.payment_method_details)?.card);
  const amount = intOf(charge.amount);
  const currency = textOf(charge.currency);
  // A dispute names its own amount, which may be a part; a warning names none.
  const isWhole = kind === 'fraud_warning' && amount !== undefined && currency !== undefined;
  const named = [charge.id, charge.payment_intent].map(refOf);
  const { network } = reasonFacts({ scheme: textOf(card?.brand) });
  return {
    paymentIds: named.filter((id) => id !== undefined),
    ...present({
      network,
      money: isWhole ? moneyOf(amount, currency) : undefined,
      idempotencyKey: textOf(fieldsOf(charge.metadata)?.[keyField]),
      networkTransactionId: idOf(card?.network_transaction_id),
      pspCustomerId: refOf(charge.customer),
      paymentMethodId: refOf(charge.payment_method),
      cardFingerprint: idOf(card?.fingerprint),
      cardLast4: textOf(card?.last4),
      chargedAt: timeOf(charge.created),
    }),
  };
}

async function chargeOf({ client, timeoutMs }: LookUpDeps, id: string): Promise<Read> {
  const read = await client.ask(timeoutMs, (stripe, options) =>
    stripe.charges.retrieve(id, {}, options),
  );
  if (read.kind === 'answered') {
    const value = fieldsOf(read.value);
    return { kind: 'read', value: value?.id === id ? value : undefined };
  }
  const isGone = read.kind === 'refused' && read.status === 404;
  if (isGone) return { kind: 'read', value: undefined };
  return { kind: 'unavailable', reason: failureReason(read) };
}

async function invoiceOf(
  { client, timeoutMs }: LookUpDeps,
  intentId: string | undefined,
): Promise<Read> {
  if (intentId === undefined) return { kind: 'read', value: undefined };
  const payment = { type: 'payment_intent', payment_intent: intentId } as const;
  const read = await client.ask(timeoutMs, (stripe, options) =>
    stripe.invoicePayments.list({ payment, limit: 1, expand: ['data.invoice'] }, options),
  );
  if (read.kind !== 'answered') return { kind: 'unavailable', reason: failureReason(read) };
  const [paid] = itemsOf(read.value);
  // The list is of this intent's payments; another one's would be another customer's invoice.
  const isOwn = refOf(fieldsOf(paid?.payment)?.payment_intent) === intentId;
  return { kind: 'read', value: isOwn ? fieldsOf(paid?.invoice) : undefined };
}
