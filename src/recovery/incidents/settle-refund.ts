import type { Psp } from '../../domain/psps.ts';
import { truncatedText } from '../../domain/truncated-text.ts';
import type { AnswerDeps } from '../engine/answers/take-answer.ts';
import { refundKey } from '../engine/charge-key.ts';
import type { ParsedEvent } from '../psp-ports.ts';
import type { Incident, IncidentStore } from './incident-ports.ts';
import { moveIncident, resolveOpenCharge } from './incident-steps.ts';

export type SettleRefundDeps = AnswerDeps & {
  readonly incidents: Pick<IncidentStore, 'findByCharge' | 'move'>;
};

type RefundSettled = Extract<ParsedEvent, { kind: 'refund_settled' }>;

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
    readonly parsed: RefundSettled;
  },
): Promise<'settled' | 'already' | 'not_ours'> {
  const { merchantId, psp, parsed } = input;
  const { pspTransactionId, refundId } = parsed;
  const incidents = await deps.incidents.findByCharge({ merchantId, psp, pspTransactionId });
  const own = incidents.filter((incident) => isItsRefund(incident, parsed));
  if (own.length === 0) return 'not_ours';
  let moved = false;
  for (const incident of own) {
    const isMoved =
      parsed.outcome === 'refunded'
        ? await markRefunded(deps, incident, refundId)
        : await reopen(deps, incident, parsed);
    moved ||= isMoved;
  }
  if (moved) deps.wake.payments();
  return moved ? 'settled' : 'already';
}

/** By our key, or by the id that the PSP gave the refund when it took it. */
function isItsRefund(incident: Incident, parsed: RefundSettled): boolean {
  const { merchantId, psp, failedRefunds, refundId } = incident;
  const { pspTransactionId, idempotencyKey } = parsed;
  const key = refundKey({ merchantId, psp, pspTransactionId, number: failedRefunds + 1 });
  return idempotencyKey === key || refundId === parsed.refundId;
}

async function markRefunded(
  deps: SettleRefundDeps,
  incident: Incident,
  refundId: string,
): Promise<boolean> {
  if (incident.state !== 'refunding') return false;
  const why = incident.resolution ?? 'refunded';
  await resolveOpenCharge(deps, incident, 'refunded', why);
  return (await moveIncident(deps, incident, { to: 'refunded', refundId, why })) === 'moved';
}

async function reopen(
  deps: SettleRefundDeps,
  incident: Incident,
  { refundId, reason }: RefundSettled,
): Promise<boolean> {
  if (incident.state !== 'refunding' && incident.state !== 'refunded') return false;
  const said = reason === undefined ? '' : `: ${reason}`;
  const why = truncatedText(`The refund ${refundId} failed at the PSP${said}`);
  return (await moveIncident(deps, incident, { to: 'open', why })) === 'moved';
}
