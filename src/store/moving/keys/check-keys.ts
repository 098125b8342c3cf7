import { AppError } from '../../../domain/errors.ts';
import { cellOfPrefix } from '../../../domain/key-text.ts';
import type { KeyProvider } from '../../sealing/key-provider.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { findServiceKey, ownPepperUse, pepperUseOf } from '../../sealing/service-key.ts';
import { type CellConnection, rowsOf } from '../cell-connection.ts';
import type { MoveEnds } from '../move-ends.ts';
import { dataKeysOf, noRandom } from './move-keys.ts';

/**
 * That both cells' settings hold their keys. What another key would wrap, the other cell's processes could not
 * open: none of them would start any more. What the merchant's present key does not open would be found when its
 * calls are closed already.
 *
 * @throws AppError encryption_key_wrong, key_service_failed, move_cell_name_taken
 */
export async function checkKeys(ends: MoveEnds, merchantId: string): Promise<void> {
  const { source, keys } = ends;
  await within('of this cell', async () => {
    await findServiceKey({ db: source, keys }, ownPepperUse);
    const sealer = createSealer({ keys, random: noRandom });
    for (const key of await dataKeysOf(source, merchantId)) await sealer.verify(merchantId, key);
  });
  await within('of the other cell', () =>
    findServiceKey({ db: ends.target, keys: ends.theirs }, ownPepperUse),
  );
  await requireSamePeppers(ends, merchantId);
}

/**
 * That each cell which a key of the merchant names is hashed for in the other cell as it is here: two may have one
 * name in two databases, or none, and only one is known by it.
 *
 * @throws AppError move_cell_name_taken
 */
export async function requireSamePeppers(
  { source, target, keys, theirs }: MoveEnds,
  merchantId: string,
): Promise<void> {
  const rows = await rowsOf<{ prefix: string }>(
    source,
    'select distinct prefix from credentials where merchant_id = $1 and revoked_at is null',
    [merchantId],
  );
  for (const cell of new Set(rows.map(({ prefix }) => cellOfPrefix(prefix)))) {
    const here = await pepperOf(source, keys, cell);
    const there = await pepperOf(target, theirs, cell);
    // One that is not there yet comes along, unless it is the other cell's own.
    const isFree = there === undefined && cell !== target.cell;
    if (here === undefined || isFree || there === here) continue;
    const named = cell === '' ? 'no cell' : `the cell ${cell}`;
    throw new AppError(
      'move_cell_name_taken',
      `Keys of the merchant name ${named}, by which the other cell knows another Recoup.`,
    );
  }
}

async function pepperOf(
  at: CellConnection,
  keys: KeyProvider,
  cell: string,
): Promise<string | undefined> {
  const use = cell === at.cell ? ownPepperUse : pepperUseOf(cell);
  const key = await findServiceKey({ db: at, keys }, use);
  return key && Buffer.from(key).toString('hex');
}

async function within(whose: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'encryption_key_wrong') throw error;
    const what = `The keys ${whose} do not open with its settings: ${error.detail}`;
    throw new AppError('encryption_key_wrong', what, { cause: error });
  }
}
