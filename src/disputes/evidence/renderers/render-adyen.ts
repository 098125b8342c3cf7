import type { PacketContent } from '../packet.ts';
import { type AdyenDefenseReason, type AdyenDocument, planAdyenDefense } from './adyen-plan.ts';
import { attachmentsThatGo } from './attachment-places.ts';
import { type Rendered, takeNotes } from './rendered.ts';

/** The calls that defend a dispute: the documents first, then the reason. */
export interface AdyenDefense {
  readonly defenseReasonCode: string;
  readonly documents: readonly AdyenDocument[];
}

/**
 * Which of the reasons that Adyen offers is used, and which documents it gets. Adyen names the codes
 * for each dispute itself: of those offered, the one for compelling evidence is taken where the verdict is eligible, else
 * the one that has documents of their own for the most files, then for the packet, which claims nothing more than it
 * says; else the first. A reason can be used where each document that it requires is there, and each file has a
 * document: nothing that a person added is left out unsaid.
 * `staged`: the types of documents that lie there from us.
 */
export function renderAdyen(
  content: PacketContent,
  offered: readonly AdyenDefenseReason[],
  staged: ReadonlySet<string> = new Set(),
): Rendered<AdyenDefense | undefined> {
  const notes = takeNotes();
  const files = attachmentsThatGo(content);
  const plans = offered.map((reason) => planAdyenDefense(reason, { files, staged }));
  // The one that lacks least first: it is the one to make whole.
  for (const { code, lacks } of plans.toSorted(
    (one, other) => one.lacks.length - other.lacks.length,
  )) {
    if (lacks.length > 0) notes.without(code, lacks.join(', '));
  }
  const usable = plans.filter(({ lacks }) => lacks.length === 0);
  const compelling = usable.find(({ code }) => /compelling/i.test(code));
  const [ordinary] = usable
    .filter((plan) => plan !== compelling)
    .toSorted((one, other) => other.fit - one.fit);
  const chosen = content.verdict.eligible ? (compelling ?? ordinary) : ordinary;
  if (compelling !== undefined && chosen !== compelling) {
    notes.without(compelling.code, 'the verdict is not eligible');
  }
  if (chosen === undefined) {
    notes.without('defenseReasonCode', 'Adyen offers no reason that the packet satisfies');
    return { body: undefined, leftOut: notes.leftOut };
  }
  const { code: defenseReasonCode, documents } = chosen;
  return { body: { defenseReasonCode, documents }, leftOut: notes.leftOut };
}
