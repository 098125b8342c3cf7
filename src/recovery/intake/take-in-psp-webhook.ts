import { isKeptId } from '../../domain/kept-text.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import { modeOf } from '../engine/answers/judge-answer.ts';
import { settleRefund } from '../incidents/settle-refund.ts';
import type { NotedPspEvent, PspEventOutcome } from '../psp-event-ports.ts';
import type { PspEvent, PspEventMeaning, PspWebhook, WebhookReading } from '../psp-ports.ts';
import { acceptBillingAttempt, acceptMethodUpdates } from './psp-events/accept-reports.ts';
import { closeInvoice } from './psp-events/close-invoice.ts';
import type { IncomingEvent, NamedEvent, PspEventDeps } from './psp-events/deps.ts';
import { settleNamedCharge } from './psp-events/settle-named-charge.ts';

export interface TakeInPspWebhook {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly webhook: PspWebhook;
}

/** What is answered. `read`: every event in it was worked through, now or before. */
export type PspWebhookOutcome =
  | { readonly kind: 'read'; readonly answer?: string }
  | { readonly kind: 'not_connected' }
  | Exclude<WebhookReading, { kind: 'read' }>;

/**
 * Takes in a PSP's webhook. Each event is worked through, and then noted; one that is noted does
 * nothing any more. A crash in between is harmless: the PSP sends again what was not answered, and
 * each effect may be repeated.
 */
export async function takeInPspWebhook(
  deps: PspEventDeps,
  { merchantId, psp, webhook }: TakeInPspWebhook,
): Promise<PspWebhookOutcome> {
  const { reading, connection } = await readByAccount(deps, { merchantId, psp, webhook });
  if (reading.kind !== 'read') return reading;
  if (!reading.events.every(isNamed)) {
    return { kind: 'malformed', reason: 'An event has an id or a type that cannot be kept.' };
  }
  const eventIds = reading.events.map((event) => event.eventId);
  const noted = new Set(await deps.events.findNoted({ merchantId, psp, eventIds }));
  for (const event of reading.events) {
    if (noted.has(event.eventId)) continue;
    noted.add(event.eventId);
    const isDone = await workThrough(deps, { merchantId, psp, webhook, event, ...connection });
    if (!isDone) return { kind: 'unavailable', reason: 'the charge is being made just now' };
  }
  return { kind: 'read', ...(reading.answer === undefined ? {} : { answer: reading.answer }) };
}

interface ReadByAccount {
  readonly reading: WebhookReading | { readonly kind: 'not_connected' };
  readonly connection: {
    readonly connectionVersion: number;
    readonly isActive: boolean;
    readonly isLive?: boolean;
  };
}

/** What the account says that signed it: the active one, or one that it replaced. */
async function readByAccount(
  deps: Pick<PspEventDeps, 'listGateways'>,
  { merchantId, psp, webhook }: TakeInPspWebhook,
): Promise<ReadByAccount> {
  const accounts = await deps.listGateways({ merchantId, psp });
  let first: ReadByAccount | undefined;
  for (const gateway of accounts) {
    const { version = 1, isActive = true } = gateway.connection ?? {};
    const connection = { connectionVersion: version, isActive, ...modeOf(gateway) };
    const read = { reading: await gateway.readWebhook(webhook), connection };
    if (read.reading.kind !== 'unverified') return read;
    first ??= read;
  }
  const nowhere = { connectionVersion: 1, isActive: true };
  return first ?? { reading: { kind: 'not_connected' }, connection: nowhere };
}

/** By its name alone an event is known again: without one it could count twice. */
function isNamed({ eventId, type }: PspEvent): boolean {
  return isKeptId(eventId) && isKeptId(type);
}

