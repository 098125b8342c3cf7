import { present } from '../../domain/present.ts';
import type { AccountMode, Psp } from '../../domain/psps.ts';
import type { KeptPspConnection } from '../../recovery/admin/psp-account-ports.ts';
import type { PspConnection } from '../../recovery/operator-api.ts';
import type { Queryable, Statement } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { readSecrets, type StoredSecret } from './secrets.ts';

/** One account at a PSP, as its row has it. */
export interface ConnectionRow {
  readonly psp: Psp;
  readonly version: number;
  readonly account: string | null;
  readonly mode: AccountMode;
  readonly state: 'active' | 'retired';
  readonly created_at: Date;
  readonly retired_at: Date | null;
  readonly destroyed_at: Date | null;
}

const list: Statement = {
  name: 'list_psp_connections',
  text: `
    select psp, version, account, mode, state, created_at, retired_at, destroyed_at
    from psp_connections where merchant_id = $1
    order by psp collate "C", version`,
};

const add: Statement = {
  name: 'add_psp_connection',
  text: `
    insert into psp_connections (merchant_id, psp, version, account, mode, created_at)
    values ($1, $2, $3, $4, $5, $6)`,
};

const rename: Statement = {
  name: 'name_psp_account',
  text: `
    update psp_connections
    set account = coalesce(account, $4), mode = case when mode = 'unknown' then $5 else mode end
    where merchant_id = $1 and psp = $2 and version = $3`,
};

const retire: Statement = {
  name: 'retire_psp_connection',
  text: `
    update psp_connections set state = 'retired', retired_at = $4
    where merchant_id = $1 and psp = $2 and version = $3 and state = 'active'`,
};

/** Every account of the merchant, retired ones too, in the order of PSPs and versions. */
export function listPspConnections(
  db: Queryable,
  merchantId: string,
): Promise<readonly ConnectionRow[]> {
  return db.query<ConnectionRow>(list, [merchantId]);
}

export async function addPspConnection(
  tx: Queryable,
  input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly version: number;
    readonly account?: string;
    readonly mode: AccountMode;
    readonly at: Date;
  },
): Promise<void> {
  const { merchantId, psp, version, account, mode, at } = input;
  await tx.query(add, [merchantId, psp, version, account, mode, at]);
}

/** Fills in what was not known of the account; what was known stays. */
export async function namePspAccount(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly version: number;
    readonly account?: string;
    readonly mode: AccountMode;
  },
): Promise<void> {
  const { merchantId, psp, version, account, mode } = input;
  await db.query(rename, [merchantId, psp, version, account, mode]);
}

/** From now on nothing is charged through this version. */
export async function retirePspConnection(
  tx: Queryable,
  input: {
    readonly merchantId: string;
    readonly psp: Psp;
    readonly version: number;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(retire, [input.merchantId, input.psp, input.version, input.at]);
}

/**
 * The name of a version's sealed credentials. The first has the PSP's own, as it had before accounts
 * had versions: what is sealed opens under its name only.
 */
export function credentialsName(psp: Psp, version: number): string {
  return version === 1 ? psp : `${psp}@${version}`;
}

/** The connections whose credentials are still there, opened. */
export async function readPspConnections(
  { db, sealer }: { readonly db: Queryable; readonly sealer: Pick<Sealer, 'open'> },
  merchantId: string,
): Promise<readonly KeptPspConnection[]> {
  const rows = await listPspConnections(db, merchantId);
  const kept = rows.filter((row) => row.destroyed_at === null);
  if (kept.length === 0) return [];
  const stored = await readSecrets(db, { merchantId, kinds: ['psp_credentials'] });
  return openConnections(sealer, kept, stored ?? []);
}

/** Connections with their credentials, opened. */
export async function openConnections(
  sealer: Pick<Sealer, 'open'>,
  rows: readonly Pick<ConnectionRow, 'psp' | 'version' | 'account' | 'mode' | 'state'>[],
  stored: readonly Pick<StoredSecret, 'place' | 'dataKey' | 'sealed'>[],
): Promise<readonly KeptPspConnection[]> {
  const opened = stored.map(async ({ place, dataKey, sealed }) => {
    const text = await sealer.open(place, dataKey, sealed);
    return [place.name, JSON.parse(text) as PspConnection['credentials']] as const;
  });
  const credentials = new Map(await Promise.all(opened));
  return rows.map(({ psp, version, account, mode, state }) => ({
    psp,
    version,
    credentials: credentials.get(credentialsName(psp, version)) ?? {},
    ...present({ account: account ?? undefined }),
    mode,
    isActive: state === 'active',
  }));
}
