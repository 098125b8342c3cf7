import type pg from 'pg';
import { dayMs } from '../../../domain/clock.ts';
import type { WorldRecord } from '../../record.ts';
import type { Draws } from '../../schedule/draws.ts';
import type { Scheduler } from '../../schedule/scheduler.ts';
import type { ServiceCalls } from '../service-calls.ts';
import { dedupIdOf } from '../simulated-merchant.ts';
import type { Weather } from '../weather.ts';

export interface AskedAgainDeps {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly calls: ServiceCalls;
  readonly weather: Weather;
  readonly record: WorldRecord;
  readonly admin: pg.Client;
}

interface Known {
  readonly merchant_id: string;
  readonly event_id: string;
}

const knownQuery = {
  name: 'faults_known_events',
  text: 'select merchant_id, event_id from events order by merchant_id, sequence',
};

/** So often in all the days with faults, whatever a world's length. */
const timesAsked = 40;
/** And so often afterwards, by when more is packed; days before the world ends, so that all of it still comes. */
const timesAskedInCalm = 10;

/** Merchants ask for events once more that they read of, however long ago: some are packed by then. */
export function planAskedAgain(deps: AskedAgainDeps, days: number): void {
  const { scheduler, weather, admin } = deps;
  const draws = deps.draws.fork('asked again');
  const everyMs = (days * dayMs) / timesAsked;
  const known = new Map<string, Known>();
  let left = timesAskedInCalm;
  const look = async () => {
    const { rows } = await admin.query<Known>(knownQuery);
    for (const row of rows) known.set(row.event_id, row);
    if (known.size > 0) ask(deps, draws.pick([...known.values()]));
    if (weather.isCalm) left -= 1;
    const waitMs = 2 * draws.unit() * (weather.isCalm ? dayMs : everyMs);
    if (left > 0) scheduler.after(waitMs, look);
  };
  scheduler.after(everyMs, look);
}

function ask({ scheduler, calls, record }: AskedAgainDeps, event: Known): void {
  const { merchant_id: merchantId, event_id: eventId } = event;
  const sinceMs = scheduler.nowMs();
  calls.make({
    what: `asked again for ${eventId}`,
    work: ({ recovery }) => recovery.redeliverEvent({ merchantId, eventId }),
    onAnswer({ kind }) {
      const atMs = scheduler.nowMs();
      const isFound = kind === 'queued';
      record.askedAgain.push({
        merchantId,
        eventId,
        dedupId: dedupIdOf(eventId),
        isFound,
        sinceMs,
        atMs,
      });
      return true;
    },
  });
}
