import { secondMs } from '../../domain/clock.ts';
import { LoopLoad, sampleEveryMs } from '../../http/bounds/loop-load.ts';
import type { Metrics } from '../../metrics.ts';
import type { AppContext, Closable } from '../context.ts';

/**
 * Between two looks once nobody went by the load for a second and no timer was late: to wake an idle process costs far
 * more than its look.
 */
const quietEveryMs = secondMs;
/** A timer that is later than this tells of work that nobody asked for, such as a worker's. */
const lateFromMs = 20;

/**
 * Measures how late this process's loop is, for as long as it runs: twenty times a second while somebody goes by it or it
 * is late, else once.
 */
export function watchLoop(
  { config, elapsedMs }: Pick<AppContext, 'config' | 'elapsedMs'>,
  metrics: Pick<Metrics, 'setLoad'>,
): Closable & { readonly load: LoopLoad } {
  const load = new LoopLoad(config.shedAtDelayMs, () => {
    busyUntilMs = elapsedMs() + secondMs;
    if (everyMs !== sampleEveryMs) lookAfter(sampleEveryMs);
  });
  let busyUntilMs = elapsedMs() + secondMs;
  let everyMs = sampleEveryMs;
  let dueAtMs = 0;
  let timer: NodeJS.Timeout | undefined;

  /** A timer that was late begins anew: what is measured is how long each waits, not what has added up. */
  function lookAfter(waitMs: number): void {
    clearTimeout(timer);
    everyMs = waitMs;
    dueAtMs = elapsedMs() + waitMs;
    timer = setTimeout(look, waitMs);
    timer.unref();
  }

  function look(): void {
    const nowMs = elapsedMs();
    const lateMs = Math.max(0, nowMs - dueAtMs);
    load.note(lateMs);
    metrics.setLoad(load);
    if (lateMs > lateFromMs || load.level > 0) busyUntilMs = nowMs + secondMs;
    lookAfter(nowMs < busyUntilMs ? sampleEveryMs : quietEveryMs);
  }

  lookAfter(sampleEveryMs);
  return { load, close: async () => clearTimeout(timer) };
}
