import type { PspAnswer, PspRequest } from './http-psp.ts';
import { isAnswered, type TestDispute, type TestDisputes } from './test-disputes.ts';

const path = '/ca/services/DisputeService/v30/';

/** What Adyen offers for a dispute: the last is the sample of its Disputes API page. */
const reasons = [
  {
    defenseReasonCode: 'AIRLINECOMPELLINGEVIDENCE',
    defenseDocumentTypes: [
      ['FlightTicket', 'Required'],
      ['FlightTookPlace', 'Required'],
    ],
  },
  {
    defenseReasonCode: 'GOODSORSERVICESPROVIDED',
    defenseDocumentTypes: [
      ['GoodsOrServicesProvided', 'Required'],
      ['DefenseMaterial', 'Optional'],
    ],
  },
  {
    defenseReasonCode: 'SupplyDefenseMaterial',
    defenseDocumentTypes: [
      ['TIDorInvoice', 'Optional'],
      ['DefenseMaterial', 'Required'],
      ['AlternativeDefenseMaterial', 'AlternativeRequired'],
    ],
  },
] as const;

/** A dispute whose id ends so is offered the first reason alone. */
export const flightsOnly = '_flights_only';

/** A document as it lies there: its content is the file that came. */
interface LaidDocument {
  readonly defenseDocumentTypeCode: string;
  readonly contentType: string;
  readonly file: string;
}

/** Adyen's Disputes API v30; undefined for a request that is of another one. */
export function answerAdyenDispute(
  disputes: TestDisputes,
  { url, text }: PspRequest,
): PspAnswer | undefined {
  if (!url.pathname.startsWith(path)) return undefined;
  const body = JSON.parse(text);
  const dispute = disputes.find(body.disputePspReference);
  if (dispute === undefined) return failed(`Dispute ${body.disputePspReference} not found`);
  const operation = url.pathname.slice(path.length);
  if (operation === 'retrieveApplicableDefenseReasons') {
    const defenseReasons = offeredTo(dispute).map((reason) => reasonJson(reason, dispute));
    return { status: 200, body: { defenseReasons, disputeServiceResult: done } };
  }
  if (operation === 'acceptDispute') dispute.acceptCalls += 1;
  const fault = disputes.takeFault();
  if (fault === 'refused') return failed('The dispute is not defendable');
  if (fault === 'lost_before') return 'broken';
  const refusal = change(disputes, dispute, { operation, body });
  if (refusal !== undefined) return refusal;
  return fault === 'lost_after' ? 'broken' : { status: 200, body: { disputeServiceResult: done } };
}

const done = { success: true };

function failed(errorMessage: string): PspAnswer {
  return { status: 200, body: { disputeServiceResult: { success: false, errorMessage } } };
}

function offeredTo({ id }: TestDispute) {
  return id.endsWith(flightsOnly) ? reasons.slice(0, 1) : reasons;
}

function reasonJson(reason: (typeof reasons)[number], dispute: TestDispute) {
  const { defenseReasonCode, defenseDocumentTypes } = reason;
  return {
    defenseReasonCode,
    satisfied: isSatisfied(reason, dispute),
    defenseDocumentTypes: defenseDocumentTypes.map(([code, requirementLevel]) => ({
      defenseDocumentTypeCode: code,
      requirementLevel,
      available: laid(dispute, code) !== undefined,
    })),
  };
}

/** Every required document lies there, or the one that stands for them all. */
function isSatisfied(
  { defenseDocumentTypes }: (typeof reasons)[number],
  dispute: TestDispute,
): boolean {
  const of = (level: string) =>
    defenseDocumentTypes.filter(([, one]) => one === level).map(([code]) => laid(dispute, code));
  const alternatives = of('AlternativeRequired');
  return (
    of('Required').every((one) => one !== undefined) ||
    alternatives.some((one) => one !== undefined)
  );
}

function laid({ staged }: TestDispute, code: string): LaidDocument | undefined {
  return (staged as LaidDocument[]).find((one) => one.defenseDocumentTypeCode === code);
}

interface Asked {
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: a request's JSON
  readonly body: any;
}

function change(
  disputes: TestDisputes,
  dispute: TestDispute,
  { operation, body }: Asked,
): PspAnswer | undefined {
  if (operation === 'acceptDispute') {
    if (isAnswered(dispute)) return failed('The dispute was answered already');
    dispute.acceptances += 1;
    return undefined;
  }
  if (operation === 'supplyDefenseDocument') {
    for (const document of body.defenseDocuments) {
      const refusal = supply(disputes, dispute, document);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }
  if (operation === 'deleteDisputeDefenseDocument') {
    const document = laid(dispute, body.defenseDocumentType);
    if (document === undefined) return failed('There is no such document');
    dispute.staged.splice(dispute.staged.indexOf(document), 1);
    return undefined;
  }
  const reason = offeredTo(dispute).find(
    ({ defenseReasonCode }) => defenseReasonCode === body.defenseReasonCode,
  );
  if (operation !== 'defendDispute' || reason === undefined) return failed('Unknown reason');
  if (isAnswered(dispute)) return failed('The dispute was defended already');
  if (!isSatisfied(reason, dispute)) return failed('A required document is missing');
  dispute.submissions += 1;
  return undefined;
}

/** The types and sizes of Adyen's defense requirements; a document of a type replaces the one before. */
function supply(
  disputes: TestDisputes,
  dispute: TestDispute,
  document: {
    readonly content: string;
    readonly contentType: string;
    readonly defenseDocumentTypeCode: string;
  },
): PspAnswer | undefined {
  const { content, contentType, defenseDocumentTypeCode: code } = document;
  const isOffered = offeredTo(dispute).some(({ defenseDocumentTypes }) =>
    defenseDocumentTypes.some(([one]) => one === code),
  );
  const bytes = Buffer.from(content, 'base64');
  const most = mostBytes[contentType];
  if (!isOffered) return failed('Unknown document type');
  if (most === undefined || bytes.length > most) return failed('The document is not taken');
  const kept = disputes.receive({ name: code, contentType, bytes });
  if (kept === undefined) return failed('The document is not taken');
  const before = laid(dispute, code);
  if (before !== undefined) dispute.staged.splice(dispute.staged.indexOf(before), 1);
  dispute.staged.push({ defenseDocumentTypeCode: code, contentType, file: kept.id });
  return undefined;
}

const mostBytes: Readonly<Record<string, number>> = {
  'application/pdf': 2_000_000,
  'image/jpeg': 10_000_000,
  'image/tiff': 10_000_000,
};
