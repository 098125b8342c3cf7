import type { Logger } from 'pino';
import { addMs, type Clock, earlierOf, secondMs } from '../../domain/clock.ts';
import { errorMessage } from '../../domain/errors/error-message.ts';
import type { LiveChange, LiveFeed } from '../../recovery/reports/live.ts';
import type { Closable } from '../context.ts';

/** Looks for changes: one index look each, and none while nobody listens. */
const everyMs = secondMs;
/** What carries a time so far behind may still be committed. */
const commitsWithinMs = 5 * secondMs;
/** Changes that one look takes; the rest waits for the next one. */
const maxChanges = 500;

/** Tells everybody who listens what changed, by one look at the database for all of them. */
export function createLiveFeed(deps: {
  readonly readChanges: (input: { since: Date; limit: number }) => Promise<readonly LiveChange[]>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug'>;
}): LiveFeed & Closable {
  const listeners = new Set<(changes: readonly LiveChange[]) => void>();
  let timer: NodeJS.Timeout | undefined;
  let since = deps.clock.now();
  /** What was told of the last seconds, which are read again. */
  let told = new Set<string>();

  async function look(): Promise<void> {
    try {
      // What changes in an hour that comes again, since the clock was set back, is told like any other.
      const now = deps.clock.now();
      if (since.getTime() > now.getTime() + commitsWithinMs) since = now;
      const read = await deps.readChanges({ since, limit: maxChanges });
      const fresh = read.filter((change) => !told.has(nameOf(change)));
      const last = read.at(-1)?.at;
      if (last !== undefined) {
        const from = addMs(earlierOf(last, now), -commitsWithinMs);
        // A full page is read on from its end: else its own last seconds would fill the next one.
        since = read.length === maxChanges ? last : from.getTime() > since.getTime() ? from : since;
        const kept = since.getTime();
        told = new Set(read.filter(({ at }) => at.getTime() >= kept).map(nameOf));
      }
      if (fresh.length > 0) for (const listener of listeners) listener(fresh);
    } catch (error) {
      deps.log.debug({ error: errorMessage(error) }, 'changes could not be read; they are later');
    }
    if (listeners.size > 0) timer = setTimeout(() => void look(), everyMs);
    else timer = undefined;
  }

  return {
    subscribe(listener) {
      if (listeners.size === 0 && timer === undefined) {
        since = deps.clock.now();
        told = new Set();
        timer = setTimeout(() => void look(), everyMs);
      }
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      clearTimeout(timer);
    },
  };
}

function nameOf({ merchantId, invoiceId, at }: LiveChange): string {
  return `${merchantId}/${invoiceId}/${at.getTime()}`;
}
