import { Type } from 'typebox';
import type { IncomingDispute } from '../../../disputes/dispute-ports.ts';
import { disputeNetworkOf } from '../../../domain/disputes/normalise/dispute-network.ts';
import {
  disputeKinds,
  disputeStages,
  disputeStatuses,
} from '../../../domain/disputes/normalise/dispute-state.ts';
import { normaliseReason } from '../../../domain/disputes/normalise/normalise-reason.ts';
import type { ReportedDispute } from '../../../domain/disputes/reported-dispute.ts';
import type { Fault } from '../../../domain/json/fault.ts';
import { limits } from '../../../domain/limits.ts';
import { minorFromDecimal } from '../../../domain/money.ts';
import { present } from '../../../domain/present.ts';
import { psps } from '../../../domain/psps.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, idField, shapedField, textField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import type { DisputesContext } from '../caller.ts';
import { validationAnswer, validationDocs } from '../validation-answer.ts';
import { disputeFields } from './dispute-shape.ts';
import { faultItem } from './fault-item.ts';

const optionalId = (description: string) => Type.Optional(idField(description));

const reportShape = Type.Object({
  psp: enumField(psps, 'Where the charge was made.'),
  psp_dispute_id: idField("The PSP's id of it: the same one again is the same dispute."),
  kind: enumField(disputeKinds, 'A fraud warning has no stage and no status.'),
  stage: Type.Optional(enumField(disputeStages, 'How far it has come.')),
  status: Type.Optional(enumField(disputeStatuses, 'What is to be done, or how it ended.')),
  occurred_at: timeField('When that became so: an older report never replaces a newer one.'),
  opened_at: timeField('When it was opened.'),
  charged_at: Type.Optional(timeField('When the charge was made.')),
  respond_by: Type.Optional(timeField('When the PSP wants the answer.')),
  network: Type.Optional(textField("The card's network.", 32)),
  reason: Type.Optional(textField("The PSP's words for the reason.", limits.messageLength)),
  reason_code: Type.Optional(
    Type.String({ description: "The network's code.", minLength: 1, maxLength: 64 }),
  ),
  amount: Type.Optional(Type.Number({ description: 'What is disputed, as a decimal.' })),
  currency: Type.Optional(
    shapedField('Its currency.', '^[A-Z]{3}$', 'three upper-case letters of ISO 4217'),
  ),
  charge_id: optionalId("The PSP's id of the charge."),
  transaction_id: optionalId("Another name of the PSP's for the payment."),
  network_transaction_id: optionalId("The network's id of the transaction."),
  invoice_id: optionalId('The invoice.'),
  subscription_id: optionalId('The subscription.'),
  psp_customer_id: optionalId("The PSP's id of the customer."),
  payment_method_id: optionalId("The PSP's id of the method."),
  card_fingerprint: optionalId("The PSP's fingerprint of the card."),
  customer_email: Type.Optional(
    Type.String({
      description: 'The address that was paid with; kept as a keyed hash alone.',
      maxLength: 320,
      'x-id': true,
    }),
  ),
});
type Report = Type.Static<typeof reportShape>;

/** What no schema says. It sees the body as it came. */
function ruleFaults(given: unknown): readonly Fault[] {
  if (typeof given !== 'object' || given === null) return [];
  const value = given as Partial<Report>;
  const faults: Fault[] = [];
  const isDispute = value.kind === 'dispute';
  for (const at of ['stage', 'status'] as const) {
    if (isDispute && value[at] === undefined) faults.push({ at, text: 'A dispute has one' });
    if (value.kind === 'fraud_warning' && value[at] !== undefined) {
      faults.push({ at, text: 'A fraud warning has none' });
    }
  }
  if ((value.amount === undefined) !== (value.currency === undefined)) {
    faults.push({ at: 'amount', text: 'Amount and currency belong together' });
  } else if (typeof value.amount === 'number' && typeof value.currency === 'string') {
    const minor = minorFromDecimal(value.amount, value.currency);
    if ('fault' in minor) faults.push({ at: 'amount', text: 'Input is no amount of the currency' });
  }
  return faults;
}

const example = {
  psp: 'paypal',
  psp_dispute_id: 'PP-D-1001',
  kind: 'dispute',
  stage: 'inquiry',
  status: 'needs_response',
  occurred_at: '2026-06-01T09:00:00Z',
  opened_at: '2026-06-01T09:00:00Z',
  amount: 49,
  currency: 'EUR',
  transaction_id: '8RT1001',
};

/** POST /v1/disputes: disputes of PSPs that do not tell of them themselves. */
export const reportDispute = defineEndpoint({
  method: 'POST',
  path: '/v1/disputes',
  scope: 'intake',
  docs: {
    id: 'reportDispute',
    tag: 'Disputes',
    summary: 'Report a dispute',
    description:
      'For PSPs whose webhooks do not come here. The answer means that it is durable, and that the open retries of its card are stopped. Each report of the same dispute updates it.',
  },
  schema: { body: reportShape },
  body: { rules: ruleFaults, mediaType: 'application/json', examples: { example } },
  answers: {
    200: {
      description: 'It is kept.',
      schema: Type.Object({ id: disputeFields.id }),
      example: { id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w' },
    },
    422: validationDocs,
  },
  async answer({ body }, { disputes, merchantId }: DisputesContext) {
    const disputeId = await disputes.report(incomingOf(merchantId, body));
    return disputeId === undefined
      ? validationAnswer([
          faultItem('body', { at: 'psp_dispute_id', text: 'Input cannot be kept as an id' }),
        ])
      : jsonAnswer(200, { id: disputeId });
  },
});

function incomingOf(merchantId: string, told: Report): Omit<IncomingDispute, 'origin'> {
  const { psp, stage, status, amount, currency } = told;
  const known = normaliseReason(told.network ?? '', told.reason_code ?? '');
  const money =
    amount === undefined || currency === undefined ? undefined : minorFromDecimal(amount, currency);
  const at = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const facts = {
    pspDisputeId: told.psp_dispute_id,
    openedAt: new Date(told.opened_at),
    paymentIds: [told.charge_id, told.transaction_id].filter((id) => id !== undefined),
    ...present({
      network: disputeNetworkOf(told.network ?? ''),
      reason: told.reason,
      reasonCode: known?.code ?? told.reason_code,
      reasonFamily: known?.family,
      money:
        money !== undefined && 'amountMinor' in money && currency !== undefined
          ? { amountMinor: money.amountMinor, currency }
          : undefined,
      chargedAt: at(told.charged_at),
      respondBy: at(told.respond_by),
      networkTransactionId: told.network_transaction_id,
      invoiceId: told.invoice_id,
      subscriptionId: told.subscription_id,
      pspCustomerId: told.psp_customer_id,
      paymentMethodId: told.payment_method_id,
      cardFingerprint: told.card_fingerprint,
    }),
  };
  const dispute: ReportedDispute =
    stage === undefined || status === undefined
      ? { ...facts, kind: 'fraud_warning' }
      : { ...facts, kind: 'dispute', stage, status };
  const occurredAt = new Date(told.occurred_at);
  return { merchantId, psp, dispute, occurredAt, ...present({ email: told.customer_email }) };
}
