import {
  automaticScore,
  type CaptureIdentifiers,
  type DisputeIdentifiers,
  type MatchScore,
  scoreMatch,
} from './match-score.ts';

export interface Match extends MatchScore {
  readonly capture: CaptureIdentifiers;
}

export type MatchOutcome =
  /** The first one holds. Equal ones of the same customer follow it, the newest first. */
  | { readonly kind: 'matched'; readonly matches: readonly Match[] }
  /** The best matches are of different customers: for a person to decide. */
  | { readonly kind: 'conflict'; readonly matches: readonly Match[] }
  /** Something is in common, but too little to act on: for a person to look at. */
  | { readonly kind: 'review'; readonly matches: readonly Match[] }
  | { readonly kind: 'none' };

/** Which capture belongs to a dispute. */
export function matchDispute(
  dispute: DisputeIdentifiers,
  captures: readonly CaptureIdentifiers[],
): MatchOutcome {
  const matches = rankMatches(dispute, captures);
  const best = matches[0];
  if (best === undefined) return { kind: 'none' };
  if (best.score < automaticScore) return { kind: 'review', matches };
  const equals = matches.filter(({ score }) => score === best.score);
  const isConflict = equals.some(({ capture }) => !isSameCustomer(capture, best.capture));
  return isConflict ? { kind: 'conflict', matches: equals } : { kind: 'matched', matches: equals };
}

/**
 * Every capture that has something in common, best first: by score, then the newest, as it is the
 * nearest checkout before a renewal, then by id. No two captures are equal in this order.
 */
export function rankMatches(
  dispute: DisputeIdentifiers,
  captures: readonly CaptureIdentifiers[],
): readonly Match[] {
  return captures
    .map((capture) => ({ capture, ...scoreMatch(dispute, capture) }))
    .filter(({ score }) => score > 0)
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.capture.capturedAt.getTime() - a.capture.capturedAt.getTime() ||
        (a.capture.id < b.capture.id ? -1 : 1),
    );
}

/** By the PSP's customer id, or by the e-mail; without either nothing says that they are one. */
function isSameCustomer(one: CaptureIdentifiers, other: CaptureIdentifiers): boolean {
  if (one.id === other.id) return true;
  if (one.psp === other.psp && one.customerId !== undefined && other.customerId !== undefined) {
    return one.customerId === other.customerId;
  }
  return one.emailIndex !== undefined && one.emailIndex === other.emailIndex;
}
