import {
  type AnalyticsIdentifiers,
  automaticScore,
  type DisputeIdentifiers,
  type MatchScore,
  scoreMatch,
} from './match-score.ts';

export interface Match extends MatchScore {
  readonly analyticsRecord: AnalyticsIdentifiers;
}

export type MatchOutcome =
  /** The first one holds. Equal ones of the same customer follow it, the newest first. */
  | { readonly kind: 'matched'; readonly matches: readonly Match[] }
  /** The best matches are of different customers: for a person to decide. */
  | { readonly kind: 'conflict'; readonly matches: readonly Match[] }
  /** Something is in common, but too little to act on: for a person to look at. */
  | { readonly kind: 'review'; readonly matches: readonly Match[] }
  | { readonly kind: 'none' };

/** Which analytics record belongs to a dispute. */
export function matchDispute(
  dispute: DisputeIdentifiers,
  analyticsRecords: readonly AnalyticsIdentifiers[],
): MatchOutcome {
  const matches = rankMatches(dispute, analyticsRecords);
  const best = matches[0];
  if (best === undefined) return { kind: 'none' };
  if (best.score < automaticScore) return { kind: 'review', matches };
  const equals = matches.filter(({ score }) => score === best.score);
  const isConflict = equals.some(
    ({ analyticsRecord }) => !isSameCustomer(analyticsRecord, best.analyticsRecord),
  );
  return isConflict ? { kind: 'conflict', matches: equals } : { kind: 'matched', matches: equals };
}

/**
 * Every analytics record that has something in common, best first: by score, then the newest, as it
 * is the nearest checkout before a renewal, then by id. One that is inherited and came after the charge
 * stands behind those that came before. No two analytics records are equal in this order.
 */
export function rankMatches(
  dispute: DisputeIdentifiers,
  analyticsRecords: readonly AnalyticsIdentifiers[],
): readonly Match[] {
  return analyticsRecords
    .map((analyticsRecord) => ({ analyticsRecord, ...scoreMatch(dispute, analyticsRecord) }))
    .filter(({ score }) => score > 0)
    .sort(
      (a, b) =>
        b.score - a.score ||
        Number(isLater(dispute, a)) - Number(isLater(dispute, b)) ||
        b.analyticsRecord.capturedAt.getTime() - a.analyticsRecord.capturedAt.getTime() ||
        (a.analyticsRecord.id < b.analyticsRecord.id ? -1 : 1),
    );
}

function isLater(
  { chargedAt }: DisputeIdentifiers,
  { isInherited, analyticsRecord }: Match,
): boolean {
  return isInherited && analyticsRecord.capturedAt > chargedAt;
}

/** By the PSP's customer id, or by the e-mail; without either nothing says that they are one. */
function isSameCustomer(one: AnalyticsIdentifiers, other: AnalyticsIdentifiers): boolean {
  if (one.id === other.id) return true;
  if (one.psp === other.psp && one.customerId !== undefined && other.customerId !== undefined) {
    return one.customerId === other.customerId;
  }
  return one.emailIndex !== undefined && one.emailIndex === other.emailIndex;
}
