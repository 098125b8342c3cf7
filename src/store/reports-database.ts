import pg from 'pg';
import { AppError } from '../domain/errors.ts';
import { isDatabaseOutage } from '../domain/held-back.ts';
import type { DatabaseLog, Queryable } from './database.ts';

/** What reports are read from. */
export interface ReportsDatabase extends Queryable {
  /** Whether the last report was read from the primary, since the replica did not answer. */
  isFallenBack(): boolean;
}

/** A replica that failed is not asked again for so long: each report would wait for it. */
const restMs = 30_000;

/** SQLSTATEs of a replica that has not replayed a migration yet, or ended a report for what it replays. */
const behind = ['42P01', '42703', '42501', '40001'];

/** Reads reports from a replica, and from the primary while that fails. */
export function reportsFrom(
  deps: { readonly elapsedMs: () => number; readonly log: DatabaseLog },
  { replica, primary }: { readonly replica: Queryable; readonly primary: Queryable },
): ReportsDatabase {
  let failedAtMs: number | undefined;
  return {
    isFallenBack: () => failedAtMs !== undefined,
    async query<Row>(...asked: Parameters<Queryable['query']>): Promise<Row[]> {
      if (failedAtMs !== undefined && deps.elapsedMs() - failedAtMs < restMs) {
        return primary.query<Row>(...asked);
      }
      try {
        const rows = await replica.query<Row>(...asked);
        failedAtMs = undefined;
        return rows;
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        failedAtMs = deps.elapsedMs();
        deps.log.warn(`Reports are read from the primary: their replica failed (${error.code}).`);
        return primary.query<Row>(...asked);
      }
    },
  };
}

function isOfReplica(error: unknown): error is AppError | pg.DatabaseError {
  if (error instanceof AppError) return isDatabaseOutage(error.code);
  return error instanceof pg.DatabaseError && behind.includes(error.code ?? '');
}
