import { createSealer, type WrappedDataKey } from '../../sealing/sealer.ts';
import { ownPepperUse, pepperUseOf, serviceKeyPlace } from '../../sealing/service-key.ts';
import { unwrapKey, wrapKey } from '../../sealing/wrapped-key.ts';
import { type CellConnection, rowsOf } from '../cell-connection.ts';
import type { MoveEnds } from '../move-ends.ts';

interface DataKey extends WrappedDataKey {
  readonly createdAt: string;
}

/** Nothing is made or sealed by a move. */
export const noRandom = {
  bytes(): never {
    throw new Error('a move makes no data keys');
  },
};

/**
 * The merchant's data keys stay as they are, and so all that they seal; only what wraps them is the other
 * cell's.
 *
 * @throws AppError encryption_key_wrong, key_service_failed
 */
export async function rewrapDataKeys(
  { source, target, keys }: MoveEnds,
  merchantId: string,
): Promise<void> {
  const sealer = createSealer({ keys, random: noRandom });
  for (const { version, wrappedKey, createdAt } of await dataKeysOf(source, merchantId)) {
    const rewrapped = await sealer.rewrap(merchantId, { version, wrappedKey });
    await rowsOf(
      target,
      `insert into data_keys (merchant_id, version, wrapped_key, created_at)
       values ($1, $2, $3, $4::timestamptz)`,
      [merchantId, version, rewrapped.wrappedKey, createdAt],
    );
  }
}

export async function dataKeysOf(
  source: CellConnection,
  merchantId: string,
): Promise<readonly DataKey[]> {
  return rowsOf(
    source,
    `select version, wrapped_key as "wrappedKey", created_at::text as "createdAt"
     from data_keys where merchant_id = $1 order by version`,
    [merchantId],
  );
}

interface PepperRow {
  readonly use: string;
  readonly wrapped_key: Buffer;
}

/**
 * What the hashes of the merchant's keys are keyed by: the pepper of the cell that it leaves, and of those
 * that it was in before. Keys that were issued there hold in the other cell by them.
 */
export async function movePeppers({ source, target, keys }: MoveEnds): Promise<void> {
  const rows = await rowsOf<PepperRow>(
    source,
    `select use, wrapped_key from service_keys where use = $1 or use like $2 order by use`,
    [ownPepperUse, `${pepperUseOf('')}%`],
  );
  for (const { use, wrapped_key: wrapped } of rows) {
    const there = use === ownPepperUse ? pepperUseOf(source.cell) : use;
    // Its own it has.
    if (there === pepperUseOf(target.cell)) continue;
    const plain = await unwrapKey(keys, wrapped, serviceKeyPlace(use));
    await rowsOf(
      target,
      `insert into service_keys (use, wrapped_key, created_at) values ($1, $2, now())
       on conflict (use) do nothing`,
      [there, await wrapKey(keys, plain, serviceKeyPlace(there))],
    );
  }
}
