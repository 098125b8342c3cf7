import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Random } from '../../domain/random.ts';
import { sampledLog } from '../../http/server/sampled-log.ts';
import type { Tracing } from './tracing.ts';

/** Tracing where a collector is set. The library is loaded only then: nobody else waits for it at the start. */
export async function startTracing(
  deps: { readonly random: Random; readonly log: Logger; readonly elapsedMs: () => number },
  config: Config,
): Promise<Tracing | undefined> {
  const { tracesEndpoint: endpoint, tracesHeaders, tracesServiceName, tracesRatio } = config;
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('./open-tracing.ts');
  return openTracing(
    { random: deps.random, log: sampledLog(deps.log, deps.elapsedMs) },
    {
      endpoint,
      headers: tracesHeaders ?? {},
      serviceName: tracesServiceName,
      ratio: tracesRatio,
    },
  );
}
