import type { Queryable } from '../database.ts';
import { onNobodysBehalf } from './behalf.ts';

/** A database for what is loaded once for all who ask meanwhile: the first one's leaving ends nothing. */
export function forAll(db: Queryable): Queryable {
  return { query: (statement, values) => onNobodysBehalf(() => db.query(statement, values)) };
}
