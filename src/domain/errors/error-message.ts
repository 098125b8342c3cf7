import { AppError } from '../errors.ts';

/**
 * An error as a log or an operator may be shown it: its message, unless it may quote a value. Of a statement's faults
 * PostgreSQL quotes what it could not read, JSON.parse does too; of those there is what failed and the code. pg-boss also
 * reports plain objects that have a message.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof SyntaxError) return 'a text could not be read (SyntaxError)';
  const { message, code } = (error ?? {}) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  if (typeof code === 'string' && quotesValues.test(code)) {
    return `a statement failed at a value (${code})`;
  }
  return typeof message === 'string' ? message : 'an unknown fault';
}

/** The SQLSTATEs of values that do not fit, and of what functions raise. */
const quotesValues = /^(?:22|P0)(?=.*\d)[0-9A-Z]{3}$/;
