import { addMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { limits, maxRedeliveries } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { DeliveryOutcome, DeliveryStore, DueDelivery } from '../engine-ports.ts';
import type { WebhookResult } from '../merchant-ports.ts';
import type { EngineDeps } from './deps.ts';

/**
 * Sends an event once and records how it went. Anything but an acknowledgement is sent again at the
 * next of the window's 12-hour marks, so that a send that was late does not shift the later ones. Marks
 * that passed while no process was there to send are made up for: the window moves on by them.
 */
export async function deliverEvent(
  deps: Pick<EngineDeps, 'clock' | 'merchants' | 'merchantClient' | 'log'> & {
    readonly deliveries: DeliveryStore;
  },
  due: DueDelivery,
): Promise<void> {
  const { merchantId, eventId } = due;
  const merchant = await deps.merchants.findMerchant(merchantId);
  invariant(merchant !== undefined, 'an event belongs to a merchant');
  const sentAt = deps.clock.now();
  const result = await deps.merchantClient.sendWebhook({
    merchant,
    secrets: await deps.merchants.merchantSecrets(merchantId),
    eventId,
    type: due.type,
    body: due.body,
    sentAt,
  });
  const outcome = outcomeOf(due, result, sentAt, deps.clock.now());
  await deps.deliveries.record(outcome);
  if (outcome.state !== 'delivered') {
    const { state, status, error } = outcome;
    deps.log.warn({ merchantId, eventId, state, status, error }, 'a webhook was not delivered');
  }
}

function outcomeOf(
  due: DueDelivery,
  result: WebhookResult,
  sentAt: Date,
  endedAt: Date,
): DeliveryOutcome {
  const windowStartedAt =
    due.windowStartedAt === undefined
      ? sentAt
      : addMs(due.windowStartedAt, missedMs(due.dueAt, sentAt));
  const common = {
    merchantId: due.merchantId,
    eventId: due.eventId,
    fence: due.fence,
    number: due.tries + 1,
    sentAt,
    endedAt,
    durationMs: Math.round(result.durationMs),
    windowStartedAt,
    ...present({ status: result.status }),
  };
  if (result.kind === 'delivered') return { ...common, state: 'delivered' };
  const error = `${result.cause}: ${result.detail}`.slice(0, limits.messageLength);
  const nextAt = nextRedelivery(windowStartedAt, sentAt);
  if (nextAt === undefined) return { ...common, state: 'exhausted', error };
  return { ...common, state: 'pending', error, nextAt };
}

/** The whole intervals that this send came after its mark. */
function missedMs(dueAt: Date, sentAt: Date): number {
  const { redeliveryIntervalMs } = limits;
  const lateMs = sentAt.getTime() - dueAt.getTime();
  return Math.max(0, Math.floor(lateMs / redeliveryIntervalMs)) * redeliveryIntervalMs;
}

/** The first 12-hour mark of the window after `sentAt`; undefined after the last. */
export function nextRedelivery(windowStartedAt: Date, sentAt: Date): Date | undefined {
  const sinceMs = sentAt.getTime() - windowStartedAt.getTime();
  const mark = Math.floor(sinceMs / limits.redeliveryIntervalMs) + 1;
  if (mark > maxRedeliveries) return undefined;
  return addMs(windowStartedAt, mark * limits.redeliveryIntervalMs);
}
