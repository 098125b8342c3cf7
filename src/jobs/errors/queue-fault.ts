import { errorMessage } from '../../domain/errors/error-message.ts';
import { AppError } from '../../domain/errors.ts';

/**
 * SQLSTATEs have five characters and a digit; what the network throws has a name such as EPIPE. Those
 * of a server that takes no connection are left out: classes 08, 28, 3D, 53 and 57.
 */
const sqlState = /^(?!08|28|3D|53|57)(?=.*\d)[0-9A-Z]{5}$/;

export function isFaultOfSql(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && sqlState.test(code);
}

/** pg-boss tells some faults as copies that are no errors any more. */
export function isOfConnection(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return !isFaultOfSql(error);
  return /connection|timeout exceeded|terminated/i.test(errorMessage(error));
}

/**
 * A fault of the job queue's own connections as a log may show it: one of the database in the words in which
 * everything else says it, not in the driver's.
 *
 * @param databaseFault what a fault of the database is called here; others come back as they are
 */
export function queueFaultMessage(
  error: unknown,
  databaseFault: (error: unknown) => unknown,
): string {
  const fault = databaseFault(error);
  if (fault instanceof AppError || !isOfConnection(fault)) return errorMessage(fault);
  return new AppError('database_unreachable').message;
}
