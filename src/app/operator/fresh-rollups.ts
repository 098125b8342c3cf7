import type { Logger } from 'pino';
import type { Clock } from '../../domain/clock.ts';
import { errorMessage } from '../../domain/errors/error-message.ts';
import {
  cardLimitsOldestMs,
  rollupBatch,
  settledOldestMs,
} from '../../jobs/background/keep-rollups.ts';
import type { Database } from '../../store/database.ts';
import { onNobodysBehalf } from '../../store/pool/behalf.ts';
import { countCardLimits } from '../../store/rollups/count-card-limits.ts';
import { countSettled } from '../../store/rollups/count-settled.ts';
import { rollUpCharges, rollUpPayments, rollUpUplift } from '../../store/rollups/roll-up.ts';
import type { Closable } from '../context.ts';

/** Counts what changed since the job's last run, beside whoever looks at the sums. */
export interface FreshRollups extends Closable {
  /** Begins to count, unless that is under way; nobody waits for it. */
  refresh(): void;
  /** Resolves when what was begun is done. */
  idle(): Promise<void>;
}

export function createFreshRollups(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): FreshRollups {
  const { db, clock, log } = deps;
  let isClosed = false;
  let work: Promise<void> | undefined;

  async function run(): Promise<void> {
    const step = { at: clock.now(), limit: rollupBatch };
    // First, since whoever looks stops looking once the payments are counted.
    await warned(() => countCardLimits(db, { at: step.at, oldestMs: cardLimitsOldestMs }));
    await warned(() => countSettled(db, { at: step.at, oldestMs: settledOldestMs }));
    await warned(async () => {
      while (!isClosed && (await rollUpPayments(db, step)) > 0);
      while (!isClosed && (await rollUpUplift(db, step)) > 0);
      while (!isClosed && (await rollUpCharges(db, step)) > 0);
    });
    work = undefined;
  }

  /** Sums that cannot be counted now stay as old as they are, and say so; others are counted. */
  async function warned(count: () => Promise<void>): Promise<void> {
    try {
      await count();
    } catch (error) {
      log.warn(
        { error: errorMessage(error) },
        'the sums of the dashboard could not be brought up to date',
      );
    }
  }

  return {
    refresh() {
      if (!isClosed) work ??= onNobodysBehalf(run);
    },
    idle: async () => work,
    async close() {
      isClosed = true;
      await work;
    },
  };
}
