import type { OperatorDeps } from './operator-deps.ts';
import type { Queryable } from '../store/database.ts';

/** What the operator's endpoints are given: the use cases, and for reads the database itself. */
export interface OperatorContext extends OperatorDeps, ReadContext {}

/** What a read needs that decides nothing: its statement stands beside it. */
export interface ReadContext {
  readonly db: Queryable;
}
