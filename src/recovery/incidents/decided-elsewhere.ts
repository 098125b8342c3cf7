import { present } from '../../domain/present.ts';
import type { Incident, IncidentStore } from './incident-ports.ts';

/** What was decided of the other incidents of the same charge, which excludes a decision of this one. */
export interface DecidedElsewhere {
  /** The refund that gave the money back. */
  readonly refundId?: string;
  /** Why this one cannot be refunded, in a sentence. */
  readonly noRefund?: string;
  /** Why it cannot be dismissed. */
  readonly noDismissal?: string;
}

/**
 * A contradiction that a PSP's event tells of stands in the PSP's list as well, and is an incident there, too:
 * the money of both is the same, and is kept or given back once.
 */
export async function decidedElsewhere(
  { incidents }: { readonly incidents: Pick<IncidentStore, 'findByCharge'> },
  incident: Incident,
): Promise<DecidedElsewhere> {
  const { merchantId, psp, incidentId, theirs } = incident;
  const pspTransactionId = theirs?.pspTransactionId;
  if (theirs?.state !== 'succeeded' || pspTransactionId === undefined) return {};
  const all = await incidents.findByCharge({ merchantId, psp, pspTransactionId });
  const others = all.filter(
    (each) => each.incidentId !== incidentId && each.theirs?.state === 'succeeded',
  );
  const refunding = others.find(({ state }) => state === 'refunding');
  if (refunding !== undefined) {
    const why = `A refund of its charge is in progress with the incident ${refunding.incidentId}.`;
    return { noRefund: why, noDismissal: why };
  }
  const refunded = others.find(({ state }) => state === 'refunded');
  const kept = others.find((each) => each.dismissalBegunAt ?? each.state === 'dismissed');
  return present({
    refundId: refunded?.refundId,
    noRefund:
      kept &&
      `The money of its charge is kept by the dismissal of the incident ${kept.incidentId}: dismiss this one as well.`,
    noDismissal:
      refunded &&
      `The money of its charge was given back with the incident ${refunded.incidentId}: refund this one as well, which gives nothing back a second time.`,
  });
}
