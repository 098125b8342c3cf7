import { addMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { DeliveryOutcome, DeliveryStore, DueDelivery } from '../engine-ports.ts';
import type { WebhookResult } from '../merchant-ports.ts';
import type { EngineDeps } from './deps.ts';
import { type FailedSend, missedMs, nextSendAt } from './time/redelivery-times.ts';

/**
 * Sends an event once and records how it went. Anything but an acknowledgement is sent again at the
 * next of the window's marks, so that a send that was late does not shift the later ones.
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
  const times = {
    sentAt,
    endedAt: deps.clock.now(),
    quickSends: merchant.webhookQuickSends ?? false,
  };
  const outcome = outcomeOf(due, result, times);
  await deps.deliveries.record(outcome);
  if (outcome.state !== 'delivered') {
    const { state, status, error } = outcome;
    deps.log.warn({ merchantId, eventId, state, status, error }, 'a webhook was not delivered');
  }
}

function outcomeOf(
  due: DueDelivery,
  result: WebhookResult,
  times: Omit<FailedSend, 'windowStartedAt'>,
): DeliveryOutcome {
  const { sentAt, endedAt } = times;
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
  const failed = { ...common, error, ...present({ answer: result.answer }) };
  const nextAt = nextSendAt({ ...times, windowStartedAt });
  if (nextAt === undefined) return { ...failed, state: 'exhausted' };
  return { ...failed, state: 'pending', nextAt };
}
