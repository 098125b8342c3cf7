import { invariant } from '../../domain/errors.ts';
import type { MerchantAuth } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { MerchantReads, MerchantRecord, ReadSecrets } from '../../recovery/admin/ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { forAll } from '../pool/for-all.ts';
import type { Sealer, SecretKind } from '../sealing/sealer.ts';
import type { MerchantDatabases } from '../wall/merchant-databases.ts';
import { findApiKeyByHash, findPasswordByHash, noteCredentialUse } from './credentials.ts';
import { type MerchantRow, merchantColumns, toMerchantView } from './merchants.ts';
import { type ConnectionRow, openConnections } from './psp-connections.ts';
import type { StoredSecret } from './secrets.ts';

/** The reads of every call and every attempt, one statement each. Those at the same time share them. */
export function createMerchantReads(deps: {
  readonly databases: Pick<MerchantDatabases, 'of' | 'door'>;
  readonly sealer: Pick<Sealer, 'open'>;
}): MerchantReads {
  const { databases, sealer } = deps;
  const of = (merchantId: string) => forAll(databases.of(merchantId));
  const door = forAll(databases.door);
  return {
    readMerchant: (merchantId, validAt) =>
      readMerchant({ db: of(merchantId), sealer }, merchantId, validAt),
    findApiKey: (hash) => findApiKeyByHash(door, hash),
    findDisputesPassword: (hash) => findPasswordByHash(door, hash),
    noteUse: (input) => noteCredentialUse(of(input.merchantId), input),
  };
}

/** Accounts without credentials are left out. The newest secrets first, as `read_secrets` has them. */
const read: Statement = {
  name: 'read_merchant',
  plans: 'kept',
  text: `
    select ${merchantColumns},
      (select json_agg(json_build_object('psp', c.psp, 'version', c.version, 'account', c.account,
                         'mode', c.mode, 'state', c.state)
                       order by c.psp collate "C", c.version)
       from psp_connections c
       where c.merchant_id = m.merchant_id and c.destroyed_at is null) as connections,
      (select json_agg(json_build_object('kind', s.kind, 'name', s.name,
                         'sealed', encode(s.sealed, 'hex'), 'expires_at', s.expires_at,
                         'key_version', s.key_version, 'wrapped_key', encode(k.wrapped_key, 'hex'))
                       order by s.created_at desc, s.expires_at desc nulls first, s.name)
       from secrets s
       join data_keys k on k.merchant_id = s.merchant_id and k.version = s.key_version
       where s.merchant_id = m.merchant_id
         and s.kind in ('signing_secret', 'merchant_auth', 'psp_credentials')
         and (s.expires_at is null or s.expires_at > $2)) as secrets
    from merchants m where m.merchant_id = $1`,
};

interface ReadRow extends MerchantRow {
  readonly connections: readonly KeptConnectionRow[] | null;
  readonly secrets: readonly SecretJson[] | null;
}

type KeptConnectionRow = Pick<ConnectionRow, 'psp' | 'version' | 'account' | 'mode' | 'state'>;

interface SecretJson {
  readonly kind: SecretKind;
  readonly name: string;
  readonly sealed: string;
  readonly expires_at: string | null;
  readonly key_version: number;
  readonly wrapped_key: string;
}

type ReadSecret = Pick<StoredSecret, 'place' | 'dataKey' | 'sealed' | 'expiresAt'>;

async function readMerchant(
  { db, sealer }: { readonly db: Queryable; readonly sealer: Pick<Sealer, 'open'> },
  merchantId: string,
  validAt: Date,
): Promise<MerchantRecord | undefined> {
  const [row] = await db.query<ReadRow>(read, [merchantId, validAt]);
  if (row === undefined) return undefined;
  const secrets = (row.secrets ?? []).map((secret) => storedOf(merchantId, secret));
  const isCredential = ({ place }: ReadSecret) => place.kind === 'psp_credentials';
  return {
    merchant: toMerchantView(row),
    openSecrets: () =>
      openSecrets(
        sealer,
        secrets.filter((secret) => !isCredential(secret)),
      ),
    openConnections: () =>
      openConnections(sealer, row.connections ?? [], secrets.filter(isCredential)),
  };
}

function storedOf(merchantId: string, secret: SecretJson): ReadSecret {
  const { kind, name, key_version: version, expires_at: endsAt } = secret;
  return {
    place: { merchantId, kind, name },
    dataKey: { version, wrappedKey: Buffer.from(secret.wrapped_key, 'hex') },
    sealed: Buffer.from(secret.sealed, 'hex'),
    ...present({ expiresAt: endsAt === null ? undefined : new Date(endsAt) }),
  };
}

async function openSecrets(
  sealer: Pick<Sealer, 'open'>,
  stored: readonly ReadSecret[],
): Promise<ReadSecrets> {
  let auth: MerchantAuth = { type: 'none' };
  const signingSecrets: { text: string; expiresAt?: Date }[] = [];
  for (const { place, dataKey, sealed, expiresAt } of stored) {
    const text = await sealer.open(place, dataKey, sealed);
    if (place.kind === 'merchant_auth') auth = parseAuth(text);
    else signingSecrets.push({ text, ...present({ expiresAt }) });
  }
  return { auth, signingSecrets };
}

/** What was sealed is what was checked when it was given: the authenticated text is our own. */
function parseAuth(text: string): MerchantAuth {
  const auth = JSON.parse(text) as MerchantAuth;
  invariant(auth.type === 'api_key' || auth.type === 'basic', 'sealed auth has a known type');
  return auth;
}
