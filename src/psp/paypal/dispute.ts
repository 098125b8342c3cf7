import type { DisputeAnswer, DisputeQuestion } from '../../domain/disputes/dispute-look-up.ts';
import { normaliseDispute } from '../../domain/disputes/normalise/normalise-dispute.ts';
import { type Money, minorFromDecimal } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { ParsedEvent } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, parsedFields, textOf, timeOf } from '../answer-fields.ts';
import { reasonFacts } from '../dispute-reason.ts';
import type { PaypalClient } from './client.ts';

/**
 * A dispute in the shape of PayPal's Customer Disputes API (paypal-rest-api-specifications,
 * customer_disputes_v1.json), which is what its webhooks hold. It may be about many transactions; their
 * ids are its payment's names. Whose they are it tells by a name alone, which is not kept.
 */
export function parseDispute(input: {
  readonly type: string;
  readonly resource: Fields;
  readonly occurredAt: Date;
}): ParsedEvent {
  const { type, resource, occurredAt } = input;
  const pspDisputeId = idOf(resource.dispute_id);
  const words = {
    stage: textOf(resource.dispute_life_cycle_stage),
    status: textOf(resource.status),
    outcome: textOf(fieldsOf(resource.dispute_outcome)?.outcome_code),
    program: textOf(resource.dispute_channel),
  };
  const state = normaliseDispute('paypal', { event: type, ...present(words) });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  return {
    kind: 'dispute',
    dispute: {
      pspDisputeId,
      openedAt: timeOf(resource.create_time) ?? occurredAt,
      ...factsOf(resource),
      ...state,
    },
  };
}

/** The dispute as PayPal's record has it: webhooks often leave out the merchant's own references. */
export async function lookUpPaypalDispute(
  client: PaypalClient,
  { pspDisputeId }: DisputeQuestion,
): Promise<DisputeAnswer> {
  const sent = await client.dispute(pspDisputeId);
  if (sent.kind !== 'answered') return { kind: 'unavailable', reason: sent.reason };
  const dispute = parsedFields(sent.text);
  if (sent.status === 200 && dispute?.dispute_id === pspDisputeId) {
    return { kind: 'read', facts: factsOf(dispute) };
  }
  // The app may lack the feature: asking again would not change that.
  const isRefused = [401, 403, 404].includes(sent.status);
  if (isRefused) return { kind: 'nothing' };
  return { kind: 'unavailable', reason: `PayPal answered with HTTP ${sent.status}` };
}

function factsOf(dispute: Fields) {
  const transactions = Array.isArray(dispute.disputed_transactions)
    ? dispute.disputed_transactions.map((item) => fieldsOf(item) ?? {})
    : [];
  const ids = transactions.map((item) => idOf(item.seller_transaction_id));
  const references = transactions.map((item) => idOf(item.invoice_number));
  const [first] = transactions;
  return {
    paymentIds: ids.filter((id) => id !== undefined),
    ...present({
      money: moneyOf(fieldsOf(dispute.dispute_amount)),
      respondBy: timeOf(dispute.seller_response_due_date),
      merchantReference: references.find((reference) => reference !== undefined),
      chargedAt: timeOf(first?.create_time),
    }),
    ...reasonFacts({
      code: textOf(dispute.external_reason_code),
      words: textOf(dispute.reason),
    }),
  };
}

function moneyOf(amount: Fields | undefined): Money | undefined {
  const { value, currency_code: currency } = amount ?? {};
  if (typeof value !== 'string' || !/^\d+(\.\d+)?$/.test(value)) return undefined;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const read = minorFromDecimal(Number(value), currency);
  return 'fault' in read ? undefined : { amountMinor: read.amountMinor, currency };
}
