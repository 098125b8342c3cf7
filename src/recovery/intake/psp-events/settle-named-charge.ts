import { isKeptId } from '../../../domain/kept-text.ts';
import { settleCharge } from '../../engine/settle-charge.ts';
import { stopPayment } from '../../engine/stop-payment.ts';
import type { NamedCharge, PspEventOutcome } from '../../psp-event-ports.ts';
import type { IncomingEvent, PspEventDeps } from './deps.ts';

/**
 * Webhooks often overtake the answer that a worker waits for. So the worker is given five seconds, less
 * than any PSP waits for us.
 */
const pauseMs = 250;
const looksMost = 20;

/**
 * Settles a charge by the PSP's own word. One that a worker is making just now is the worker's, who has
 * the answer in a moment; when it has not, the event is `held`: it has to come again, since the worker
 * may be dead and this may be the only word there is. A word against what is recorded changes no record
 * and is told; where it is of money taken, nothing more is charged.
 */
export async function settleNamedCharge(
  deps: PspEventDeps,
  incoming: IncomingEvent<'charge_settled'>,
): Promise<PspEventOutcome | 'held'> {
  const { merchantId, psp, meaning } = incoming;
  const { idempotencyKey, result } = meaning;
  // None of ours has a key that could not be kept.
  if (!isKeptId(idempotencyKey)) return 'charge_unknown';
  for (let look = 0; look < looksMost; look += 1) {
    const now = deps.clock.now();
    const charge = await deps.events.findCharge({ merchantId, psp, idempotencyKey, now });
    if (charge === undefined) return 'charge_unknown';
    const { state } = charge.transaction;
    if (state === result.kind) return 'already_settled';
    if (state !== 'sending' && state !== 'unknown') return contradicted(deps, incoming, charge);
    if (state === 'sending' && charge.isHeld) {
      await deps.pause(pauseMs);
      continue;
    }
    if ((await settleCharge(deps, charge, result)) === 'recorded') {
      deps.log.info(
        { ...idsOf(charge), psp, result: result.kind },
        "a charge was settled by its PSP's webhook",
      );
      return 'charge_settled';
    }
  }
  return 'held';
}

async function contradicted(
  deps: PspEventDeps,
  { psp, event, meaning }: IncomingEvent<'charge_settled'>,
  charge: NamedCharge,
): Promise<PspEventOutcome> {
  const recorded = charge.transaction.state;
  deps.log.warn(
    { ...idsOf(charge), psp, eventId: event.eventId, recorded, told: meaning.result.kind },
    'a PSP tells of a charge what contradicts the record: a person has to look it up there',
  );
  if (meaning.result.kind === 'succeeded') {
    const { merchantId, invoiceId } = charge;
    const detail = 'the PSP tells that a charge succeeded which it had declined or never answered';
    const reason = 'recovered_elsewhere';
    await stopPayment(deps, { merchantId, invoiceId, reason, detail, waits: false });
  }
  return 'contradiction';
}

function idsOf({ merchantId, invoiceId, attempt }: NamedCharge) {
  return { merchantId, invoiceId, attemptId: attempt.attemptId };
}
