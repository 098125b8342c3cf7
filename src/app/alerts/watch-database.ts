import { hostname } from 'node:os';
import { secondMs } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import type { AlertWatchStore, SendAlerts } from '../../recovery/alerts/alert-ports.ts';
import { createOutage } from '../../recovery/alerts/tell-outage.ts';
import type { AppContext, Closable } from '../context.ts';

const everyMs = 30 * secondMs;
const noAnswer = 'It does not answer.';

/**
 * Asks the database for itself, since jobs wait in it: whether it answers and takes writes, and whom to tell when it
 * does not.
 */
export function watchDatabase(
  context: Pick<AppContext, 'random' | 'machine' | 'elapsedMs' | 'writes'>,
  deps: { readonly store: Pick<AlertWatchStore, 'readRouting'>; readonly send: SendAlerts },
): Closable {
  const { random, machine, elapsedMs, writes } = context;
  const outage = createOutage({
    send: deps.send,
    elapsedMs,
    processId: hostname(),
    newMessageId: () => newId(random, 'alm'),
  });
  let looking = Promise.resolve();
  let isLooking = false;

  async function look(): Promise<void> {
    const at = machine.now();
    const routing = await deps.store.readRouting(at).catch(() => undefined);
    const refused = routing === undefined ? noAnswer : (await writes?.refused())?.message;
    if (routing !== undefined && refused === undefined) await outage.isOver(routing, at);
    else await outage.goesOn(refused ?? noAnswer, at);
  }

  function begin(): void {
    if (isLooking) return;
    isLooking = true;
    looking = look().finally(() => {
      isLooking = false;
    });
  }

  begin();
  const timer = setInterval(begin, everyMs);
  return {
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
