import { addMs, type Clock, dayMs, hourMs } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import { messageArm, type Telling, whenToTell } from '../../policy/messages/when-to-tell.ts';
import type { SignCustomerLink } from '../customers/customer-link.ts';
import { writeMessage } from './compose-mail.ts';
import { againAfterMs, bothLost, maxUnanswered, sendLeaseMs, sendsTogether } from './mail-tries.ts';
import type { DueThread, MailOutcome, MessageStore, SendMail } from './message-ports.ts';

const pageSize = 100;

export interface SendMessagesDeps {
  readonly store: MessageStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly signLink: SignCustomerLink;
  /** Absent: no mail server is set, and nothing is sent. */
  readonly send?: SendMail;
  /** Where a customer stops the messages of this one's merchant. */
  stopUrl(message: { readonly merchantId: string; readonly messageId: string }): string | undefined;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/**
 * Begins to look after payments that wait for their customers, and sends what is due. How many messages were
 * sent, or tried. `signal`: no further one is begun.
 */
export async function sendMessages(deps: SendMessagesDeps, signal?: AbortSignal): Promise<number> {
  await beginThreads(deps, signal);
  let tried = 0;
  for (;;) {
    if (signal?.aborted === true) return tried;
    const at = deps.clock.now();
    const due = await deps.store.claimDue({
      at,
      leaseUntil: addMs(at, sendLeaseMs),
      limit: sendsTogether,
    });
    const sent = await Promise.all(due.map((thread) => tell(deps, thread)));
    tried += sent.filter(Boolean).length;
    if (due.length < sendsTogether) break;
  }
  const now = deps.clock.now();
  await deps.store.forgetAddresses({ before: addMs(now, -limits.historyMs), at: now });
  return tried;
}

async function beginThreads(deps: SendMessagesDeps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return;
    const found = await deps.store.findNew(pageSize);
    const threads = found.map((each) => ({ ...each, arm: messageArm(each, each.holdoutShare) }));
    if (threads.length > 0) await deps.store.begin(threads, deps.clock.now());
    if (found.length < pageSize) return;
  }
}

/** Whether a message was sent, or tried. */
async function tell(deps: SendMessagesDeps, thread: DueThread): Promise<boolean> {
  const at = deps.clock.now();
  const telling = tellingOf(deps, thread, at);
  if (telling.kind !== 'send') {
    await deps.store.recordTelling({ thread, at, telling });
    return false;
  }
  return await write(deps, thread);
}

/** An open message is looked at as if it had not been sent: its own gap does not hold it back. */
function tellingOf(deps: SendMessagesDeps, thread: DueThread, at: Date): Telling {
  const { facts, settings, open } = thread;
  if (deps.send === undefined || !settings.isOn) {
    return { kind: 'wait', because: 'held', until: addMs(at, dayMs) };
  }
  if (open === undefined) return whenToTell(facts, settings, at);
  const { lastSentAt: _, ...before } = facts;
  return whenToTell({ ...before, sent: open.number - 1 }, { ...settings, firstAfterHours: 0 }, at);
}

async function write(deps: SendMessagesDeps, thread: DueThread): Promise<boolean> {
  const { store, send, clock } = deps;
  const { merchantId, settings, customerPageUrl: page, addressHash, open } = thread;
  const messageId = open?.messageId ?? newId(deps.random, 'cmg');
  const number = open?.number ?? thread.facts.sent + 1;
  const stopUrl = deps.stopUrl({ merchantId, messageId });
  const { sender } = settings;
  const isGivenUp = (open?.unanswered ?? 0) >= maxUnanswered;
  const at = clock.now();
  if (isGivenUp) {
    await store.recordSend({
      ...{ thread, at, messageId, outcome: bothLost },
      givesUp: true,
      nextLookAt: addMs(at, settings.gapHours * hourMs),
    });
    return false;
  }
  const to = addressHash === undefined ? undefined : await store.openAddress(thread);
  const isReady = send !== undefined && sender !== undefined && stopUrl !== undefined;
  if (!isReady || page === undefined || to === undefined || addressHash === undefined) {
    const telling = { kind: 'wait', because: 'held', until: addMs(at, dayMs) } as const;
    await store.recordTelling({ thread, at, telling });
    return false;
  }
  const { reason, language, subject, body } = writeMessage(deps, thread, { page, stopUrl });
  const begun = { thread, at, messageId, number, reason, language, addressHash };
  if (!(await store.intend(begun))) {
    const telling = { kind: 'wait', because: 'attempt_due', until: addMs(at, hourMs) } as const;
    await store.recordTelling({ thread, at, telling });
    return false;
  }
  const { replyTo } = settings;
  const mail = {
    messageId,
    from: sender,
    to,
    subject,
    text: body,
    stopUrl,
    ...present({ replyTo }),
  };
  await record(deps, thread, { messageId, outcome: await send(mail) });
  return true;
}

async function record(
  deps: SendMessagesDeps,
  thread: DueThread,
  sent: { readonly messageId: string; readonly outcome: MailOutcome },
): Promise<void> {
  const { merchantId, invoiceId, settings, open } = thread;
  const { outcome, messageId } = sent;
  const at = deps.clock.now();
  const againMs = againAfterMs(outcome, (open?.tries ?? 0) + 1);
  if (outcome.kind !== 'sent') {
    const { kind, detail } = outcome;
    deps.log.warn({ merchantId, invoiceId, messageId, kind, detail }, 'a message was not sent');
  }
  const givesUp = againMs === undefined;
  const nextLookAt = addMs(at, againMs ?? settings.gapHours * hourMs);
  await deps.store.recordSend({ thread, at, ...sent, givesUp, nextLookAt });
}
