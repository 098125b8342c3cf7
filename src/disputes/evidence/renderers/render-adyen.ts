import type { PacketContent } from '../packet.ts';
import { type Rendered, takeNotes } from './rendered.ts';

/** What Adyen's retrieveApplicableDefenseReasons gives for a dispute. */
export interface AdyenDefenseReason {
  readonly defenseReasonCode: string;
  readonly defenseDocumentTypes: readonly {
    readonly defenseDocumentTypeCode: string;
    /** `Required`, `OneOrMore`, `Optional`, `AlternativeRequired`. */
    readonly requirementLevel: string;
    readonly available: boolean;
  }[];
}

/** The calls that defend a dispute: the documents first, then the reason. */
export interface AdyenDefense {
  readonly defenseReasonCode: string;
  readonly documents: readonly {
    readonly defenseDocumentTypeCode: string;
    readonly contentType: 'application/pdf';
    /** What the document is: the packet's PDF is all that there is to give. */
    readonly content: 'packet_pdf';
  }[];
}

/**
 * Which of the reasons that Adyen offers is used, and which documents it gets. Adyen names the codes
 * for each dispute itself, so none is written here: of those offered, the one for compelling evidence
 * is taken where the verdict is eligible, else the first that the packet satisfies by one document.
 */
export function renderAdyen(
  content: PacketContent,
  offered: readonly AdyenDefenseReason[],
): Rendered<AdyenDefense | undefined> {
  const notes = takeNotes();
  const usable = offered.filter((reason) => {
    const wanted = documentsOf(reason);
    if (wanted.length === 1) return true;
    notes.without(
      reason.defenseReasonCode,
      `it wants ${wanted.length} documents, the packet is one`,
    );
    return false;
  });
  const compelling = usable.find((reason) => /compelling/i.test(reason.defenseReasonCode));
  const ordinary = usable.find((reason) => reason !== compelling);
  const chosen = content.verdict.eligible ? (compelling ?? ordinary) : ordinary;
  if (compelling !== undefined && chosen !== compelling) {
    notes.without(compelling.defenseReasonCode, 'the verdict is not eligible');
  }
  if (chosen === undefined) {
    notes.without('defenseReasonCode', 'Adyen offers no reason that the packet satisfies');
    return { body: undefined, leftOut: notes.leftOut };
  }
  const body: AdyenDefense = {
    defenseReasonCode: chosen.defenseReasonCode,
    documents: documentsOf(chosen).map((defenseDocumentTypeCode) => ({
      defenseDocumentTypeCode,
      contentType: 'application/pdf',
      content: 'packet_pdf',
    })),
  };
  return { body, leftOut: notes.leftOut };
}

/** The document types still to be supplied: every required one, and one of alternatives. */
function documentsOf({ defenseDocumentTypes }: AdyenDefenseReason): readonly string[] {
  const open = defenseDocumentTypes.filter(({ available }) => !available);
  const required = open.filter(({ requirementLevel }) => requirementLevel === 'Required');
  const others = open.filter(({ requirementLevel }) =>
    ['OneOrMore', 'AlternativeRequired'].includes(requirementLevel),
  );
  const wanted = required.length > 0 ? required : others.slice(0, 1);
  return wanted.map(({ defenseDocumentTypeCode }) => defenseDocumentTypeCode);
}
