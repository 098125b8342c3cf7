import { type Clock, secondMs } from '../../domain/clock.ts';
import type { HashCredential, IssuedElsewhere } from '../../recovery/admin/ports.ts';
import { TtlCache } from '../../recovery/admin/ttl-cache.ts';
import type { Queryable, Statement } from '../database.ts';
import { forAll } from '../pool/for-all.ts';
import { credentialHasher } from '../sealing/encryption-key.ts';
import type { KeyProvider } from '../sealing/key-provider.ts';
import { findServiceKey, pepperUseOf } from '../sealing/service-key.ts';

/** As of keys themselves: names of cells that nobody has are remembered apart. */
const ttlMs = secondMs;
const max = 1_000;

const findMoved: Statement = {
  name: 'find_moved_credential',
  text: `select merchant_id from moved_credentials where hash = decode($1, 'hex')`,
};

/** Credentials that another cell has issued, and those that were issued here to merchants that are gone. */
export function createIssuedElsewhere(deps: {
  readonly db: Queryable;
  readonly keys: KeyProvider;
  readonly clock: Clock;
  readonly cell: string | undefined;
}): IssuedElsewhere {
  const db = forAll(deps.db);
  const hashers = new TtlCache<HashCredential>(
    {
      clock: deps.clock,
      load: async (cell) => {
        const pepper = await findServiceKey({ db, keys: deps.keys }, pepperUseOf(cell));
        return pepper && credentialHasher(pepper);
      },
    },
    { ttlMs, max },
  );
  return {
    cell: deps.cell ?? '',
    hasherOf: (cell) => hashers.get(cell),
    async findMoved(hash) {
      const [row] = await db.query<{ merchant_id: string }>(findMoved, [hash]);
      return row?.merchant_id;
    },
  };
}
