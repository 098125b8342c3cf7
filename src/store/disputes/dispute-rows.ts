import type { DisputeRecord, DisputeView, MatchState } from '../../disputes/dispute-ports.ts';
import type {
  DisputeStage,
  DisputeState,
  DisputeStatus,
} from '../../domain/disputes/normalise/dispute-state.ts';
import type { DisputeFacts } from '../../domain/disputes/reported-dispute.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';

/** A dispute's columns, as they are read and written. */
export interface DisputeRow {
  readonly merchant_id: string;
  readonly dispute_id: string;
  readonly psp: Psp;
  readonly psp_dispute_id: string;
  readonly origin: DisputeRecord['origin'];
  readonly kind: DisputeState['kind'];
  readonly stage: DisputeStage | null;
  readonly status: DisputeStatus | null;
  readonly state_at: Date;
  readonly stage_begun_at: Date;
  readonly network: NonNullable<DisputeFacts['network']> | null;
  readonly reason: string | null;
  readonly reason_code: string | null;
  readonly reason_family: NonNullable<DisputeFacts['reasonFamily']> | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  readonly opened_at: Date;
  readonly charged_at: Date | null;
  readonly respond_by: Date | null;
  readonly respond_by_source: string | null;
  readonly is_psp_deadline: boolean | null;
  readonly payment_ids: readonly string[];
  readonly merchant_reference: string | null;
  readonly idempotency_key: string | null;
  readonly network_transaction_id: string | null;
  readonly invoice_id: string | null;
  readonly subscription_id: string | null;
  readonly customer_id: string | null;
  readonly psp_customer_id: string | null;
  readonly payment_method_id: string | null;
  readonly card_fingerprint: string | null;
  readonly card_last4: string | null;
  readonly email_index: Buffer | null;
  readonly unsigned_fields: NonNullable<DisputeFacts['unsignedFields']>;
  readonly look_up_state: DisputeRecord['lookUp']['state'];
  readonly look_ups: number;
  readonly next_look_up_at: Date | null;
}

export interface DisputeViewRow extends DisputeRow {
  readonly match_state: MatchState;
  readonly matched_at: Date | null;
  readonly matched_by: 'rule' | 'person' | null;
  readonly blocks_retries: boolean;
}

/** Every column of `DisputeRow`, in the order in which it is written. */
export const disputeColumns = [
  ...['merchant_id', 'dispute_id', 'psp', 'psp_dispute_id', 'origin', 'kind', 'stage', 'status'],
  ...['state_at', 'stage_begun_at', 'network', 'reason', 'reason_code', 'reason_family'],
  ...['amount_minor', 'currency', 'opened_at', 'charged_at', 'respond_by', 'respond_by_source'],
  ...['is_psp_deadline', 'payment_ids', 'merchant_reference', 'idempotency_key'],
  ...['network_transaction_id', 'invoice_id', 'subscription_id', 'customer_id', 'psp_customer_id'],
  ...['payment_method_id', 'card_fingerprint', 'card_last4', 'email_index', 'unsigned_fields'],
  ...['look_up_state', 'look_ups', 'next_look_up_at'],
] as readonly (keyof DisputeRow)[];

export function stateOf(
  row: Pick<DisputeRow, 'stage' | 'status'> & { readonly kind?: string },
): DisputeState {
  const { stage, status } = row;
  if (stage === null || status === null) return { kind: 'fraud_warning' };
  return { kind: 'dispute', stage, status };
}

export function toRecord(row: DisputeRow): DisputeRecord {
  const { respond_by: at, respond_by_source: source, is_psp_deadline: isPspsOwn } = row;
  return {
    merchantId: row.merchant_id,
    disputeId: row.dispute_id,
    psp: row.psp,
    pspDisputeId: row.psp_dispute_id,
    origin: row.origin,
    state: stateOf(row),
    stateAt: row.state_at,
    stageBegunAt: row.stage_begun_at,
    facts: toFacts(row),
    lookUp: {
      state: row.look_up_state,
      tries: row.look_ups,
      ...present({ nextAt: row.next_look_up_at ?? undefined }),
    },
    ...present({ customerId: row.customer_id ?? undefined }),
    ...(at !== null &&
      source !== null &&
      isPspsOwn !== null && { respondBy: { at, source, isPspsOwn } }),
  };
}

