import type { Clock } from '../../domain/clock.ts';
import type { EndpointKey, EndpointStore } from './endpoint-ports.ts';

export interface PauseEndpointDeps {
  readonly store: Pick<EndpointStore, 'pause' | 'resume'>;
  readonly clock: Clock;
  readonly wake: { deliveries(): void };
  /** Tells this process's readers that an endpoint changed. */
  forget(key: EndpointKey): void;
}

/**
 * Sends an endpoint nothing until it is resumed. Its deliveries stay due, so nothing is lost and no send
 * of the seven days is used up: the time of a pause is made up for, as that of an outage of Recoup's own.
 */
export async function pauseEndpoint(
  deps: PauseEndpointDeps,
  key: EndpointKey,
): Promise<boolean | undefined> {
  const audit = { action: 'endpoint.paused', detail: detailOf(key), at: deps.clock.now() };
  const isPaused = await deps.store.pause({ key, by: 'operator', audit });
  deps.forget(key);
  return isPaused;
}

export async function resumeEndpoint(
  deps: PauseEndpointDeps,
  key: EndpointKey,
): Promise<boolean | undefined> {
  const audit = { action: 'endpoint.resumed', detail: detailOf(key), at: deps.clock.now() };
  const isResumed = await deps.store.resume({ key, audit });
  deps.forget(key);
  if (isResumed === true) deps.wake.deliveries();
  return isResumed;
}

function detailOf({ endpointId }: EndpointKey) {
  return { endpoint_id: endpointId };
}
