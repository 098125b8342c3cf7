import type { HashEmail } from '../../disputes/dispute-ports.ts';
import { checkEmail, type DomainNames } from '../../domain/analytics/check-email.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Random } from '../../domain/random.ts';
import type { Queryable } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { createIndexKeys } from './index-keys.ts';
import { emailIndex } from './keyed-hashes.ts';

/**
 * Hashes a payer's address in the form and by the key that the merchant's analytics records have theirs, so that both can be
 * compared: without a display name, and with its domain in Unicode. What analytics records would refuse is hashed as it is.
 */
export function createEmailHasher(deps: {
  readonly db: Queryable;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly clock: Clock;
  readonly domainNames: DomainNames;
}): HashEmail {
  const indexKeys = createIndexKeys(deps);
  return async (merchantId, email) => {
    const { index } = await indexKeys.of(merchantId, deps.clock.now());
    const check = checkEmail(email, deps.domainNames);
    const address = check.kind === 'valid' ? check.email : email.trim();
    return emailIndex(index, address).toString('hex');
  };
}
