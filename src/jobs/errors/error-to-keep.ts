import { errorMessage } from '../../domain/errors/error-message.ts';

/**
 * An error as pg-boss may keep it with a run: it writes down every field of what it is given, and the database's name the
 * values of the row that a statement failed at.
 */
export function errorToKeep(error: unknown): Error {
  const kept = new Error(errorMessage(error));
  if (!(error instanceof Error)) return kept;
  kept.name = error.name;
  // A stack begins with the message; where it was thrown is in the lines after it.
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  kept.stack = [`${kept.name}: ${kept.message}`, ...frames].join('\n');
  return kept;
}
