import type { Decline } from '../../domain/declines/decline.ts';
import type { Json, JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { AttemptView, TransactionView } from '../api.ts';
import { declineText } from './decline-text.ts';
import type { TimelineEntry } from './payment-story.ts';

/** What one attempt left behind: its plan, the merchant's word, the charges, and their end. */
export function attemptEntries(attempt: AttemptView): readonly TimelineEntry[] {
  return [
    ...(attempt.decision === undefined ? [] : decisionEntry(attempt.decision)),
    ...checkEntry(attempt),
    ...(attempt.blockedCharges ?? []).map((blocked) => ruleEntry(attempt, blocked)),
    ...attempt.transactions.map((transaction) => chargeEntry(attempt, transaction)),
    ...notAttempted(attempt),
  ];
}

/** A decision as a line of its own, at the time when it was made. */
export function decisionEntry(decision: JsonObject): readonly TimelineEntry[] {
  const decidedAt = instantOf(decision.decided_at);
  if (decidedAt === undefined) return [];
  const because = typeof decision.because === 'string' ? decision.because : undefined;
  return [
    {
      at: decidedAt,
      kind: 'decision',
      actor: 'recoup',
      message: decisionText(decision),
      ...present({ because }),
      facts: decision,
    },
  ];
}

function decisionText({ kind }: JsonObject): string {
  if (kind === 'attempt') return 'next attempt planned';
  if (kind === 'wait_for_update') return 'waits for a new or updated payment method';
  if (kind === 'exhausted') return 'nothing left to try';
  return String(kind);
}

function checkEntry({ attemptId, check, number, startedAt }: AttemptView): TimelineEntry[] {
  if (check === undefined) return [];
  const at = instantOf(check.answered_at) ?? startedAt;
  const because = [check.reason, check.refused, check.detail].find(
    (text) => typeof text === 'string' && text !== '',
  );
  return [
    {
      at,
      kind: 'check',
      actor: 'merchant',
      message: checkText(check),
      ...(typeof because === 'string' && { because }),
      facts: { attempt_id: attemptId, attempt: number, ...check },
    },
  ];
}

function checkText({ retry, status, refused }: JsonObject): string {
  if (refused !== undefined) return 'the merchant said yes, but its answer cannot be used';
  if (retry === true) return 'the merchant says yes';
  if (retry === false) return 'the merchant says no';
  if (status === 429) return 'the merchant asks for a later try';
  if (status === 404) return 'the merchant does not know the invoice';
  return 'the merchant gave no usable answer';
}

function ruleEntry({ attemptId, startedAt }: AttemptView, blocked: JsonObject): TimelineEntry {
  const message = typeof blocked.words === 'string' ? blocked.words : 'a rule of the card network';
  return {
    at: instantOf(blocked.at) ?? startedAt,
    kind: 'rule',
    actor: 'network',
    message: 'not charged: a rule of the card network forbids it',
    because: message,
    facts: { attempt_id: attemptId, ...blocked },
  };
}

const stateText: Readonly<Record<TransactionView['status'], string>> = {
  sending: 'charge on its way',
  succeeded: 'charged',
  declined: 'declined',
  unknown: 'charged, and the answer was lost',
  not_made: 'not charged: the PSP was not reached, or refused the request',
};

function chargeEntry(attempt: AttemptView, transaction: TransactionView): TimelineEntry {
  const { decline, reason, status } = transaction;
  const said = decline === undefined ? '' : `: ${declineText(decline)}`;
  return {
    at: transaction.settledAt ?? transaction.sentAt,
    kind: 'charge',
    actor: status === 'declined' ? 'issuer' : 'psp',
    message: `${stateText[status]}${said}`,
    ...present({ because: reason }),
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    facts: present({
      attempt_id: attempt.attemptId,
      attempt: attempt.number,
      status,
      payment_method_id: transaction.paymentMethodId,
      psp_transaction_id: transaction.pspTransactionId,
      network_transaction_id: transaction.networkTransactionId,
      sent_at: transaction.sentAt.toISOString(),
      ...declineFacts(decline),
    }),
  };
}

function declineFacts(decline: Decline | undefined) {
  if (decline === undefined) return {};
  return {
    category: decline.category,
    code: decline.code,
    network_code: decline.networkCode,
    advice_code: decline.adviceCode,
  };
}

/** An attempt that charged nothing, unless what it met says so already. */
function notAttempted(attempt: AttemptView): TimelineEntry[] {
  const { status, endedAt, check, blockedCharges } = attempt;
  if (status !== 'not_attempted' || endedAt === undefined) return [];
  if (check !== undefined || blockedCharges !== undefined) return [];
  return [
    {
      at: endedAt,
      kind: 'attempt',
      actor: 'recoup',
      message: 'the attempt ended before anything was charged',
      facts: { attempt_id: attempt.attemptId, attempt: attempt.number },
    },
  ];
}

function instantOf(value: Json | undefined): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
