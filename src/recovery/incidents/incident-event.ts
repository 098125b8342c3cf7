import { newId } from '../../domain/ids.ts';
import { decimalNumber } from '../../domain/money.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { Random } from '../../domain/random.ts';
import type { NewEvent } from '../engine-ports.ts';
import type { IncidentSide, NewIncident } from './incident-ports.ts';

/** The `incident` event, for merchants that ask for it: both records of the charge, side by side. */
export function incidentEvent(
  deps: { readonly random: Random },
  input: {
    readonly incident: NewIncident;
    readonly incidentId: string;
    readonly custom: JsonObject | null;
  },
): NewEvent {
  const { incident, incidentId, custom } = input;
  const body = {
    timestamp: incident.at.toISOString(),
    incident_id: incidentId,
    kind: incident.kind,
    invoice_id: incident.invoiceId,
    psp: incident.psp,
    charge: incident.charge,
    detail: incident.detail,
    ours: side(incident.ours),
    theirs: side(incident.theirs),
    custom: custom ?? undefined,
  };
  return { eventId: newId(deps.random, 'evt'), type: 'incident', body: JSON.stringify(body) };
}

function side(own: IncidentSide | undefined) {
  if (own === undefined) return undefined;
  const { amountMinor, currency } = own;
  return {
    state: own.state,
    psp_transaction_id: own.pspTransactionId,
    amount:
      amountMinor === undefined || currency === undefined
        ? undefined
        : decimalNumber({ amountMinor, currency }),
    currency,
    is_live: own.isLive,
    at: own.at?.toISOString(),
  };
}
