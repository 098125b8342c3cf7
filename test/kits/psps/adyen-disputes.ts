import type { PspAnswer, PspRequest } from './http-psp.ts';
import { isAnswered, type TestDispute, type TestDisputes } from './test-disputes.ts';

const path = '/ca/services/DisputeService/v30/';

/** What Adyen offers for a dispute of Visa's fraud reasons. */
const reasons = [
  {
    defenseReasonCode: 'AIRLINECOMPELLINGEVIDENCE',
    satisfied: false,
    defenseDocumentTypes: [
      documentType('FlightTicket', 'Required'),
      documentType('FlightTookPlace', 'Required'),
    ],
  },
  {
    defenseReasonCode: 'GOODSORSERVICESPROVIDED',
    satisfied: false,
    defenseDocumentTypes: [
      documentType('GoodsOrServicesProvided', 'Required'),
      documentType('DefenseMaterial', 'Optional'),
    ],
  },
];

function documentType(defenseDocumentTypeCode: string, requirementLevel: string) {
  return { defenseDocumentTypeCode, requirementLevel, available: false };
}

/** Adyen's Disputes API v30; undefined for a request that is of another one. */
export function answerAdyenDispute(
  disputes: TestDisputes,
  { url, text }: PspRequest,
): PspAnswer | undefined {
  if (!url.pathname.startsWith(path)) return undefined;
  const body = JSON.parse(text);
  const dispute = disputes.find(body.disputePspReference);
  if (dispute === undefined) return failed('Dispute not found');
  const operation = url.pathname.slice(path.length);
  if (operation === 'retrieveApplicableDefenseReasons') {
    return { status: 200, body: { defenseReasons: reasons, disputeServiceResult: done } };
  }
  if (operation === 'acceptDispute') dispute.acceptCalls += 1;
  const fault = disputes.takeFault();
  if (fault === 'refused') return failed('The dispute is not defendable');
  if (fault === 'lost_before') return 'broken';
  const refusal = change(dispute, operation, body);
  if (refusal !== undefined) return refusal;
  return fault === 'lost_after' ? 'broken' : { status: 200, body: { disputeServiceResult: done } };
}

const done = { success: true };

function failed(errorMessage: string): PspAnswer {
  return { status: 200, body: { disputeServiceResult: { success: false, errorMessage } } };
}

function change(
  dispute: TestDispute,
  operation: string,
  // biome-ignore lint/suspicious/noExplicitAny: a request's JSON
  body: any,
): PspAnswer | undefined {
  if (operation === 'supplyDefenseDocument') {
    dispute.staged.splice(0, dispute.staged.length, ...body.defenseDocuments);
    return undefined;
  }
  if (operation === 'acceptDispute') {
    if (isAnswered(dispute)) return failed('The dispute was answered already');
    dispute.acceptances += 1;
    return undefined;
  }
  const known = reasons.some(
    ({ defenseReasonCode }) => defenseReasonCode === body.defenseReasonCode,
  );
  if (operation !== 'defendDispute' || !known) return failed('Unknown defense reason');
  if (isAnswered(dispute)) return failed('The dispute was defended already');
  dispute.submissions += 1;
  return undefined;
}
