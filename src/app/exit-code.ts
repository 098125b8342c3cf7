import { AppError, type ErrorCode } from '../domain/errors.ts';

/** What a start that failed ends with, for whoever starts processes; docs/operating.md has the table. */
export const exitCodes: Readonly<Partial<Record<ErrorCode, number>>> = {
  config_invalid: 2,
  database_refused: 10,
  database_login_refused: 11,
  database_unknown: 12,
  database_connections_exhausted: 13,
  database_silent: 14,
  database_read_only: 15,
  database_newer: 16,
  database_disk_full: 17,
  database_older: 18,
};

const otherFault = 1;

export function exitCodeOf(error: unknown): number {
  return (error instanceof AppError ? exitCodes[error.code] : undefined) ?? otherFault;
}
