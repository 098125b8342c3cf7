import { type AttachmentKind, attachmentKinds } from '../../added/attachment.ts';
import type { PlacedAttachment } from './attachment-places.ts';
import { adyenDocumentTypes, adyenGeneralTypes } from './file-rules.ts';

/** What Adyen's retrieveApplicableDefenseReasons gives for a dispute. */
export interface AdyenDefenseReason {
  readonly defenseReasonCode: string;
  readonly defenseDocumentTypes: readonly AdyenDocumentType[];
}

export interface AdyenDocumentType {
  readonly defenseDocumentTypeCode: string;
  /** `Required`, `OneOrMore`, `Optional`, `AlternativeRequired`. */
  readonly requirementLevel: string;
  /** Whether a document of the type lies there. */
  readonly available: boolean;
}

export interface AdyenDocument {
  readonly defenseDocumentTypeCode: string;
  /** What the document is: the packet's PDF, or a file that a person added. */
  readonly content: 'packet_pdf' | PlacedAttachment;
}

/** What a reason would get, and what it lacks. */
export interface AdyenPlan {
  readonly code: string;
  readonly documents: readonly AdyenDocument[];
  /** How well the documents fit: a file of a type of its own says more than a packet of one. */
  readonly fit: number;
  /** Why it cannot be used; empty where it can. */
  readonly lacks: readonly string[];
}

/** Adyen holds one document of a type: they are deleted by their types alone. */
type Assignment = ReadonlyMap<string, AdyenDocument['content']>;

interface Given {
  readonly files: readonly PlacedAttachment[];
  /** Types of documents that lie there from us: they are replaced or deleted. */
  readonly staged: ReadonlySet<string>;
}

/** Types that a packet is by its nature, where a reason has one. */
const packetTypes: readonly string[] = [
  'DefenseMaterial',
  'WrittenRebuttal',
  'CompellingEvidence',
  'AlternativeDefenseMaterial',
];
const levels: readonly string[] = ['Required', 'OneOrMore', 'AlternativeRequired'];

/** The packet is one document: of the types that it may be, that with which least is lacking and the documents fit best. */
export function planAdyenDefense(reason: AdyenDefenseReason, given: Given): AdyenPlan {
  const { defenseReasonCode: code, defenseDocumentTypes: types } = reason;
  if (!types.some(({ requirementLevel }) => levels.includes(requirementLevel))) {
    return { code, documents: [], fit: 0, lacks: ['it asks for no document'] };
  }
  const plans = typesForPacket(types).map((packetType) => planWith(reason, packetType, given));
  return plans.reduce((best, plan) => (isBetter(plan, best) ? plan : best));
}

function isBetter(one: AdyenPlan, other: AdyenPlan): boolean {
  const more = one.documents.length - other.documents.length;
  const less = other.lacks.length - one.lacks.length;
  return less > 0 || (less === 0 && (more > 0 || (more === 0 && one.fit > other.fit)));
}

/** What a reason requires before what it may have, and general types before others. */
function typesForPacket(types: readonly AdyenDocumentType[]): readonly string[] {
  const rank = ({ defenseDocumentTypeCode: code, requirementLevel }: AdyenDocumentType) => {
    const level = levels.indexOf(requirementLevel);
    const ofPacket = packetTypes.indexOf(code);
    return (
      (level < 0 ? levels.length : level) * 100 + (ofPacket < 0 ? packetTypes.length : ofPacket)
    );
  };
  return types
    .filter(
      ({ defenseDocumentTypeCode: code, requirementLevel }) =>
        levels.includes(requirementLevel) || packetTypes.includes(code),
    )
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ defenseDocumentTypeCode }) => defenseDocumentTypeCode);
}

function planWith(reason: AdyenDefenseReason, packetType: string, given: Given): AdyenPlan {
  const { defenseReasonCode: code, defenseDocumentTypes: types } = reason;
  const offered = new Set(types.map(({ defenseDocumentTypeCode }) => defenseDocumentTypeCode));
  const assigned = new Map<string, AdyenDocument['content']>([[packetType, 'packet_pdf']]);
  const place = (file: PlacedAttachment, among: readonly string[]): boolean => {
    const type = among.find((one) => offered.has(one) && !assigned.has(one));
    if (type !== undefined) assigned.set(type, file);
    return type !== undefined;
  };
  const others = given.files.filter((file) => !place(file, adyenDocumentTypes[kindOf(file)]));
  const left = others.filter((file) => !place(file, adyenGeneralTypes));
  return {
    code,
    documents: [...assigned].map(([defenseDocumentTypeCode, content]) => ({
      defenseDocumentTypeCode,
      content,
    })),
    fit: 2 * (given.files.length - others.length) + (packetTypes.includes(packetType) ? 1 : 0),
    lacks: [...missingIn(types, assigned, given), ...withoutPlace(left)],
  };
}

/**
 * Every required document, and one of those of which one is enough; or the general one that stands for them all. What
 * others laid there counts.
 */
function missingIn(
  types: readonly AdyenDocumentType[],
  assigned: Assignment,
  { staged }: Given,
): readonly string[] {
  const isThere = ({ defenseDocumentTypeCode: code, available }: AdyenDocumentType) =>
    assigned.has(code) || (available && !staged.has(code));
  const of = (level: string) => types.filter(({ requirementLevel }) => requirementLevel === level);
  if (of('AlternativeRequired').some(isThere)) return [];
  const required = of('Required').filter((type) => !isThere(type));
  const oneOf = of('OneOrMore');
  const lacksOne = oneOf.length > 0 && !oneOf.some(isThere);
  return [
    ...required.map((type) => `it requires ${wanted(type)}`),
    ...(lacksOne ? [`it requires one of ${oneOf.map(wanted).join(', ')}`] : []),
  ];
}

/** A type, and of which kind a file is that goes there. */
function wanted({ defenseDocumentTypeCode: code }: AdyenDocumentType): string {
  const kinds = attachmentKinds.filter((kind) => adyenDocumentTypes[kind].includes(code));
  return kinds.length === 0 ? code : `${code} (a file of the kind ${kinds.join(' or ')})`;
}

function withoutPlace(files: readonly PlacedAttachment[]): readonly string[] {
  if (files.length === 0) return [];
  const which = files.map(({ attachment, number }) => `attachment ${number} (${attachment.kind})`);
  return [`it has no document for ${which.join(', ')}`];
}

function kindOf({ attachment }: PlacedAttachment): AttachmentKind {
  return attachment.kind;
}
