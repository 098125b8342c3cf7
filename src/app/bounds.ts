import { present } from '../domain/present.ts';
import type { BoundsDeps, BoundsSettings } from '../http/bounds/bounds.ts';
import type { ApiName } from '../metrics.ts';
import { countRequests } from '../store/count-requests.ts';
import { onBehalfOf } from '../store/pool/behalf.ts';
import type { AppContext } from './context.ts';

/** What one API lets a sender have, by the settings; counted with the other processes in the database. */
export function boundsOf(
  context: Pick<AppContext, 'config' | 'elapsedMs' | 'db' | 'load'>,
  api: ApiName,
): BoundsDeps & { readonly settings: BoundsSettings } {
  const { elapsedMs, db } = context;
  return {
    elapsedMs,
    countTogether: (kind) => (of) => countRequests(db, { scope: `${api} ${kind}`, ...of }),
    workFor: onBehalfOf,
    ...present({ load: context.load }),
    settings: settingsOf(context.config, api),
  };
}

function settingsOf(config: AppContext['config'], api: ApiName): BoundsSettings {
  const shared = {
    writesInFlight: config.writesInFlight,
    strangersPerMinute: config.strangerRateLimitPerMinute,
    connectionsPerAddress: config.connectionsPerAddress,
  };
  const reads = {
    readsPerMinute: config.readRateLimitPerMinute,
    readsInFlight: config.readsInFlight,
  };
  switch (api) {
    case 'recovery':
      return { ...shared, ...reads, writesPerMinute: config.recoveryRateLimitPerMinute };
    case 'disputes':
      return { ...shared, ...reads, writesPerMinute: config.disputesRateLimitPerMinute };
    case 'operator':
      return {
        ...shared,
        writesPerMinute: config.operatorRateLimitPerMinute,
        readsPerMinute: config.operatorRateLimitPerMinute,
        readsInFlight: 2 * config.readsInFlight,
      };
  }
}
