import type { Queryable, Statement } from '../database.ts';
import type { Sealer } from './sealer.ts';

/** One of each wrapping key. The table is small: some keys for each merchant. */
const samples: Statement = {
  name: 'find_sample_data_keys',
  text: `
    select distinct on (key_id) merchant_id, version, wrapped_key
    from data_keys
    order by key_id, merchant_id, version`,
};

/**
 * Proves at the start that the stored data keys open with the encryption keys of this process, so that
 * a wrong one is told at once and never mixed with the right one. An empty database passes.
 *
 * @throws AppError encryption_key_wrong, key_service_failed
 */
export async function verifyEncryptionKey(deps: {
  readonly db: Queryable;
  readonly sealer: Pick<Sealer, 'verify'>;
}): Promise<void> {
  const rows = await deps.db.query<{ merchant_id: string; version: number; wrapped_key: Buffer }>(
    samples,
    [],
  );
  for (const { merchant_id: merchantId, version, wrapped_key: wrappedKey } of rows) {
    await deps.sealer.verify(merchantId, { version, wrappedKey });
  }
}
