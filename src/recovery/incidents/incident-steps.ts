import { present } from '../../domain/present.ts';
import { type AnswerDeps, takeAnswer } from '../engine/answers/take-answer.ts';
import type { Incident, IncidentStore, MoveIncident, MoveOutcome } from './incident-ports.ts';

/** Resolves a charge that waits, unknown, for its incident; false where none does. */
export async function resolveOpenCharge(
  deps: AnswerDeps,
  { merchantId, charge: idempotencyKey, theirs }: Incident,
  as: 'refunded' | 'kept',
  message: string,
): Promise<boolean> {
  const charge = await deps.answers.find({ merchantId, idempotencyKey });
  if (charge?.transaction.state !== 'unknown') return false;
  const pspTransactionId = theirs?.pspTransactionId;
  if (as === 'kept' && theirs?.state === 'succeeded' && pspTransactionId !== undefined) {
    await takeAnswer(deps, {
      merchantId,
      idempotencyKey,
      result: { kind: 'succeeded', pspTransactionId },
    });
    return true;
  }
  await takeAnswer(deps, {
    merchantId,
    idempotencyKey,
    result: {
      kind: 'declined',
      decline: { category: 'later', code: `${as}_by_operator`, message },
      ...present({ pspTransactionId }),
    },
  });
  return true;
}

/** Moves an incident from where it was read; `why` is kept with it and in the audit log. */
export function moveIncident(
  deps: Pick<AnswerDeps, 'clock'> & { readonly incidents: Pick<IncidentStore, 'move'> },
  incident: Incident,
  to: Pick<MoveIncident, 'to' | 'refundId'> & { readonly why: string },
): Promise<MoveOutcome> {
  const { merchantId, incidentId, state: from, failedRefunds, kind, invoiceId, charge } = incident;
  const at = deps.clock.now();
  const detail = {
    incident_id: incidentId,
    kind,
    charge,
    to: to.to,
    reason: to.why,
    ...present({ invoice_id: invoiceId, refund_id: to.refundId }),
  };
  return deps.incidents.move({
    merchantId,
    incidentId,
    from,
    failedRefunds,
    to: to.to,
    at,
    ...present({ refundId: to.refundId }),
    resolution: to.why,
    audit: {
      action: 'incident.moved',
      detail,
      before: { state: from },
      after: { state: to.to },
      at,
    },
  });
}
