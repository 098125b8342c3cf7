import { isDeepStrictEqual } from 'node:util';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type {
  PlacedConnection,
  PlacedVersion,
  RetiredVersion,
} from '../../recovery/admin/psp-account-ports.ts';
import type { Queryable } from '../database.ts';
import {
  addPspConnection,
  type ConnectionRow,
  credentialsName,
  listPspConnections,
  namePspAccount,
  retirePspConnection,
} from './psp-connections.ts';
import { accountKey, readOpenCharges } from './psp-open-charges.ts';
import { type SealFor, sealPsp } from './seal-merchant.ts';
import { insertSecret, removeSecret, type SealedSecret } from './secrets.ts';

/** Connections that are sealed, to be put in their places in a transaction. */
export interface Places {
  /** Puts them beside the merchant's other connections. The merchant is locked. */
  place(tx: Queryable, at: Date): Promise<readonly PlacedVersion[] | 'changed'>;
  /** The same, and retires every connection that is not among them. */
  placeAll(tx: Queryable, at: Date): Promise<readonly PlacedVersion[] | 'changed'>;
}

interface Sealed {
  readonly connection: PlacedConnection;
  readonly version: number;
  /** Undefined where there are no credentials to keep. */
  readonly secret: SealedSecret | undefined;
}

/**
 * Seals each connection under the name of the version that it is to have. That is judged by the
 * connections as they are now: `changed` where they are others under the lock.
 */
export async function preparePlaces(
  deps: { readonly db: Queryable; readonly target: SealFor },
  connections: readonly PlacedConnection[],
): Promise<Places> {
  const { merchantId } = deps.target;
  const before = await listPspConnections(deps.db, merchantId);
  const isStale = connections.some(
    ({ psp, sameAs }) => sameAs !== undefined && activeOf(before, psp)?.version !== sameAs,
  );
  const sealed = await Promise.all(
    connections.map(async (connection): Promise<Sealed> => {
      const version = connection.sameAs ?? nextVersion(before, connection.psp);
      const name = credentialsName(connection.psp, version);
      return { connection, version, secret: await sealPsp(deps.target, connection, name) };
    }),
  );
  async function place(tx: Queryable, at: Date): Promise<readonly PlacedVersion[] | 'changed'> {
    const rows = await listPspConnections(tx, merchantId);
    if (isStale || !isDeepStrictEqual(placesOf(rows), placesOf(before))) return 'changed';
    const placed: PlacedVersion[] = [];
    for (const one of sealed) {
      placed.push(
        await placeOne(tx, { merchantId, at, active: activeOf(rows, one.connection.psp) }, one),
      );
    }
    return placed;
  }
  return {
    place,
    async placeAll(tx, at) {
      const placed = await place(tx, at);
      const stays = new Set(connections.map(({ psp }) => psp));
      const leaving = before.filter((row) => row.state === 'active' && !stays.has(row.psp));
      if (placed === 'changed') return 'changed';
      for (const row of leaving) await retirePspConnection(tx, { merchantId, ...row, at });
      return placed;
    },
  };
}

/** The account before it is retired, with its credentials, when this one is another. */
async function placeOne(
  tx: Queryable,
  place: {
    readonly merchantId: string;
    readonly at: Date;
    readonly active: ConnectionRow | undefined;
  },
  { connection, version, secret }: Sealed,
): Promise<PlacedVersion> {
  const { merchantId, at, active } = place;
  const { psp, account, mode, sameAs } = connection;
  const named = { merchantId, psp, version, mode, ...present({ account }) };
  if (sameAs !== undefined) {
    const name = credentialsName(psp, version);
    await removeSecret(tx, { merchantId, kind: 'psp_credentials', name });
    if (secret !== undefined) await insertSecret(tx, secret, at);
    await namePspAccount(tx, named);
    return { version };
  }
  if (active !== undefined) await retirePspConnection(tx, { merchantId, ...active, at });
  await addPspConnection(tx, { ...named, at });
  if (secret !== undefined) await insertSecret(tx, secret, at);
  if (active === undefined) return { version };
  return { version, retired: await retiredVersion(tx, merchantId, active) };
}

/** A version that was just retired, with what is open at it. */
export async function retiredVersion(
  tx: Queryable,
  merchantId: string,
  { psp, version }: Pick<ConnectionRow, 'psp' | 'version'>,
): Promise<RetiredVersion> {
  const open = (await readOpenCharges(tx, merchantId)).get(accountKey(psp, version));
  return { version, ...present({ open }) };
}

function placesOf(rows: readonly ConnectionRow[]) {
  return rows.map(({ psp, version, state }) => ({ psp, version, state }));
}

function activeOf(rows: readonly ConnectionRow[], psp: Psp): ConnectionRow | undefined {
  return rows.find((row) => row.psp === psp && row.state === 'active');
}

function nextVersion(rows: readonly ConnectionRow[], psp: Psp): number {
  return 1 + Math.max(0, ...rows.filter((row) => row.psp === psp).map((row) => row.version));
}
