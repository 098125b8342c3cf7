import { mayTryAgain } from '../../domain/declines/decline.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import { pspTitle } from '../../domain/psps/psp-name.ts';
import { isFinal } from '../../domain/states.ts';
import type { PaymentView } from '../api.ts';
import { attemptEntries, decisionEntry } from './attempt-entries.ts';
import { contactEntry } from './contact-entries.ts';
import { declineText } from './decline-text.ts';
import type {
  PaymentStory,
  PaymentTimeline,
  StoryAction,
  StoryMethod,
  StorySend,
  TimelineEntry,
} from './payment-story.ts';

/** Everything that touched a payment as one line, the oldest first. Pure. */
export function paymentTimeline(payment: PaymentView, story: PaymentStory): PaymentTimeline {
  const entries = [
    ...beginning(payment, story),
    ...story.reports.map(reportEntry),
    ...story.methods.flatMap((method) => methodEntry(method, payment.createdAt)),
    ...payment.attempts.flatMap(attemptEntries),
    ...standingDecision(payment),
    ...story.sends.map(sendEntry),
    ...otherSignals(story),
    ...(payment.customerContacts ?? []).map(contactEntry),
    ...story.actions.map(actionEntry),
    ...ending(payment),
  ];
  // Of one moment: the order above, since a stable sort keeps it.
  entries.sort((a, b) => a.at.getTime() - b.at.getTime());
  return { payment, methods: story.methods, entries };
}

function beginning(payment: PaymentView, story: PaymentStory): readonly TimelineEntry[] {
  const { firstDecline } = story;
  return [
    {
      at: payment.failedAt,
      kind: 'failed',
      actor: 'issuer',
      message: `failed at the merchant: ${declineText(firstDecline)}`,
      because: mayTryAgain(firstDecline.category)
        ? 'the same charge may be approved at another time'
        : 'the same method needs new data or an action by the payer first',
      amountMinor: payment.amountMinor,
      currency: payment.currency,
      facts: present({
        payment_method_id: story.firstMethodId,
        psp_transaction_id: payment.originalPspTransactionId,
        category: firstDecline.category,
        code: firstDecline.code,
        network_code: firstDecline.networkCode,
        advice_code: firstDecline.adviceCode,
      }),
    },
    {
      at: payment.createdAt,
      kind: 'taken_in',
      actor: 'recoup',
      message: 'recovery began',
      facts: { window_ends_at: payment.windowEndsAt.toISOString() },
    },
  ];
}

function reportEntry(report: PaymentStory['reports'][number]): TimelineEntry {
  return {
    at: report.occurredAt,
    kind: 'reported',
    actor: 'merchant',
    message: report.success ? 'charged elsewhere, and paid' : 'charged elsewhere, and declined',
    amountMinor: report.amountMinor,
    currency: report.currency,
    facts: {
      psp_transaction_id: report.pspTransactionId,
      received_at: report.receivedAt.toISOString(),
    },
  };
}

const updateMessages: Readonly<Record<string, string>> = {
  user_added: 'payment method added by the customer',
  user_updated: 'payment method updated by the customer',
  user_removed: 'payment method removed by the customer',
  network_updated: 'card updated by the network',
};

/** A signal from before the recovery began is none of its story. */
function methodEntry(method: StoryMethod, since: Date): readonly TimelineEntry[] {
  const { signal } = method;
  if (signal === undefined || signal.at.getTime() < since.getTime()) return [];
  return [
    {
      at: signal.at,
      kind: 'method',
      actor: signal.reason === 'network_updated' ? 'network' : 'merchant',
      message: updateMessages[signal.reason] ?? signal.reason,
      facts: { payment_method_id: method.paymentMethodId },
    },
  ];
}

/** The decision that waits for its time; those before stand with their attempts. */
function standingDecision(payment: PaymentView): readonly TimelineEntry[] {
  const last = payment.attempts.at(-1);
  if (payment.decision === undefined) return [];
  if (last?.decision !== undefined && sameDecision(last.decision, payment.decision)) return [];
  return decisionEntry(payment.decision);
}

function sameDecision(a: JsonObject, b: JsonObject): boolean {
  return a.decided_at === b.decided_at && a.at === b.at && a.kind === b.kind;
}

const shownOfAnswer = 200;

function sendEntry(send: StorySend): TimelineEntry {
  const isTaken = send.status === 200;
  const answer = send.status === undefined ? (send.error ?? 'no answer') : `status ${send.status}`;
  return {
    at: send.sentAt,
    kind: 'webhook',
    actor: isTaken ? 'recoup' : 'merchant',
    message: isTaken
      ? `webhook ${send.type} delivered in ${send.durationMs} ms`
      : `webhook ${send.type} was not accepted: ${answer}`,
    ...present({ because: saidIn(send) }),
    facts: present({
      event_id: send.eventId,
      endpoint_id: send.endpointId,
      try: send.number,
      status: send.status,
      error: send.error,
      duration_ms: send.durationMs,
      answer: send.answer,
    }),
  };
}

/** Its first line, which says what to mend more often than the status does. */
function saidIn({ answer }: StorySend): string | undefined {
  const [line] = answer?.split('\n') ?? [];
  return line && `the server said: ${line.slice(0, shownOfAnswer)}`;
}

function otherSignals({ pspEvents, disputes }: PaymentStory): readonly TimelineEntry[] {
  return [
    ...pspEvents.map((event): TimelineEntry => {
      const { psp, eventId, type, outcome } = event;
      const message = `${pspTitle(psp)} sent ${type}: ${outcome.replaceAll('_', ' ')}`;
      const facts = { psp, event_id: eventId, type, outcome };
      return { at: event.receivedAt, kind: 'psp_event', actor: 'psp', message, facts };
    }),
    ...disputes.map((dispute): TimelineEntry => {
      const name =
        dispute.kind === 'dispute' ? 'the charge was disputed' : 'a fraud warning arrived';
      const message = dispute.reason === undefined ? name : `${name}: ${dispute.reason}`;
      const facts = { dispute_id: dispute.disputeId };
      return { at: dispute.openedAt, kind: 'dispute', actor: 'issuer', message, facts };
    }),
  ];
}

const actionMessages: Readonly<Record<string, string>> = {
  'payment.retried': 'an operator asked for a retry',
  'payment.stopped': 'an operator stopped the recovery',
  'charge.settled': 'an operator resolved a charge by hand',
};

function actionEntry({ action, detail, at }: StoryAction): TimelineEntry {
  const because = typeof detail.reason === 'string' ? detail.reason : undefined;
  return {
    at,
    kind: 'act',
    actor: 'operator',
    message: actionMessages[action] ?? action,
    ...present({ because }),
    facts: detail,
  };
}

const endMessages = {
  recovered: 'recovered',
  stopped: 'recovery stopped',
  exhausted: 'recovery ended without success',
} as const;

function ending(payment: PaymentView): readonly TimelineEntry[] {
  const { status } = payment;
  if (!isFinal(status) || !(status in endMessages)) return [];
  const because = [payment.stopReason?.replaceAll('_', ' '), payment.stopDetail]
    .filter((text) => text !== undefined)
    .join(': ');
  return [
    {
      at: payment.updatedAt,
      kind: 'ended',
      actor: 'recoup',
      message: endMessages[status as keyof typeof endMessages],
      ...(because !== '' && { because }),
      facts: { status },
    },
  ];
}
