import { keptText } from '../../domain/kept-text.ts';
import type { Psp } from '../../domain/psps.ts';
import type { AnswerDeps } from '../engine/answers/take-answer.ts';
import { refundKey } from '../engine/charge-key.ts';
import type { PspEventMeaning } from '../psp-ports.ts';
import type { Incident, IncidentStore } from './incident-ports.ts';
import { moveIncident, settleOpenCharge } from './incident-steps.ts';

export type SettleRefundDeps = AnswerDeps & {
  readonly incidents: Pick<IncidentStore, 'findByCharge' | 'move'>;
};

type RefundSettled = Extract<PspEventMeaning, { kind: 'refund_settled' }>;

/**
 * Takes the PSP's word of a refund that was asked for an incident. One that was made resolves it; one that
 * failed, or whose money came back, opens it again, and the invoice is frozen until a person has decided
 * once more. Refunds that the merchant makes at the PSP itself settle nothing.
 */
export async function settleRefund(
  deps: SettleRefundDeps,
  input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly meaning: RefundSettled;
  },
): Promise<'settled' | 'already' | 'not_ours'> {
  const { merchantId, psp, meaning } = input;
  const { pspTransactionId, refundId } = meaning;
  const incidents = await deps.incidents.findByCharge({ merchantId, psp, pspTransactionId });
  const own = incidents.filter((incident) => isItsRefund(incident, meaning));
  if (own.length === 0) return 'not_ours';
  let moved = false;
  for (const incident of own) {
    const isMoved =
      meaning.outcome === 'refunded'
        ? await resolve(deps, incident, refundId)
        : await reopen(deps, incident, meaning);
    moved ||= isMoved;
  }
  if (moved) deps.wake.payments();
  return moved ? 'settled' : 'already';
}

/** By our key, or by the id that the PSP gave the refund when it took it. */
function isItsRefund(incident: Incident, meaning: RefundSettled): boolean {
  const { merchantId, psp, failedRefunds, refundId } = incident;
  const { pspTransactionId, idempotencyKey } = meaning;
  const key = refundKey({ merchantId, psp, pspTransactionId, number: failedRefunds + 1 });
  return idempotencyKey === key || refundId === meaning.refundId;
}

async function resolve(
  deps: SettleRefundDeps,
  incident: Incident,
  refundId: string,
): Promise<boolean> {
  if (incident.state !== 'refunding') return false;
  const why = incident.resolution ?? 'refunded';
  await settleOpenCharge(deps, incident, 'refunded', why);
  return moveIncident(deps, incident, { to: 'refunded', refundId, why });
}

async function reopen(
  deps: SettleRefundDeps,
  incident: Incident,
  { refundId, reason }: RefundSettled,
): Promise<boolean> {
  if (incident.state !== 'refunding' && incident.state !== 'refunded') return false;
  const said = reason === undefined ? '' : `: ${reason}`;
  const why = keptText(`The refund ${refundId} failed at the PSP${said}`);
  return moveIncident(deps, incident, { to: 'open', why });
}
