import { AppError, type ErrorCode, InvariantError } from '../../domain/errors.ts';
import { isDatabaseOutage } from '../../domain/held-back.ts';

/**
 * A fault as it is kept with the row whose work threw it: codes and our own words. The texts of others
 * may repeat what the row holds, so of their faults there is the name and the code alone.
 */
export function failureMessage(error: unknown): string {
  if (error instanceof AppError) return `${error.detail} [${error.code}]`;
  if (error instanceof InvariantError) return error.message;
  const name = error instanceof Error ? error.name : 'an unknown fault';
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  const isCode = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code);
  return isCode ? `a fault of ours: ${name} (${code})` : `a fault of ours: ${name}`;
}

const outages: ReadonlySet<ErrorCode> = new Set([
  'database_busy',
  // It goes on in another cell.
  'merchant_moving',
]);

/** Whether the world around the work broke, not the work: then no row is to blame. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return outages.has(error.code) || isDatabaseOutage(error.code);
}
