import type { HashEmail } from '../../disputes/dispute-ports.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Random } from '../../domain/random.ts';
import type { Queryable } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { createIndexKeys } from './index-keys.ts';
import { emailIndex } from './keyed-hashes.ts';

/**
 * Hashes a payer's address as the merchant's analytics records have theirs, so that both can be
 * compared.
 */
export function createEmailHasher(deps: {
  readonly db: Queryable;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly clock: Clock;
}): HashEmail {
  const indexKeys = createIndexKeys(deps);
  return async (merchantId, email) => {
    const { index } = await indexKeys.of(merchantId, deps.clock.now());
    return emailIndex(index, email.trim()).toString('hex');
  };
}
