/**
 * An error as a log may show it: its message alone, which carries no row's values. pg-boss also
 * reports plain objects that have one.
 */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage && typeof error.message === 'string' ? error.message : 'an unknown fault';
}

/**
 * An error as pg-boss may keep it with a run: it writes down every field of what it is given, and the database's name the
 * values of the row that a statement failed at.
 */
export function errorToKeep(error: unknown): Error {
  const kept = new Error(errorMessage(error));
  if (!(error instanceof Error)) return kept;
  kept.name = error.name;
  if (error.stack !== undefined) kept.stack = error.stack;
  return kept;
}
