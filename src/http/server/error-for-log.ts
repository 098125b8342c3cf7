import { AppError, InvariantError } from '../../domain/errors.ts';

/** An error as a log may hold it. */
export interface LoggedError {
  readonly name: string;
  readonly code?: string;
  /** Our own words only: a driver's message may quote a row, and so a customer's data. */
  readonly message?: string;
  /** Where it was thrown, without the message that a stack begins with. */
  readonly stack: readonly string[];
}

const frame = /^\s+at /;
const maxFrames = 12;

export function errorForLog(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error, stack: [] };
  const { code } = error as { code?: unknown };
  const isOurs = error instanceof AppError || error instanceof InvariantError;
  return {
    name: error.name,
    ...(typeof code === 'string' && { code }),
    ...(isOurs && { message: error.message }),
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => frame.test(line))
      .slice(0, maxFrames)
      .map((line) => line.trim()),
  };
}
