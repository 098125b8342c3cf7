import type { DisputeAnswer, DisputeQuestion } from '../../domain/disputes/dispute-look-up.ts';
import { normaliseDispute } from '../../domain/disputes/normalise/normalise-dispute.ts';
import type { DisputeField } from '../../domain/disputes/reported-dispute.ts';
import { present } from '../../domain/present.ts';
import { adyenInquiry } from '../../domain/psps/adyen/disputes.ts';
import type { ParsedEvent } from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, parsedFields, textOf } from '../answer-fields.ts';
import { reasonFacts } from '../dispute-reason.ts';
import { isOwnKey } from '../own-key.ts';
import { minorFromAdyen } from './amount.ts';
import type { AdyenClient } from './client.ts';
import type { AdyenAccount } from './credentials.ts';
import type { Notification } from './notifications/notification.ts';
import { timeOf } from './time-of.ts';

/**
 * The events that open, answer or end a dispute, or warn of fraud. Source: docs.adyen.com,
 * risk-management/disputes-api/dispute-notifications.
 */
const disputes: ReadonlySet<string> = new Set([
  'CHARGEBACK',
  'CHARGEBACK_REVERSED',
  'DISPUTE_DEFENSE_PERIOD_ENDED',
  'DISPUTE_OPENED_WITH_CHARGEBACK',
  'INFORMATION_SUPPLIED',
  'ISSUER_COMMENTS',
  'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
  'NOTIFICATION_OF_CHARGEBACK',
  'NOTIFICATION_OF_FRAUD',
  'PREARBITRATION_ACCEPTED',
  'PREARBITRATION_DECLINED',
  'PREARBITRATION_ISSUER_WITHDRAWN',
  'PREARBITRATION_LOST',
  'PREARBITRATION_OPEN',
  'PREARBITRATION_WON',
  'REQUEST_FOR_INFORMATION',
  'SCHEME_ARBITRATION',
  'SCHEME_ARBITRATION_LOST',
  'SCHEME_ARBITRATION_WON',
  'SECOND_CHARGEBACK',
]);

export function isDispute(eventCode: string): boolean {
  return disputes.has(eventCode);
}

/**
 * A dispute by one of its events. Its id is the event's pspReference, the same in all of them; the
 * payment is the originalReference, which later events may leave out. Signed are only those two, the
 * merchant's reference, the amount and the event's name: the rest is marked.
 */
export function parseDispute(item: Notification): ParsedEvent {
  const { additionalData, merchantReference, occurredAt } = item;
  const pspDisputeId = idOf(item.pspReference);
  const status = textOf(additionalData.disputeStatus);
  const stage = isOfInquiry(additionalData) ? adyenInquiry : undefined;
  const state = normaliseDispute('adyen', {
    event: item.eventCode,
    ...present({ stage, status }),
  });
  if (pspDisputeId === undefined || state === undefined) return { kind: 'dispute' };
  const amountMinor = minorFromAdyen(item.value, item.currency);
  const isMoney = amountMinor !== undefined && /^[A-Z]{3}$/.test(item.currency);
  const payments = [item.originalReference, additionalData.capturePspReference].map(idOf);
  const unsigned = unsignedFacts(item, additionalData);
  const signed = present({
    pspDisputeId,
    money: isMoney ? { amountMinor, currency: item.currency } : undefined,
    merchantReference: idOf(merchantReference),
    idempotencyKey: isOwnKey(merchantReference) ? merchantReference : undefined,
  });
  const capture = additionalData.capturePspReference === undefined ? [] : ['paymentIds' as const];
  const said = [
    ...(status === undefined ? [] : ['status' as const]),
    ...(stage === undefined ? [] : ['stage' as const]),
  ];
  const unsignedFields: readonly DisputeField[] = [
    'openedAt',
    ...(Object.keys(unsigned) as (keyof typeof unsigned)[]),
    ...capture,
    ...said,
  ];
  return {
    kind: 'dispute',
    dispute: {
      ...signed,
      ...unsigned,
      openedAt: occurredAt,
      paymentIds: payments.filter((id) => id !== undefined),
      unsignedFields,
      ...state,
    },
  };
}

/** A request for information has a reason of its own. Source: Adyen-openapi, Webhooks-v1, rfiReasonCode. */
function isOfInquiry({ rfiReasonCode, chargebackReasonCode }: Fields): boolean {
  return textOf(rfiReasonCode) !== undefined && textOf(chargebackReasonCode) === undefined;
}

function unsignedFacts(item: Notification, data: Fields) {
  return {
    ...present({
      respondBy: timeOf(data.defensePeriodEndsAt),
      pspCustomerId: idOf(data['recurring.shopperReference']) ?? idOf(data.shopperReference),
      paymentMethodId: idOf(data['recurring.recurringDetailReference']),
      networkTransactionId: idOf(data.networkTxReference),
    }),
    ...reasonFacts({
      scheme: item.paymentMethod ?? textOf(data.chargebackSchemeCode) ?? textOf(data.rfiSchemeCode),
      code: textOf(data.chargebackReasonCode) ?? textOf(data.rfiReasonCode),
      words: item.reason,
    }),
  };
}

/**
 * What Adyen's API bears out of a dispute. Of all that is unsigned it tells one thing: one that can be
 * defended now awaits an answer, so the status holds. No call of it (Adyen-openapi, DisputeService-v30)
 * reads a reason, a deadline or a shopper: those fields stay marked.
 */
export async function lookUpAdyenDispute(
  client: AdyenClient,
  account: AdyenAccount,
  { status: said, pspDisputeId }: DisputeQuestion,
): Promise<DisputeAnswer> {
  // Nothing else of it can be asked.
  if (said !== 'needs_response') return { kind: 'nothing' };
  const sent = await client.defenseReasons(account, {
    disputePspReference: pspDisputeId,
    merchantAccountCode: account.merchantAccount,
  });
  if (sent.kind !== 'answered') return { kind: 'unavailable', reason: sent.reason };
  const { status } = sent;
  // The credential may lack the role of the Disputes API: asking again would not change that.
  if (status === 401 || status === 403) return { kind: 'nothing' };
  const answer = parsedFields(sent.text);
  const isSuccess = fieldsOf(answer?.disputeServiceResult)?.success === true;
  const isDefendable =
    status === 200 && isSuccess && Array.isArray(answer?.defenseReasons)
      ? answer.defenseReasons.length > 0
      : undefined;
  if (isDefendable === true) return { kind: 'read', facts: {}, verified: ['status'] };
  if (status >= 500 || status === 429) return { kind: 'unavailable', reason: `HTTP ${status}` };
  return { kind: 'nothing' };
}
