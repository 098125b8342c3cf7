import { addMs, dayMs, hourMs } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import { present } from '../../domain/present.ts';
import { messageArm, type Telling } from '../../policy/messages/when-to-tell.ts';
import { whenToWarn } from '../../policy/messages/when-to-warn.ts';
import type { SignCardLink } from '../customers/customer-link.ts';
import type { CardMessageStore, CardMonth, DueCard } from './card-message-ports.ts';
import { writeCardMessage } from './compose-mail.ts';
import { againAfterMs, bothLost, maxUnanswered, sendLeaseMs, sendsTogether } from './mail-tries.ts';
import type { MailOutcome } from './message-ports.ts';
import type { SendMessagesDeps } from './send-messages.ts';

const pageSize = 100;

export interface SendCardMessagesDeps
  extends Pick<SendMessagesDeps, 'clock' | 'random' | 'send' | 'stopUrl' | 'log'> {
  readonly store: CardMessageStore;
  readonly signCardLink: SignCardLink;
}

/**
 * Begins to look after cards that end before they are charged again, and sends what is due: once for each card and
 * its last month. How many messages were sent, or tried. `signal`: no further one is begun.
 */
export async function sendCardMessages(
  deps: SendCardMessagesDeps,
  signal?: AbortSignal,
): Promise<number> {
  await beginCards(deps, signal);
  let tried = 0;
  for (;;) {
    if (signal?.aborted === true) return tried;
    const at = deps.clock.now();
    const leaseUntil = addMs(at, sendLeaseMs);
    const due = await deps.store.claimDue({ at, leaseUntil, limit: sendsTogether });
    const sent = await Promise.all(due.map((card) => warn(deps, card)));
    tried += sent.filter(Boolean).length;
    if (due.length < sendsTogether) return tried;
  }
}

async function beginCards(deps: SendCardMessagesDeps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return;
    const found = await deps.store.findNew(pageSize);
    const cards = found.map((each) => ({ ...each, arm: armOf(each) }));
    if (cards.length > 0) await deps.store.begin(cards, deps.clock.now());
    if (found.length < pageSize) return;
  }
}

/** By the card's hash, as that of a payment is drawn by its own. */
function armOf({
  merchantId,
  paymentMethodId,
  cardEndsAt,
  holdoutShare,
}: CardMonth & { readonly holdoutShare: number }) {
  const invoiceId = JSON.stringify(['card', paymentMethodId, cardEndsAt]);
  return messageArm({ merchantId, invoiceId }, holdoutShare);
}

/** Whether a message was sent, or tried. */
async function warn(deps: SendCardMessagesDeps, card: DueCard): Promise<boolean> {
  const at = deps.clock.now();
  const telling = tellingOf(deps, card, at);
  if (telling.kind === 'send') return await write(deps, card);
  await deps.store.recordTelling({ card, at, telling });
  return false;
}

/** An open message is looked at as if it had not been sent. */
function tellingOf(deps: SendCardMessagesDeps, card: DueCard, at: Date): Telling {
  const { facts, settings, open } = card;
  if (deps.send === undefined || !settings.isOn) {
    return { kind: 'wait', because: 'held', until: addMs(at, dayMs) };
  }
  if (open === undefined) return whenToWarn(facts, settings, at);
  const { lastWrittenAt: _, ...before } = facts;
  return whenToWarn(before, { ...settings, firstAfterHours: 0 }, at);
}

async function write(deps: SendCardMessagesDeps, card: DueCard): Promise<boolean> {
  const { store, send, clock } = deps;
  const { merchantId, settings, customerPageUrl: page, addressHash, open } = card;
  const messageId = open?.messageId ?? newId(deps.random, 'cmg');
  const stopUrl = deps.stopUrl({ merchantId, messageId });
  const { sender, replyTo } = settings;
  const at = clock.now();
  if ((open?.unanswered ?? 0) >= maxUnanswered) {
    await store.recordSend({ card, at, messageId, outcome: bothLost });
    return false;
  }
  const to = addressHash === undefined ? undefined : await store.openAddress(card);
  const isReady = send !== undefined && sender !== undefined && stopUrl !== undefined;
  if (!isReady || page === undefined || to === undefined || addressHash === undefined) {
    const telling = { kind: 'wait', because: 'held', until: addMs(at, dayMs) } as const;
    await store.recordTelling({ card, at, telling });
    return false;
  }
  const { language, subject, body: text } = writeCardMessage(deps, card, { page, stopUrl });
  if (!(await store.intend({ card, at, messageId, language, addressHash }))) {
    const telling = { kind: 'wait', because: 'attempt_due', until: addMs(at, hourMs) } as const;
    await store.recordTelling({ card, at, telling });
    return false;
  }
  const mail = { messageId, from: sender, to, subject, text, stopUrl, ...present({ replyTo }) };
  await record(deps, card, { messageId, outcome: await send(mail) });
  return true;
}

async function record(
  deps: SendCardMessagesDeps,
  card: DueCard,
  sent: { readonly messageId: string; readonly outcome: MailOutcome },
): Promise<void> {
  const { outcome, messageId } = sent;
  const at = deps.clock.now();
  if (outcome.kind !== 'sent') {
    const { merchantId, paymentMethodId } = card;
    const { kind, detail } = outcome;
    const fields = { merchantId, paymentMethodId, messageId, kind, detail };
    deps.log.warn(fields, 'a message was not sent');
  }
  const againMs = againAfterMs(outcome, (card.open?.tries ?? 0) + 1);
  const again = againMs === undefined ? {} : { nextLookAt: addMs(at, againMs) };
  await deps.store.recordSend({ card, at, ...sent, ...again });
}
