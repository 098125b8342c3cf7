import type { Clock } from '../../domain/clock.ts';
import type { Incident, IncidentStore } from '../incidents/incident-ports.ts';
import { moveIncident } from '../incidents/incident-steps.ts';

/** An open finding of a charge that the record lacked, and the debt whose record holds it now. */
export interface AccountedIncident {
  readonly incident: Incident;
  readonly invoiceId: string;
}

export interface CloseAccountedDeps {
  readonly clock: Clock;
  readonly incidents: Pick<IncidentStore, 'beginDismissal' | 'move'>;
  /** `missing_here`, open, without a debt, of charges that are on record as the PSP has them; some, after this one. */
  findAccounted(
    after: Pick<Incident, 'merchantId' | 'incidentId'> | undefined,
  ): Promise<readonly AccountedIncident[]>;
}

/**
 * A charge that no debt accounted for is on record once its debt was reported again, as after a restored backup: its
 * key finds it at the PSP. Nothing is left to decide then, so the finding is dismissed, with the reason. One that
 * a person is deciding, here or with another incident of the charge, is theirs.
 */
export async function closeAccounted(deps: CloseAccountedDeps): Promise<number> {
  let closed = 0;
  for (let after: Incident | undefined; ; ) {
    const page = await deps.findAccounted(after);
    for (const { incident, invoiceId } of page) {
      const begun = await deps.incidents.beginDismissal({ ...incident, at: deps.clock.now() });
      if (begun !== 'begun') continue;
      const why = `Closed by itself: the debt ${invoiceId}, reported since, accounts for the charge, which is on record now.`;
      if ((await moveIncident(deps, incident, { to: 'dismissed', why })) === 'moved') closed += 1;
    }
    after = page.at(-1)?.incident;
    if (after === undefined) return closed;
  }
}
