import type { Queryable, Statement } from '../database.ts';
import type { Sealer } from './sealer.ts';

/** A key of another wrapping key first, if there is any. The table is small: a key per merchant. */
const suspect: Statement = {
  name: 'find_suspect_data_key',
  text: `
    select merchant_id, version, wrapped_key
    from data_keys
    order by (substring(wrapped_key from 1 for length($1::bytea)) <> $1::bytea) desc
    limit 1`,
};

/**
 * Proves at the start that the stored data keys open with the present encryption key, so that a
 * wrong one is told at once and never mixed with the right one. An empty database passes.
 *
 * @throws AppError encryption_key_wrong
 */
export async function verifyEncryptionKey(deps: {
  readonly db: Queryable;
  readonly sealer: Sealer;
}): Promise<void> {
  const [row] = await deps.db.query<{ merchant_id: string; version: number; wrapped_key: Buffer }>(
    suspect,
    [deps.sealer.header],
  );
  if (row === undefined) return;
  await deps.sealer.verify(row.merchant_id, { version: row.version, wrappedKey: row.wrapped_key });
}
