import type { EngineLog } from '../engine/deps.ts';
import type { EndpointKey, EndpointStore } from './endpoint-ports.ts';

/** An endpoint that took nothing for as long as it allows. */
export interface FailingEndpoint extends EndpointKey {
  readonly failingSince: Date;
  readonly pauseAfterDays: number;
}

/**
 * Pauses what has failed for days, as its settings ask for: nobody is at that address, and each further
 * event costs sends and time. What would be sent is kept, so nothing is lost but time.
 */
export async function pauseFailing(
  deps: {
    readonly store: Pick<EndpointStore, 'pause'>;
    findFailing(at: Date): Promise<readonly FailingEndpoint[]>;
    readonly log: Pick<EngineLog, 'warn'>;
  },
  at: Date,
): Promise<void> {
  for (const { failingSince, pauseAfterDays, ...key } of await deps.findFailing(at)) {
    const { merchantId, endpointId } = key;
    const since = failingSince.toISOString();
    const detail = {
      endpoint_id: endpointId,
      failing_since: since,
      pause_after_days: pauseAfterDays,
    };
    const audit = { action: 'endpoint.paused', detail, at };
    if ((await deps.store.pause({ key, by: 'failures', audit })) !== true) continue;
    deps.log.warn(
      { merchantId, endpointId, failingSince: since },
      'an endpoint accepted nothing for days and is paused: its events are kept until it is resumed',
    );
  }
}
