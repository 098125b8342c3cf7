import { addMs, minuteMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { countCharges } from './count-charges.ts';
import { countPayments } from './count-payments.ts';

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
    const begunAt = progress.begun_at ?? input.at;
    const [merchantId = '', invoiceId = ''] = progress.cursor_keys ?? [];
    const from = progress.cursor_at ?? startOf(progress);
    const step = await countPayments(tx, {
      after: { at: from, merchantId, invoiceId },
      limit: input.limit,
    });
    if (step === undefined || step.counted < input.limit) {
      await tx.query(keep, ['payments', begunAt, null, null, null]);
      return 0;
    }
    const { last } = step;
    const keys = [last.merchantId, last.invoiceId];
    await tx.query(keep, ['payments', null, begunAt, last.at, keys]);
    return step.counted;
  });
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

async function progressOf(tx: Queryable, name: 'payments' | 'charges'): Promise<ProgressRow> {
  await tx.query(planAnew, []);
  const [row] = await tx.query<ProgressRow>(lock, [name]);
  invariant(row !== undefined, 'every roll-up has its progress');
  return row;
}

function startOf({ is_new: isNew, through_at: throughAt }: ProgressRow): string {
  if (isNew || !(throughAt instanceof Date)) return beginning;
  return addMs(throughAt, -commitsWithinMs).toISOString();
}