/** False where the event has to come again: it is not noted then. */
async function workThrough(
  deps: PspEventDeps,
  input: TakeInPspWebhook & ReadByAccount['connection'] & { readonly event: PspEvent },
): Promise<boolean> {
  const { merchantId, psp, webhook, event, connectionVersion, isActive, isLive } = input;
  const { meaning, ...named } = event;
  const account = { connectionVersion, ...(isLive !== undefined && { isLive }) };
  const incoming = { merchantId, psp, ...account, event: named, meaning };
  const outcome =
    isActive || tellsOfThePast(meaning) ? await actOn(deps, incoming) : 'nothing_to_do';
  if (outcome === 'held') return false;
  const isFirst = await deps.events.note({
    ...named,
    ...subjectOf(meaning),
    merchantId,
    psp,
    kind: meaning.kind,
    outcome,
    receivedAt: webhook.receivedAt,
    ...(meaning.kind === 'dispute' ? { rawBody: webhook.rawBody } : {}),
  });
  if (isFirst) deps.countEvent(psp, outcome);
  return true;
}

/**
 * What a replaced account may still tell: how its charges and refunds ended, that an invoice was paid or closed
 * there, and disputes. Nothing that fails there now can be charged through us any more.
 */
function tellsOfThePast(meaning: PspEventMeaning): boolean {
  switch (meaning.kind) {
    case 'billing_attempt':
      return meaning.event.transactions.every((transaction) => transaction.success);
    case 'payment_method_updates':
      return false;
    case 'charge_settled':
    case 'refund_settled':
    case 'invoice_closed':
    case 'dispute':
    case 'not_used':
      return true;
  }
}

async function actOn(
  deps: PspEventDeps,
  incoming: NamedEvent & { readonly meaning: PspEventMeaning },
): Promise<PspEventOutcome | 'held'> {
  const { meaning } = incoming;
  switch (meaning.kind) {
    case 'billing_attempt':
      return acceptBillingAttempt(deps, { ...incoming, meaning });
    case 'payment_method_updates':
      return acceptMethodUpdates(deps, { ...incoming, meaning });
    case 'charge_settled':
      return settleNamedCharge(deps, { ...incoming, meaning });
    case 'refund_settled':
      return refundOutcomes[await settleRefund(deps, { ...incoming, meaning })];
    case 'invoice_closed':
      return closeInvoice(deps, { ...incoming, meaning });
    case 'dispute':
      return keepDispute(deps, { ...incoming, meaning });
    case 'not_used':
      return 'nothing_to_do';
  }
}

const refundOutcomes = {
  settled: 'refund_settled',
  already: 'already_settled',
  not_ours: 'nothing_to_do',
} as const;

/** Its body is kept with the note of the event in any case. */
async function keepDispute(
  deps: PspEventDeps,
  { merchantId, psp, event, meaning }: IncomingEvent<'dispute'>,
): Promise<PspEventOutcome> {
  const { dispute } = meaning;
  const { occurredAt } = event;
  if (dispute !== undefined) await deps.takeInDispute({ merchantId, psp, dispute, occurredAt });
  return 'dispute_kept';
}

type Subject = Pick<NotedPspEvent, 'invoiceId' | 'pspTransactionId'>;

/** What an operator looks for an event by; an id that cannot be kept is left out. */
function subjectOf(meaning: PspEventMeaning): Subject {
  const { invoiceId, pspTransactionId } = idsIn(meaning);
  return {
    ...(invoiceId !== undefined && isKeptId(invoiceId) && { invoiceId }),
    ...(pspTransactionId !== undefined && isKeptId(pspTransactionId) && { pspTransactionId }),
  };
}

function idsIn(meaning: PspEventMeaning): Subject {
  switch (meaning.kind) {
    case 'billing_attempt':
      return { invoiceId: meaning.event.invoice.id };
    case 'invoice_closed':
      return { invoiceId: meaning.invoiceId };
    case 'charge_settled':
      return present({ pspTransactionId: meaning.result.pspTransactionId });
    case 'refund_settled':
      return { pspTransactionId: meaning.pspTransactionId };
    case 'dispute':
      return present({ pspTransactionId: meaning.dispute?.paymentIds[0] });
    case 'payment_method_updates':
    case 'not_used':
      return {};
  }
}
