import { AppError } from '../../domain/errors.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';

/** What names the lock of one merchant's move out of a cell. */
export function moveLockKey(cell: string, merchantId: string): string {
  return `recoup move ${cell} ${merchantId}`;
}

/**
 * Runs a step of a move alone: one at a time for each merchant, as long as this connection lives.
 *
 * @throws AppError move_under_way
 */
export async function holdMove<T>(
  source: CellConnection,
  merchantId: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = moveLockKey(source.cell, merchantId);
  const [row] = await rowsOf<{ held: boolean }>(
    source,
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
    [key],
  );
  if (row?.held !== true) throw new AppError('move_under_way');
  try {
    return await work();
  } finally {
    // A connection that is gone has let go of it.
    await rowsOf(source, 'select pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch(
      () => undefined,
    );
  }
}
