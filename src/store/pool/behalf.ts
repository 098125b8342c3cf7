import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that statements are run for. */
export interface Behalf {
  /** Whose share of the connections it takes: a merchant's id, say. */
  readonly sender: string;
  /** Whether it only reads: then it may be given up between any two statements. */
  readonly isRead: boolean;
  /** Aborted when nobody waits for its answer any more. */
  readonly signal: AbortSignal;
}

/** One that is under way. */
export interface LiveBehalf {
  readonly of: Behalf;
  /** Whether a statement of it was run. What changes something is then done to its end. */
  hasBegun: boolean;
  /** Whether it was answered: what it set off and nobody waits for is nobody's. */
  isOver: boolean;
}

const live = new AsyncLocalStorage<LiveBehalf | undefined>();

/** Runs a request, so that each of its statements is known to be its. */
export async function onBehalfOf<Result>(of: Behalf, work: () => Promise<Result>): Promise<Result> {
  const behalf: LiveBehalf = { of, hasBegun: false, isOver: false };
  try {
    return await live.run(behalf, work);
  } finally {
    behalf.isOver = true;
  }
}

/** Runs what several requests share, or what nobody waits for, although one of them set it off. */
export function onNobodysBehalf<Result>(work: () => Result): Result {
  return live.run(undefined, work);
}

/** The request whose statement is to be run; undefined for work of the service itself. */
export function presentBehalf(): LiveBehalf | undefined {
  const behalf = live.getStore();
  return behalf?.isOver === true ? undefined : behalf;
}

/** Whether nobody wants what comes next. */
export function isGivenUp({ of, hasBegun }: LiveBehalf): boolean {
  return of.signal.aborted && (of.isRead || !hasBegun);
}
