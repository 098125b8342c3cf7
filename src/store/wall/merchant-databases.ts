import { type Database, openWithin } from '../database.ts';
import { rolesOf } from './roles.ts';
import { whoIsServed } from './serving.ts';

/** The database as merchants' requests have it: whatever a statement forgets, only their rows are there. */
export interface MerchantDatabases {
  /** Rows of the merchant whose request is served; outside of one there are none. */
  readonly served: Database;
  /** Rows of one merchant. */
  of(merchantId: string): Database;
  /** Rows of these merchants: what their reports are kept in, and nothing else. */
  among(merchantIds: readonly string[]): Database;
  /** Who a key or a password belongs to. */
  readonly door: Database;
  close(): Promise<void>;
}

export function openMerchantDatabases(
  deps: Parameters<typeof openWithin>[0],
  input: Parameters<typeof openWithin>[1],
): MerchantDatabases {
  const open = openWithin(deps, input);
  const roles = rolesOf(input.schema);
  const among = (merchantIds: readonly string[]) =>
    open(() => ({ role: roles.intake, merchantIds }));
  const served = open(() => ({ role: roles.api, merchantIds: [whoIsServed() ?? ''] }));
  return {
    served,
    of: (merchantId) => open(() => ({ role: roles.api, merchantIds: [merchantId] })),
    among,
    door: among([]),
    close: () => served.close(),
  };
}

/** Where the database has no such roles: conditions in statements are all that keeps merchants apart. */
export function withoutWall(db: Database): MerchantDatabases {
  return { served: db, of: () => db, among: () => db, door: db, close: async () => undefined };
}
