import { present } from '../../domain/present.ts';
import type { IncidentKind } from '../../domain/states.ts';
import type { IncidentSide, NewIncident } from '../incidents/incident-ports.ts';
import type { ListedCharge } from '../psp-ports.ts';
import type { OwnCharge, Reconciliation } from './reconciliation-ports.ts';

interface Finding {
  readonly kind: IncidentKind;
  readonly ours?: OwnCharge;
  readonly listed?: ListedCharge;
  /** The debt, where no charge of ours names it. */
  readonly invoiceId?: string;
}

const words: Readonly<Partial<Record<IncidentKind, string>>> = {
  amount_differs: "the PSP's list has another amount of a charge than the record",
  state_differs: "the PSP's list has another state of a charge than the record",
  missing_at_psp: "the record has a charge that the PSP's list does not hold",
  missing_here: "the PSP's list has a charge that the record does not hold",
  two_successes: 'a debt that was recovered here was paid at the PSP a second time',
};

/** A finding of a comparison as an incident: the same one again is the same incident. */
export function incidentOf(
  { merchantId, psp, connectionVersion }: Reconciliation,
  { kind, ours, listed, invoiceId = ours?.invoiceId }: Finding,
  at: Date,
): NewIncident {
  const charge = ours?.idempotencyKey ?? listed?.pspTransactionId ?? '';
  const seen = listed === undefined ? 'none' : `${listed.pspTransactionId} ${listed.state}`;
  return {
    merchantId,
    kind,
    subject: `${psp} ${connectionVersion} ${charge} ${seen}`,
    ...present({ invoiceId }),
    psp,
    connectionVersion,
    charge,
    ...(ours !== undefined && { ours: ownSide(ours) }),
    theirs: listed === undefined ? { state: 'none' } : listedSide(listed),
    detail: words[kind] ?? kind,
    at,
  };
}

function ownSide(ours: OwnCharge): IncidentSide {
  const { state, amountMinor, currency, at, pspTransactionId } = ours;
  const id = pspTransactionId === undefined ? {} : { pspTransactionId };
  return { state, amountMinor, currency, at, ...id };
}

function listedSide(listed: ListedCharge): IncidentSide {
  const { state, amountMinor, currency, createdAt, pspTransactionId, isLive } = listed;
  const live = isLive === undefined ? {} : { isLive };
  return { state, amountMinor, currency, at: createdAt, pspTransactionId, ...live };
}