export function toView(row: DisputeViewRow): DisputeView {
  return {
    ...toRecord(row),
    matchState: row.match_state,
    blocksRetries: row.blocks_retries,
    ...present({ matchedAt: row.matched_at ?? undefined, matchedBy: row.matched_by ?? undefined }),
  };
}

function toFacts(row: DisputeRow): DisputeFacts {
  const { amount_minor: amountMinor, currency } = row;
  return {
    pspDisputeId: row.psp_dispute_id,
    openedAt: row.opened_at,
    paymentIds: row.payment_ids,
    unsignedFields: row.unsigned_fields,
    ...(amountMinor !== null && currency !== null && { money: { amountMinor, currency } }),
    ...present({
      network: row.network ?? undefined,
      reason: row.reason ?? undefined,
      reasonCode: row.reason_code ?? undefined,
      reasonFamily: row.reason_family ?? undefined,
      chargedAt: row.charged_at ?? undefined,
      respondBy: row.is_psp_deadline === true ? (row.respond_by ?? undefined) : undefined,
      merchantReference: row.merchant_reference ?? undefined,
      idempotencyKey: row.idempotency_key ?? undefined,
      networkTransactionId: row.network_transaction_id ?? undefined,
      invoiceId: row.invoice_id ?? undefined,
      subscriptionId: row.subscription_id ?? undefined,
      pspCustomerId: row.psp_customer_id ?? undefined,
      paymentMethodId: row.payment_method_id ?? undefined,
      cardFingerprint: row.card_fingerprint ?? undefined,
      cardLast4: row.card_last4 ?? undefined,
      emailIndex: row.email_index?.toString('hex'),
    }),
  };
}

/** The values of a record, by column. */
export function toRow(record: DisputeRecord): Readonly<Record<keyof DisputeRow, unknown>> {
  const { facts, state, respondBy } = record;
  const isDispute = state.kind === 'dispute';
  return {
    merchant_id: record.merchantId,
    dispute_id: record.disputeId,
    psp: record.psp,
    psp_dispute_id: record.pspDisputeId,
    origin: record.origin,
    kind: state.kind,
    stage: isDispute ? state.stage : null,
    status: isDispute ? state.status : null,
    state_at: record.stateAt,
    stage_begun_at: record.stageBegunAt,
    network: facts.network,
    reason: facts.reason,
    reason_code: facts.reasonCode,
    reason_family: facts.reasonFamily,
    amount_minor: facts.money?.amountMinor,
    currency: facts.money?.currency,
    opened_at: facts.openedAt,
    charged_at: facts.chargedAt,
    respond_by: respondBy?.at,
    respond_by_source: respondBy?.source,
    is_psp_deadline: respondBy?.isPspsOwn,
    payment_ids: facts.paymentIds,
    merchant_reference: facts.merchantReference,
    idempotency_key: facts.idempotencyKey,
    network_transaction_id: facts.networkTransactionId,
    invoice_id: facts.invoiceId,
    subscription_id: facts.subscriptionId,
    customer_id: record.customerId,
    psp_customer_id: facts.pspCustomerId,
    payment_method_id: facts.paymentMethodId,
    card_fingerprint: facts.cardFingerprint,
    card_last4: facts.cardLast4,
    email_index: facts.emailIndex === undefined ? null : Buffer.from(facts.emailIndex, 'hex'),
    unsigned_fields: facts.unsignedFields ?? [],
    look_up_state: record.lookUp.state,
    look_ups: record.lookUp.tries,
    next_look_up_at: record.lookUp.nextAt,
  };
}
