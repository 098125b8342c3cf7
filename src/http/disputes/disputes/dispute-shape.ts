import { Type } from 'typebox';
import {
  type DisputeView,
  disputeOrigins,
  lookUpStates,
  matchStates,
} from '../../../disputes/dispute-ports.ts';
import {
  type DisputeState,
  disputeKinds,
  disputeStages,
  disputeStateName,
  disputeStatuses,
} from '../../../domain/disputes/normalise/dispute-state.ts';
import { reasonFamilies } from '../../../domain/disputes/normalise/reason-codes.ts';
import { daysLeft } from '../../../domain/disputes/normalise/respond-by.ts';
import { decimalNumber } from '../../../domain/money.ts';
import { present } from '../../../domain/present.ts';
import { psps } from '../../../domain/psps.ts';
import { enumField, timeField } from '../../fields.ts';

const optional = (description: string) => Type.Optional(Type.String({ description }));

/** A dispute in a list. */
export const disputeFields = {
  id: Type.String({ description: 'Our id of it.' }),
  psp: enumField(psps, 'Where the charge was made.'),
  psp_dispute_id: Type.String({ description: "The PSP's id of it." }),
  origin: enumField(disputeOrigins, 'Who reported it: the PSP, or you by POST /v1/disputes.'),
  kind: enumField(disputeKinds, 'A fraud warning has no stage and no status.'),
  state: Type.String({ description: 'Stage and status in one word.' }),
  stage: Type.Optional(enumField(disputeStages, 'How far it has come.')),
  status: Type.Optional(enumField(disputeStatuses, 'What is to be done, or how it ended.')),
  state_at: timeField('Since when, by the PSP.'),
  network: optional("The card's network."),
  reason: optional("The PSP's words for the reason."),
  reason_code: optional("The network's code."),
  reason_family: Type.Optional(enumField(reasonFamilies, 'What the code is about.')),
  amount: Type.Optional(Type.Number({ description: 'What is disputed, as a decimal.' })),
  currency: optional('Its currency.'),
  opened_at: timeField('When it was opened.'),
  respond_by: Type.Optional(timeField('When an answer is due.')),
  respond_by_source: optional('Who says so.'),
  is_psp_deadline: Type.Optional(
    Type.Boolean({ description: "False where it is reckoned and not the PSP's own date." }),
  ),
  days_left: Type.Optional(
    Type.Integer({ description: 'Whole UTC days until then; negative when it is past.' }),
  ),
  payment_ids: Type.Array(Type.String(), { description: "The PSP's names of the payment." }),
  invoice_id: optional('The invoice.'),
  subscription_id: optional('The subscription.'),
  customer_id: optional('Your id of the customer.'),
  psp_customer_id: optional("The PSP's id of the customer."),
  payment_method_id: optional("The PSP's id of the method."),
  network_transaction_id: optional("The network's id of the transaction."),
  unsigned_fields: Type.Array(Type.String(), {
    description: 'What no signature of the PSP covers: read it there before you act on it.',
  }),
  blocks_retries: Type.Boolean({
    description:
      'Whether retries on its card are stopped: while it is open, and after a fraud warning.',
  }),
  match_state: enumField(matchStates, 'Whether an analytics record of yours belongs to it.'),
  matched_by: Type.Optional(
    enumField(['rule', 'person'], 'Who made the match; what a person confirmed stays.'),
  ),
  look_up: enumField(
    lookUpStates,
    'Whether what the event left out was read at the PSP: none where nobody can be asked, pending until it answers, failed when it did not for days.',
  ),
};

export const disputeExample = {
  id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w',
  psp: 'stripe' as const,
  psp_dispute_id: 'du_1001',
  origin: 'psp' as const,
  kind: 'dispute' as const,
  state: 'needs_response',
  stage: 'chargeback' as const,
  status: 'needs_response' as const,
  state_at: '2026-06-01T09:00:00.000Z',
  network: 'visa',
  reason: 'fraudulent',
  reason_code: '10.4',
  reason_family: 'fraud' as const,
  amount: 49,
  currency: 'EUR',
  opened_at: '2026-06-01T09:00:00.000Z',
  respond_by: '2026-06-15T23:59:59.000Z',
  respond_by_source: 'stripe: evidence_details.due_by',
  is_psp_deadline: true,
  days_left: 14,
  payment_ids: ['ch_1001', 'pi_1001'],
  psp_customer_id: 'cus_1001',
  unsigned_fields: [],
  blocks_retries: true,
  match_state: 'matched' as const,
  matched_by: 'rule' as const,
  look_up: 'done' as const,
};

export const disputeSummaryShape = Type.Object(disputeFields, { title: 'DisputeSummary' });

/** @param now for the days that are left */
export function disputeJson(view: DisputeView, now: Date): Type.Static<typeof disputeSummaryShape> {
  const { facts, respondBy } = view;
  return present({
    id: view.disputeId,
    psp: view.psp,
    psp_dispute_id: view.pspDisputeId,
    origin: view.origin,
    ...stateJson(view.state),
    state_at: view.stateAt.toISOString(),
    network: facts.network,
    reason: facts.reason,
    reason_code: facts.reasonCode,
    reason_family: facts.reasonFamily,
    amount: facts.money === undefined ? undefined : decimalNumber(facts.money),
    currency: facts.money?.currency,
    opened_at: facts.openedAt.toISOString(),
    respond_by: respondBy?.at.toISOString(),
    respond_by_source: respondBy?.source,
    is_psp_deadline: respondBy?.isPspsOwn,
    days_left: respondBy === undefined ? undefined : daysLeft(respondBy.at, now),
    payment_ids: [...facts.paymentIds],
    invoice_id: facts.invoiceId,
    subscription_id: facts.subscriptionId,
    customer_id: view.customerId,
    psp_customer_id: facts.pspCustomerId,
    payment_method_id: facts.paymentMethodId,
    network_transaction_id: facts.networkTransactionId,
    unsigned_fields: [...(facts.unsignedFields ?? [])],
    blocks_retries: view.blocksRetries,
    match_state: view.matchState,
    matched_by: view.matchedBy,
    look_up: view.lookUp.state,
  });
}

/** The state's own fields, in a dispute and in each line of its history. */
export function stateJson(state: DisputeState) {
  const words = { kind: state.kind, state: disputeStateName(state) };
  return state.kind === 'dispute' ? { ...words, stage: state.stage, status: state.status } : words;
}
