import type { ErrorCode } from '../../domain/errors.ts';

const outages: ReadonlySet<ErrorCode> = new Set([
  'database_read_only',
  'database_disk_full',
  'database_connections_exhausted',
]);

/** What the database refuses for its own reasons: the request may come again as it is. */
export function isOutageOfWrites(code: ErrorCode): boolean {
  return outages.has(code);
}
