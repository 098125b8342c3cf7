import type { InvariantView } from '../../src/recovery/accounting/accounting-ports.ts';
import { controlPromises } from '../../src/recovery/accounting/show-invariants.ts';
import { createControlStore } from '../../src/store/control-totals/control-store.ts';
import type { Database } from '../../src/store/database.ts';
import { createCheckStore } from '../../src/store/invariants/check-store.ts';

/** Every promise with its breaches, after a check of everything and a fold of the totals. */
export async function checkEverything(db: Database, at: Date): Promise<readonly InvariantView[]> {
  const checks = createCheckStore(db);
  const { checkId } = await checks.begin({ checkId: `chk_${at.getTime()}_${Math.random()}`, at });
  for (let ended = false; !ended; ) ({ ended } = await checks.step({ at }));
  const check = await checks.find(checkId);
  const control = createControlStore(db);
  await control.fold({ at });
  return [...controlPromises(await control.read()), ...(check?.items ?? [])];
}
