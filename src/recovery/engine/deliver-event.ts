import { addMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { DeliveryOutcome, DeliveryStore, DueDelivery } from '../engine-ports.ts';
import type { WebhookRequest, WebhookResult } from '../merchant-ports.ts';
import type { EngineDeps } from './deps.ts';
import { type FailedSend, missedMs, nextSendAt } from './time/redelivery-times.ts';

/**
 * Sends an event once and records how it went. Anything but an acknowledgement is sent again at the
 * next of the window's marks, so that a send that was late does not shift the later ones.
 */
export async function deliverEvent(
  deps: Pick<EngineDeps, 'clock' | 'merchants' | 'endpoints' | 'merchantClient' | 'log'> & {
    readonly deliveries: DeliveryStore;
    /** Of each send, once what became of it is recorded. */
    readonly countSend: (result: 'delivered' | 'failed' | 'exhausted') => void;
  },
  due: DueDelivery,
): Promise<void> {
  const { merchantId, eventId } = due;
  const to = await addresseeOf(deps, due);
  const sentAt = deps.clock.now();
  const { type, body } = due;
  const result =
    to === undefined
      ? removed
      : await deps.merchantClient.sendWebhook({ ...to.call, eventId, type, body, sentAt });
  const times = {
    sentAt,
    endedAt: deps.clock.now(),
    quickSends: to?.quickSends ?? false,
  };
  const outcome = outcomeOf(due, result, times);
  await deps.deliveries.record(outcome);
  if (to !== undefined) deps.countSend(outcome.state === 'pending' ? 'failed' : outcome.state);
  if (outcome.state !== 'delivered') {
    const { state, status, error } = outcome;
    const of = { merchantId, eventId, ...present({ endpointId: due.endpointId }) };
    deps.log.warn({ ...of, state, status, error }, 'a webhook was not delivered');
  }
}

/** Where a delivery goes, and with what. */
interface Addressee {
  readonly call: Pick<WebhookRequest, 'url' | 'headers' | 'secrets'>;
  readonly quickSends: boolean;
}

/** Undefined for an endpoint that was removed since the event was recorded. */
async function addresseeOf(
  { merchants, endpoints }: Pick<EngineDeps, 'merchants' | 'endpoints'>,
  { merchantId, endpointId }: DueDelivery,
): Promise<Addressee | undefined> {
  if (endpointId === undefined) {
    const merchant = await merchants.findMerchant(merchantId);
    invariant(merchant !== undefined, 'an event belongs to a merchant');
    const secrets = await merchants.merchantSecrets(merchantId);
    const quickSends = merchant.webhookQuickSends ?? false;
    return { call: { url: merchant.webhookUrl, secrets }, quickSends };
  }
  const found = await endpoints.findEndpoint({ merchantId, endpointId });
  if (found === undefined) return undefined;
  const { endpoint, secrets } = found;
  const call = { url: endpoint.url, headers: secrets.headers, secrets };
  return { call, quickSends: endpoint.quickSends };
}

const removed: WebhookResult = {
  kind: 'failed',
  cause: 'address_refused',
  detail: 'The endpoint was removed: nothing was sent.',
  durationMs: 0,
};

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
    ...present({ endpointId: due.endpointId }),
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
  const nextAt = result === removed ? undefined : nextSendAt({ ...times, windowStartedAt });
  if (nextAt === undefined) return { ...failed, state: 'exhausted' };
  return { ...failed, state: 'pending', nextAt };
}
