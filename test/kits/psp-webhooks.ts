import { createHmac, randomBytes } from 'node:crypto';
import { createDisputesModule } from '../../src/app/disputes/disputes-module.ts';
import { reportChecks } from '../../src/app/psps/psp-webhooks.ts';
import type { PaymentEventBody } from '../../src/domain/payment-event.ts';
import type { PspEventDeps } from '../../src/recovery/intake/psp-events/deps.ts';
import type {
  ParsedEvent,
  PspEvent,
  PspGateway,
  PspWebhook,
  WebhookReading,
} from '../../src/recovery/psp-ports.ts';
import type { Database } from '../../src/store/database.ts';
import { createIncidentStore } from '../../src/store/incidents/incident-store.ts';
import { createPspEventStore } from '../../src/store/psp-events/psp-event-store.ts';
import { localKeyProvider } from '../../src/store/sealing/key-provider.ts';
import { createSealer, type Sealer } from '../../src/store/sealing/sealer.ts';
import { worldStart } from './billing-events.ts';
import { type EngineWorld, random } from './engine.ts';
import { changedGateways } from './gateways.ts';

const secret = 'webhook secret of a test';

/** An event as the pretended PSP writes it. */
export interface WrittenEvent {
  readonly id: string;
  readonly at?: Date;
  readonly parsed: ParsedEvent;
}

/** The body and the signature of a webhook of the pretended PSP. */
export function webhookOf(
  events: readonly WrittenEvent[],
  more: { readonly answer?: string; readonly encoding?: BufferEncoding } = {},
): { readonly body: Buffer; readonly headers: Record<string, string> } {
  const { answer, encoding = 'utf8' } = more;
  return signed(Buffer.from(JSON.stringify({ events, answer }), encoding), encoding);
}

/** Any bytes, signed as the pretended PSP signs. */
export function signed(body: Buffer, encoding: BufferEncoding = 'utf8') {
  return {
    body,
    headers: {
      'content-type': `application/json; charset=${encoding}`,
      'psp-signature': createHmac('sha256', secret).update(body).digest('hex'),
      'psp-encoding': encoding,
    },
  };
}

/** Reads the webhooks of the pretended PSP: JSON under a signature of its exact bytes. */
export async function readTestWebhook(webhook: PspWebhook): Promise<WebhookReading> {
  const body = Buffer.from(webhook.rawBody);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  if (webhook.headers['psp-signature'] !== signature) {
    return { kind: 'unverified', reason: 'The signature is not ours.' };
  }
  try {
    const encoding = (webhook.headers['psp-encoding'] ?? 'utf8') as BufferEncoding;
    const read = JSON.parse(body.toString(encoding)) as Written;
    if (read.unavailable) return { kind: 'unavailable', reason: 'The PSP did not answer.' };
    return {
      kind: 'read',
      events: read.events.map(toEvent),
      ...(read.answer === undefined ? {} : { answer: read.answer }),
    };
  } catch {
    return { kind: 'malformed', reason: 'The body is not JSON.' };
  }
}

interface Written {
  readonly events: readonly WrittenEvent[];
  readonly answer?: string;
  readonly unavailable?: boolean;
}

function toEvent({ id, at, parsed }: WrittenEvent): PspEvent {
  const occurredAt = at === undefined ? worldStart : new Date(at);
  return { eventId: id, type: `test.${parsed.kind}`, occurredAt, parsed };
}

export function billingAttempt(
  id: string,
  event: PaymentEventBody,
  pspInvoiceId?: string,
): WrittenEvent {
  const own = pspInvoiceId === undefined ? {} : { pspInvoiceId };
  return { id, parsed: { kind: 'billing_attempt', event, ...own } };
}

export function invoiceClosed(id: string, invoiceId = 'in_1'): WrittenEvent {
  return { id, parsed: { kind: 'invoice_closed', invoiceId, reason: 'voided at the PSP' } };
}

/** What ingests webhooks in a test world, with a gateway that reads the pretended PSP's. */
export interface WebhookWorld {
  readonly deps: PspEventDeps;
  readonly sealer: Sealer;
  /** Each event that was worked through for the first time. */
  readonly counted: string[];
}

export function webhookWorld(
  world: EngineWorld,
  change: (gateway: PspGateway) => Partial<PspGateway> = () => ({}),
): WebhookWorld {
  const sealer = createTestSealer();
  const counted: string[] = [];
  const disputes = createDisputesModule({ db: world.db, sealer, engine: { deps: world.deps } });
  const gateways = changedGateways(world.deps, (gateway) => ({
    readWebhook: readTestWebhook,
    ...change(gateway),
  }));
  return {
    sealer,
    counted,
    deps: {
      ...world.deps,
      listGateways: async (account) => {
        const gateway = await gateways.findGateway(account);
        return gateway === undefined ? [] : [gateway];
      },
      ...reportChecks,
      events: createPspEventStore({ db: world.db, sealer }),
      incidents: createIncidentStore({ db: world.db, random }),
      ingestDispute: (input) => disputes.ingest(input),
      countEvent: (psp, outcome) => void counted.push(`${psp} ${outcome}`),
    },
  };
}

export function createTestSealer(): Sealer {
  return createSealer({ keys: localKeyProvider({ random }, randomBytes(32)), random });
}

/** A data key for the merchant, without which nothing of it can be sealed. */
export async function giveDataKey(
  world: { readonly db: Pick<Database, 'pool'>; readonly merchantId: string },
  sealer: Sealer,
): Promise<void> {
  const { version, wrappedKey } = await sealer.newDataKey(world.merchantId, 1);
  await world.db.pool.query('insert into data_keys values ($1, $2, $3, $4)', [
    world.merchantId,
    version,
    wrappedKey,
    worldStart,
  ]);
}
