import type { Money } from '../money.ts';
import { isStorableId, truncatedText } from '../truncated-text.ts';
import type { DisputeNetwork } from './normalise/dispute-network.ts';
import type { DisputeState } from './normalise/dispute-state.ts';
import type { ReasonFamily } from './normalise/reason-codes.ts';

/** A dispute or a fraud warning as a PSP tells of it, in one vocabulary for all PSPs. */
export type ReportedDispute = DisputeFacts & DisputeState;

export interface DisputeFacts {
  /** The PSP's id of it, the same in each of its events. */
  readonly pspDisputeId: string;
  /** What the PSP calls the reason, in its own words. */
  readonly reason?: string;
  /** The network's code, in the network's present spelling where a table has it. */
  readonly reasonCode?: string;
  readonly reasonFamily?: ReasonFamily;
  readonly network?: DisputeNetwork;
  /** What is disputed, which may be a part of the charge. A fraud warning may name none. */
  readonly money?: Money;
  readonly openedAt: Date;
  /** When the charge was made. */
  readonly chargedAt?: Date;
  /** The PSP's own deadline. */
  readonly respondBy?: Date;
  /** Every name that the PSP has for the payment, the charge's own first. */
  readonly paymentIds: readonly string[];
  readonly merchantReference?: string;
  /** Of a charge that Recoup made. */
  readonly idempotencyKey?: string;
  readonly networkTransactionId?: string;
  readonly invoiceId?: string;
  readonly subscriptionId?: string;
  readonly pspCustomerId?: string;
  readonly paymentMethodId?: string;
  readonly cardFingerprint?: string;
  readonly cardLast4?: string;
  /** Keyed hash of the payer's e-mail address in hexadecimal; the address itself is not kept. */
  readonly emailIndex?: string;
  /** Fields that no signature covers: whoever acts on them reads them at the PSP first. */
  readonly unsignedFields?: readonly DisputeField[];
}

export type DisputeField = Exclude<keyof DisputeFacts, 'unsignedFields'> | 'stage' | 'status';

/** Every name of a dispute's invoice: most merchants send its id as their reference. */
export function invoiceIdsOf(
  facts: Pick<DisputeFacts, 'invoiceId' | 'merchantReference'>,
): readonly string[] {
  return [facts.invoiceId, facts.merchantReference].filter((id) => id !== undefined);
}

const idFields = [
  'merchantReference',
  'idempotencyKey',
  'networkTransactionId',
  'invoiceId',
  'subscriptionId',
  'pspCustomerId',
  'paymentMethodId',
  'cardFingerprint',
] as const satisfies readonly (keyof DisputeFacts)[];

/** A payment has three names at most, and a dispute at PayPal up to 1000 transactions. */
export const maxPaymentIds = 1_000;
const reasonCodeLength = 64;

/**
 * A report as it can be kept: without ids that cannot, since a dispute must not be lost for one of
 * them. Undefined where its own id cannot be kept.
 */
export function keptDispute(dispute: ReportedDispute): ReportedDispute | undefined {
  if (!isStorableId(dispute.pspDisputeId)) return undefined;
  const dropped = new Set<string>(idFields.filter((field) => !isStorableId(dispute[field] ?? '')));
  if (!/^\d{4}$/.test(dispute.cardLast4 ?? '')) dropped.add('cardLast4');
  const code = dispute.reasonCode ?? '';
  if (!isStorableId(code) || code.length > reasonCodeLength) dropped.add('reasonCode');
  const fields = Object.entries(dispute).filter(([field]) => !dropped.has(field));
  const { reason, paymentIds } = dispute;
  return {
    ...(Object.fromEntries(fields) as unknown as ReportedDispute),
    ...(reason !== undefined && { reason: truncatedText(reason) }),
    paymentIds: [...new Set(paymentIds)].filter(isStorableId).slice(0, maxPaymentIds),
  };
}
