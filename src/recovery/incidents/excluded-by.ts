import type { Exclusion, Incident } from './incident-ports.ts';

/** What the rule needs to know of an incident. */
export type DecidedIncident = Pick<Incident, 'incidentId' | 'state'> & {
  /** A person began to leave it as it is. */
  readonly isLeft: boolean;
};

/**
 * A contradiction that a PSP's event tells of stands in the PSP's list as well, and is an incident there, too:
 * the money of both is the same, and is kept or given back once. Which of the others excludes a decision of this one.
 */
export function excludedBy(
  decision: 'refund' | 'dismiss',
  { own, others }: { readonly own: DecidedIncident; readonly others: readonly DecidedIncident[] },
): Exclusion | undefined {
  // A dismissal that was cut off excludes each refund since, and is ended.
  if (decision === 'dismiss' && own.isLeft) return undefined;
  const refunding = others.find(({ state }) => state === 'refunding');
  if (refunding !== undefined) return { incidentId: refunding.incidentId, why: 'refunding' };
  if (decision === 'dismiss') {
    const refunded = others.find(({ state }) => state === 'refunded');
    return refunded && { incidentId: refunded.incidentId, why: 'refunded' };
  }
  const kept = others.find(({ state, isLeft }) => isLeft || state === 'dismissed');
  return kept && { incidentId: kept.incidentId, why: 'kept' };
}

/** The same in a sentence, with what can be decided instead. */
export function exclusionText({ incidentId, why }: Exclusion): string {
  switch (why) {
    case 'refunding':
      return `A refund of its charge is in progress with the incident ${incidentId}.`;
    case 'refunded':
      return `The money of its charge was given back with the incident ${incidentId}: refund this one as well, which gives nothing back a second time.`;
    case 'kept':
      return `The money of its charge is kept by the dismissal of the incident ${incidentId}: dismiss this one as well.`;
  }
}
