import { LoopLoad, sampleEveryMs } from '../../http/bounds/loop-load.ts';
import type { Metrics } from '../../metrics.ts';
import type { AppContext, Closable } from '../context.ts';

/** Measures how late this process's loop is, for as long as it runs. */
export function watchLoop(
  { config, elapsedMs }: Pick<AppContext, 'config' | 'elapsedMs'>,
  metrics: Pick<Metrics, 'setLoad'>,
): Closable & { readonly load: LoopLoad } {
  const load = new LoopLoad(config.shedAtDelayMs);
  let dueAtMs = elapsedMs() + sampleEveryMs;
  const timer = setInterval(() => {
    const nowMs = elapsedMs();
    load.note(Math.max(0, nowMs - dueAtMs));
    // A timer that was late begins anew: what is measured is how long each waits, not what has added up.
    dueAtMs = nowMs + sampleEveryMs;
    metrics.setLoad(load);
  }, sampleEveryMs);
  timer.unref();
  return { load, close: async () => clearInterval(timer) };
}
