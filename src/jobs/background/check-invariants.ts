import { dayMs, minuteMs } from '../../domain/clock.ts';
import type { InvariantCheck, InvariantView } from '../../recovery/accounting/accounting-ports.ts';
import {
  inBatches,
  type JobContext,
  type OnDemandJob,
  type PeriodicJob,
} from '../background-job.ts';

export interface CheckInvariantsDeps {
  /** Begins a check of everything; where one is under way, that one goes on. */
  begin(at: Date): Promise<InvariantCheck>;
  /** Counts one page of it. */
  step(at: Date): Promise<{ readonly rows: number; readonly ended: boolean }>;
  find(checkId: string): Promise<InvariantCheck | undefined>;
  readonly log: BreachLog;
}

export interface BreachLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Once a day: it reads every row that there is, page by page. What must be noticed sooner is kept in
 * totals, and seen within minutes.
 */
const everyMs = dayMs;

/** Checks everything, and logs each promise that is broken. */
export function checkInvariants(deps: CheckInvariantsDeps): PeriodicJob {
  return { name: 'check-invariants', everyMs, run: (context) => checkAll(deps, context) };
}

export const checkNowJobName = 'check-invariants-now';

/** The same when it is asked for. Two at once work at one check. */
export function checkInvariantsNow(deps: CheckInvariantsDeps): OnDemandJob {
  return {
    name: checkNowJobName,
    onDemand: true,
    run: (_input, context) => checkAll(deps, context),
  };
}

async function checkAll(deps: CheckInvariantsDeps, context: JobContext): Promise<void> {
  const { checkId } = await deps.begin(context.at);
  let isOver = false;
  await inBatches(context, async () => {
    if (isOver) return 0;
    const { rows, ended } = await deps.step(context.at);
    isOver = ended;
    return Math.max(1, rows);
  });
  const check = await deps.find(checkId);
  logBreaches(deps.log, check?.items ?? []);
}

/** As often as a difference should be noticed. The sandbox's clock does not stop for it. */
const keepEveryMs = 5 * minuteMs;

/** Brings the control totals up to date, and says what does not agree. */
export function keepControlTotals(deps: {
  fold(input: { at: Date }): Promise<number>;
  readPromises(): Promise<readonly InvariantView[]>;
  readonly log: BreachLog;
}): PeriodicJob {
  return {
    name: 'keep-control-totals',
    everyMs: keepEveryMs,
    async run({ at }) {
      await deps.fold({ at });
      logBreaches(deps.log, await deps.readPromises());
    },
  };
}

function logBreaches(log: BreachLog, items: readonly InvariantView[]): void {
  for (const { name, promise, breaches } of items) {
    if (breaches === 0) continue;
    log.error({ invariant: name, promise, breaches }, 'a promise of the engine is broken');
  }
}
