import { type Clock, secondMs } from '../../domain/clock.ts';
import { TtlCache } from '../admin/ttl-cache.ts';
import type { EndpointKey, EndpointStore, Endpoints, OpenedEndpoint } from './endpoint-ports.ts';

/** As for merchants: how long a process may go on with what it has read. */
const ttlMs = secondMs;
const max = 10_000;

export interface EndpointDirectory extends Endpoints {
  /** To be called after each committed change. */
  forget(key: EndpointKey): void;
}

/** Further endpoints with their secrets opened, for one second of the service's clock. */
export function createEndpointDirectory(deps: {
  readonly clock: Clock;
  readonly store: Pick<EndpointStore, 'open'>;
}): EndpointDirectory {
  const { clock, store } = deps;
  const load = (key: string): Promise<OpenedEndpoint | undefined> => {
    const [merchantId = '', endpointId = ''] = key.split(' ');
    return store.open({ merchantId, endpointId });
  };
  const cache = new TtlCache<OpenedEndpoint>({ clock, load }, { ttlMs, max });
  return {
    async findEndpoint(key) {
      const opened = await cache.get(nameOf(key));
      if (opened === undefined) return undefined;
      const { auth, headers, signingSecrets } = opened.secrets;
      const nowMs = clock.now().getTime();
      const valid = signingSecrets.filter(
        ({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > nowMs,
      );
      return {
        endpoint: opened.endpoint,
        secrets: { auth, headers, signingSecrets: valid.map(({ text }) => text) },
      };
    },
    forget: (key) => cache.forget((name) => name === nameOf(key)),
  };
}

function nameOf({ merchantId, endpointId }: EndpointKey): string {
  return `${merchantId} ${endpointId}`;
}
