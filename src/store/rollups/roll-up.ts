import { addMs, minuteMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import type { ChangeCursor, CountedStep } from './change-cursor.ts';
import { countCharges } from './count-charges.ts';
import { countPayments } from './count-payments.ts';
import { countUplift } from './count-uplift.ts';

/**
 * Longer than any transaction lasts, and than the clocks of two processes differ: what carries a
 * time so far behind is committed. Payments are read again from there on; charges are counted only
 * once they lie there.
 */
const commitsWithinMs = 2 * minuteMs;

const lock: Statement = {
  name: 'lock_rollup',
  text: `
    select through_at, begun_at, cursor_at::text, cursor_keys,
           through_at = '-infinity' as is_new
    from rollup_progress where name = $1 for update`,
};

/**
 * Planned with the values at hand: a plan for any values takes the few rows behind the cursor for
 * many, and sorts all that there are at each step.
 */
const planAnew: Statement = {
  name: 'plan_anew',
  text: "select set_config('plan_cache_mode', 'force_custom_plan', true)",
};

const keep: Statement = {
  name: 'keep_rollup_progress',
  text: `
    update rollup_progress
    set through_at = coalesce($2, through_at), begun_at = $3, cursor_at = $4::timestamptz,
        cursor_keys = $5
    where name = $1`,
};

interface ProgressRow {
  readonly through_at: Date | number;
  readonly begun_at: Date | null;
  readonly cursor_at: string | null;
  readonly cursor_keys: readonly string[] | null;
  readonly is_new: boolean;
}

/** Before everything that was ever stored. */
const beginning = '-infinity';

interface StepInput {
  /** The present time of the service. */
  readonly at: Date;
  /** The most rows that this step counts. */
  readonly limit: number;
}

/** Counts changed payments, some in one transaction; how many, and 0 when all are counted. */
export async function rollUpPayments(db: Database, input: StepInput): Promise<number> {
  return db.transaction(async (tx) => {
    const progress = await progressOf(tx, 'payments');
    return countChanges(tx, { name: 'payments', progress, ...input }, countPayments);
  });
}

/**
 * Counts what the uplift report and the experiments are made of: first changed payments, then disputes
 * that changed, some in one transaction; how many, and 0 when all are counted. Both move the same sums:
 * whoever counts either holds the progress of the first.
 */
export async function rollUpUplift(db: Database, input: StepInput): Promise<number> {
  return db.transaction(async (tx) => {
    const progress = await progressOf(tx, 'uplift');
    const counted = await countChanges(tx, { name: 'uplift', progress, ...input }, (_, next) =>
      countUplift(tx, { of: 'payments', ...next }),
    );
    if (counted > 0) return counted;
    const ofDisputes = await progressOf(tx, 'uplift_disputes');
    return countChanges(
      tx,
      { name: 'uplift_disputes', progress: ofDisputes, ...input },
      (_, next) => countUplift(tx, { of: 'disputes', ...next }),
    );
  });
}

type Name = 'payments' | 'charges' | 'uplift' | 'uplift_disputes';

/** Counts the next rows that changed; how many, and 0 when all are counted. */
async function countChanges(
  tx: Queryable,
  input: StepInput & { readonly name: Name; readonly progress: ProgressRow },
  count: (
    tx: Queryable,
    next: { readonly after: ChangeCursor; readonly limit: number },
  ) => Promise<CountedStep | undefined>,
): Promise<number> {
  const { name, progress, at, limit } = input;
  const begunAt = progress.begun_at ?? at;
  const [merchantId = '', id = ''] = progress.cursor_keys ?? [];
  const from = progress.cursor_at ?? startOf(progress);
  const step = await count(tx, { after: { at: from, merchantId, id }, limit });
  if (step === undefined || step.counted < limit) {
    await tx.query(keep, [name, begunAt, null, null, null]);
    return 0;
  }
  const { last } = step;
  await tx.query(keep, [name, null, begunAt, last.at, [last.merchantId, last.id]]);
  return step.counted;
}

/** Counts settled charges, some in one transaction; how many, and 0 when all are counted. */
export async function rollUpCharges(db: Database, input: StepInput): Promise<number> {
  return db.transaction(async (tx) => {
    const progress = await progressOf(tx, 'charges');
    const before = addMs(input.at, -commitsWithinMs);
    const [merchantId = '', attemptId = '', ordinal = '0'] = progress.cursor_keys ?? [];
    const step = await countCharges(tx, {
      after: {
        at: progress.cursor_at ?? beginning,
        merchantId,
        attemptId,
        ordinal: Number(ordinal),
      },
      before,
      limit: input.limit,
    });
    if (step === undefined) {
      const place = [progress.begun_at, progress.cursor_at, progress.cursor_keys];
      await tx.query(keep, ['charges', before, ...place]);
      return 0;
    }
    const { last } = step;
    const keys = [last.merchantId, last.attemptId, last.ordinal.toString()];
    await tx.query(keep, ['charges', null, input.at, last.at, keys]);
    return step.counted;
  });
}

async function progressOf(tx: Queryable, name: Name): Promise<ProgressRow> {
  await tx.query(planAnew, []);
  const [row] = await tx.query<ProgressRow>(lock, [name]);
  invariant(row !== undefined, 'every roll-up has its progress');
  return row;
}

function startOf({ is_new: isNew, through_at: throughAt }: ProgressRow): string {
  if (isNew || !(throughAt instanceof Date)) return beginning;
  return addMs(throughAt, -commitsWithinMs).toISOString();
}
