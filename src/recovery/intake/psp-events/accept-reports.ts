import { createHash } from 'node:crypto';
import { uuidFrom } from '../../../domain/ids.ts';
import type { Fault } from '../../../domain/json/fault.ts';
import { present } from '../../../domain/present.ts';
import type { PspEventOutcome } from '../../psp-event-ports.ts';
import { acceptPayment, acceptPaymentMethodUpdate } from '../ingest.ts';
import type { IncomingEvent, NamedEvent, PspEventDeps } from './deps.ts';

/** A billing attempt goes the way of POST /recover/payments. */
export async function acceptBillingAttempt(
  deps: PspEventDeps,
  incoming: IncomingEvent<'billing_attempt'>,
): Promise<PspEventOutcome> {
  const { merchantId, parsed } = incoming;
  const { event: body, pspInvoiceId } = parsed;
  const merchant = await deps.merchants.findMerchant(merchantId);
  const faults = deps.checkPayment(body, merchant?.psps ?? []);
  if (faults.length > 0) return unusable(deps, incoming, faults);
  await acceptPayment(ingestDeps(deps), {
    merchantId,
    body,
    uuid: receiptUuid(incoming, 0),
    channel: 'psp',
    ...present({ pspInvoiceId }),
  });
  return 'accepted';
}

/** Each update goes the way of POST /recover/payment_method_updates; one faulty refuses them all. */
export async function acceptMethodUpdates(
  deps: PspEventDeps,
  incoming: IncomingEvent<'payment_method_updates'>,
): Promise<PspEventOutcome> {
  const { merchantId, parsed } = incoming;
  const faults = parsed.updates.flatMap((update) => deps.checkPaymentMethodUpdate(update));
  if (faults.length > 0) return unusable(deps, incoming, faults);
  for (const [index, body] of parsed.updates.entries()) {
    const uuid = receiptUuid(incoming, index);
    await acceptPaymentMethodUpdate(ingestDeps(deps), { merchantId, body, uuid });
  }
  return 'accepted';
}

function ingestDeps(deps: PspEventDeps) {
  return { clock: deps.clock, log: deps.requestLog, merchants: deps.merchants, wake: deps.wake };
}

/**
 * The receipt's UUID of one report of an event: always the same one, so that an event that is sent
 * again before it was noted finds its first receipt and adds nothing.
 */
function receiptUuid({ merchantId, psp, event }: NamedEvent, index: number): string {
  const parts = JSON.stringify(['psp_event', merchantId, psp, event.eventId, index]);
  return uuidFrom(createHash('sha256').update(parts).digest());
}

/** Sent again it would be the same: it is noted, and a person may read in the log what was wrong. */
function unusable(
  deps: PspEventDeps,
  { merchantId, psp, event }: NamedEvent,
  faults: readonly Fault[],
): PspEventOutcome {
  const fields = faults.map((fault) => fault.at);
  deps.log.warn(
    { merchantId, psp, eventId: event.eventId, type: event.type, fields },
    'an event of a PSP reports what cannot be ingested',
  );
  return 'unusable';
}
