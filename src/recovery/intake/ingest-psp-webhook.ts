import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import { isStorableId } from '../../domain/truncated-text.ts';
import { modeOf } from '../engine/answers/judge-answer.ts';
import { settleRefund } from '../incidents/settle-refund.ts';
import type { NotedPspEvent, PspEventOutcome } from '../psp-event-ports.ts';
import type { ParsedEvent, PspEvent, PspWebhook, WebhookReading } from '../psp-ports.ts';
import { acceptBillingAttempt, acceptMethodUpdates } from './psp-events/accept-reports.ts';
import { closeInvoice } from './psp-events/close-invoice.ts';
import type { IncomingEvent, NamedEvent, PspEventDeps } from './psp-events/deps.ts';
import { resolveNamedCharge } from './psp-events/resolve-named-charge.ts';

export interface IngestPspWebhook {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly webhook: PspWebhook;
  /** Called once the signature is known to be right; what it throws ends the ingest. */
  onSigned?(): void;
}

/** What is answered. `read`: every event in it was worked through, now or before. */
export type PspWebhookOutcome =
  | { readonly kind: 'read'; readonly answer?: string }
  | { readonly kind: 'not_connected' }
  | Exclude<WebhookReading, { kind: 'read' }>;

/**
 * Ingests a PSP's webhook. Each event is worked through, and then noted; one that is noted does
 * nothing any more. A crash in between is harmless: the PSP sends again what was not answered, and
 * each effect may be repeated.
 */
export async function ingestPspWebhook(
  deps: PspEventDeps,
  { merchantId, psp, webhook, onSigned }: IngestPspWebhook,
): Promise<PspWebhookOutcome> {
  const { reading, connection } = await readByAccount(deps, { merchantId, psp, webhook });
  if (reading.kind !== 'read') return reading;
  onSigned?.();
  if (!reading.events.every(isNamed)) {
    return { kind: 'malformed', reason: 'An event has an id or a type that cannot be kept.' };
  }
  const noted = new Set(await deps.events.findNoted({ merchantId, psp, events: reading.events }));
  for (const event of reading.events) {
    if (noted.has(event.eventId)) continue;
    noted.add(event.eventId);
    const isDone = await workThrough(deps, { merchantId, psp, webhook, event, ...connection });
    if (!isDone) return { kind: 'unavailable', reason: 'the charge is being made just now' };
  }
  return { kind: 'read', ...present({ answer: reading.answer }) };
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
  { merchantId, psp, webhook }: IngestPspWebhook,
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
  return isStorableId(eventId) && isStorableId(type);
}

/** False where the event has to come again: it is not noted then. */
async function workThrough(
  deps: PspEventDeps,
  input: IngestPspWebhook & ReadByAccount['connection'] & { readonly event: PspEvent },
): Promise<boolean> {
  const { merchantId, psp, webhook, event, connectionVersion, isActive, isLive } = input;
  const { parsed, ...named } = event;
  const account = { connectionVersion, ...present({ isLive }) };
  const incoming = { merchantId, psp, ...account, event: named, parsed };
  const outcome =
    isActive || tellsOfThePast(parsed) ? await actOn(deps, incoming) : 'nothing_to_do';
  if (outcome === 'held') return false;
  const isFirst = await deps.events.note({
    ...named,
    ...subjectOf(parsed),
    merchantId,
    psp,
    kind: parsed.kind,
    outcome,
    receivedAt: webhook.receivedAt,
    ...(parsed.kind === 'dispute' && { rawBody: webhook.rawBody }),
  });
  if (isFirst) deps.countEvent(psp, outcome);
  return true;
}

/**
 * What a replaced account may still tell: how its charges and refunds ended, that an invoice was paid or closed
 * there, and disputes. Nothing that fails there now can be charged through us any more.
 */
function tellsOfThePast(parsed: ParsedEvent): boolean {
  switch (parsed.kind) {
    case 'billing_attempt':
      return parsed.event.transactions.every((transaction) => transaction.success);
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
  incoming: NamedEvent & { readonly parsed: ParsedEvent },
): Promise<PspEventOutcome | 'held'> {
  const { parsed } = incoming;
  switch (parsed.kind) {
    case 'billing_attempt':
      return acceptBillingAttempt(deps, { ...incoming, parsed });
    case 'payment_method_updates':
      return acceptMethodUpdates(deps, { ...incoming, parsed });
    case 'charge_settled':
      return resolveNamedCharge(deps, { ...incoming, parsed });
    case 'refund_settled':
      return refundOutcomes[await settleRefund(deps, { ...incoming, parsed })];
    case 'invoice_closed':
      return closeInvoice(deps, { ...incoming, parsed });
    case 'dispute':
      return keepDispute(deps, { ...incoming, parsed });
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
  { merchantId, psp, event, parsed }: IncomingEvent<'dispute'>,
): Promise<PspEventOutcome> {
  const { dispute } = parsed;
  const { occurredAt } = event;
  if (dispute !== undefined) await deps.ingestDispute({ merchantId, psp, dispute, occurredAt });
  return 'dispute_kept';
}

type Subject = Pick<NotedPspEvent, 'invoiceId' | 'pspTransactionId'>;

/** What an operator looks for an event by; an id that cannot be kept is left out. */
function subjectOf(parsed: ParsedEvent): Subject {
  const { invoiceId, pspTransactionId } = idsIn(parsed);
  return {
    ...(invoiceId !== undefined && isStorableId(invoiceId) && { invoiceId }),
    ...(pspTransactionId !== undefined && isStorableId(pspTransactionId) && { pspTransactionId }),
  };
}

function idsIn(parsed: ParsedEvent): Subject {
  switch (parsed.kind) {
    case 'billing_attempt':
      return { invoiceId: parsed.event.invoice.id };
    case 'invoice_closed':
      return { invoiceId: parsed.invoiceId };
    case 'charge_settled':
      return present({ pspTransactionId: parsed.result.pspTransactionId });
    case 'refund_settled':
      return { pspTransactionId: parsed.pspTransactionId };
    case 'dispute':
      return present({ pspTransactionId: parsed.dispute?.paymentIds[0] });
    case 'payment_method_updates':
    case 'not_used':
      return {};
  }
}
