import { present } from '../../../domain/present.ts';
import { isStorableId } from '../../../domain/truncated-text.ts';
import { type TakenAnswer, takeAnswer } from '../../engine/answers/take-answer.ts';
import type { NamedCharge, PspEventOutcome } from '../../psp-event-ports.ts';
import type { IncomingEvent, PspEventDeps } from './deps.ts';

/**
 * Webhooks often overtake the answer that a worker waits for. So the worker is given five seconds,
 * less than any PSP waits for us.
 */
const pauseMs = 250;
const maxLooks = 20;

/**
 * Takes the PSP's own word of a charge. One that a worker is making just now is the worker's, who
 * has the answer in a moment; when it has not, the event is `held`: it has to come again, since the
 * worker may be dead and this may be the only word there is. A word against what is recorded opens
 * an incident: nothing more is charged until a person has decided.
 */
export async function resolveNamedCharge(
  deps: PspEventDeps,
  incoming: IncomingEvent<'charge_settled'>,
): Promise<PspEventOutcome | 'held'> {
  const { merchantId, psp, connectionVersion, isLive, parsed } = incoming;
  const { idempotencyKey, result } = parsed;
  // None of ours has a key that could not be kept.
  if (!isStorableId(idempotencyKey)) return 'charge_unknown';
  for (let look = 0; look < maxLooks; look += 1) {
    const now = deps.clock.now();
    const sought = { merchantId, psp, connectionVersion, idempotencyKey, now };
    const charge = await deps.events.findCharge(sought);
    if (charge === undefined) return 'charge_unknown';
    if (charge.transaction.state === 'sending' && charge.isHeld) {
      await deps.pause(pauseMs);
      continue;
    }
    const taken = await takeAnswer(deps, {
      merchantId,
      idempotencyKey,
      result,
      ...present({ isLive }),
    });
    if (taken !== 'busy') return told(deps, incoming, charge, taken);
  }
  return 'held';
}

function told(
  deps: PspEventDeps,
  { psp, parsed }: IncomingEvent<'charge_settled'>,
  charge: NamedCharge,
  taken: Exclude<TakenAnswer, 'busy'>,
): PspEventOutcome {
  switch (taken) {
    case 'resolved':
    case 'recorded_late': {
      const { merchantId, invoiceId, attempt } = charge;
      deps.log.info(
        { merchantId, invoiceId, attemptId: attempt.attemptId, psp, result: parsed.result.kind },
        "a charge was resolved by its PSP's webhook",
      );
      return 'charge_settled';
    }
    case 'says_nothing_new':
      return 'already_settled';
    case 'incident':
      return 'contradiction';
    case 'charge_unknown':
      return 'charge_unknown';
  }
}
