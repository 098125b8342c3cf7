import type { JsonObject } from '../../../src/domain/payment.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A payment as the test server keeps it. */
export interface KeptPayment {
  readonly id: string;
  readonly requestedOn: Date;
  readonly body: Fields;
  readonly sourceId: string;
  readonly reference: string;
  /** The Cko-Idempotency-Key that it came with. */
  readonly key: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly approved: boolean;
  readonly code: string;
  readonly processing: Fields;
  /** Refunds of it, as its actions have them. */
  readonly refunds: Fields[];
}

/** What a source of the test server leads to, by its id. */
export function outcomeOf(
  sourceId: string,
): Pick<KeptPayment, 'status' | 'approved' | 'code' | 'processing'> {
  const declined = /^src_(?:lost_)?decline_(\w{5})(?:_mac_(\d\d))?(?:_rec_(\d\d))?$/.exec(sourceId);
  if (declined !== null) {
    const [, code = '20005', advice, recommendation] = declined;
    const processing = {
      ...(advice !== undefined && { partner_merchant_advice_code: advice }),
      ...(recommendation !== undefined && { recommendation_code: recommendation }),
    };
    return { status: 'Declined', approved: false, code, processing };
  }
  const status = /^src_status_(\w+)$/.exec(sourceId)?.[1]?.replaceAll('_', ' ');
  const code = /^src_code_(\d{5})$/.exec(sourceId)?.[1] ?? '10000';
  return { status: status ?? 'Authorized', approved: status !== 'Pending', code, processing: {} };
}

const summaries: Readonly<Record<string, string>> = { 20051: 'Insufficient Funds' };

/** A payment as the answer to its request has it. */
export function paymentJson(kept: KeptPayment): Fields {
  return {
    ...listedJson(kept),
    action_id: `act_${kept.id.slice(4)}`,
    auth_code: '710130',
    response_code: kept.code,
    response_summary: summaries[kept.code] ?? 'Approved',
    processed_on: '2026-11-02T09:00:00Z',
    risk: { flagged: kept.code === '10100' },
    processing: { acquirer_transaction_id: '1', ...kept.processing },
    a_field_of_tomorrow: { deeper: [1] },
    _links: { self: { href: `https://api.sandbox.checkout.com/payments/${kept.id}` } },
  };
}

/** A payment as the list has it: without response codes. */
export function listedJson(kept: KeptPayment): Fields {
  return {
    id: kept.id,
    requested_on: kept.requestedOn.toISOString().replace(/\.\d+Z$/, 'Z'),
    source: {
      id: kept.sourceId,
      type: 'card',
      scheme: schemeOf(kept),
      last4: '4242',
      fingerprint: `vnsdrvikkvre3dtrjjvlm5du4q_${kept.sourceId}`,
    },
    amount: kept.amount,
    currency: kept.currency,
    payment_type: 'Recurring',
    reference: kept.reference,
    status: kept.status,
    approved: kept.approved,
    scheme_id: `48819192${kept.id.slice(-4)}`,
    customer: { id: 'cus_1', email: 'jane@example.com' },
  };
}

/** A payment as a search has it: its status in small letters, and what it comes to so far. */
export function foundJson(kept: KeptPayment): Fields {
  const refunded = kept.refunds.reduce((sum, { amount }) => sum + Number(amount), 0);
  const isPaid = kept.status === 'Authorized' || kept.status === 'Captured';
  const captured = isPaid ? kept.amount : 0;
  return {
    ...listedJson(kept),
    amount_requested: kept.amount,
    status: (refunded > 0 ? 'Partially Refunded' : kept.status).toLowerCase(),
    balances: {
      total_authorized: captured,
      total_captured: captured,
      total_refunded: refunded,
    },
    actions: actionsJson(kept),
  };
}

export function actionsJson(kept: KeptPayment): readonly Fields[] {
  const authorisation = {
    id: `act_${kept.id.slice(4)}`,
    type: 'Authorization',
    amount: kept.amount,
    approved: kept.approved,
    response_code: kept.code,
    response_summary: summaries[kept.code] ?? 'Approved',
    processing: kept.processing,
  };
  if (kept.status !== 'Captured') return [...kept.refunds, authorisation];
  return [
    ...kept.refunds,
    { id: 'act_capture', type: 'Capture', approved: true, response_code: '10000' },
    authorisation,
  ];
}

function schemeOf({ sourceId }: KeptPayment): string {
  return sourceId.includes('_mac_') ? 'Mastercard' : 'Visa';
}

export function metadataOf({ body }: KeptPayment): JsonObject | undefined {
  return body.metadata as JsonObject | undefined;
}
