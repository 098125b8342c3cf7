import { hintOf, hintText } from '../../domain/key-text.ts';
import { present } from '../../domain/present.ts';
import type { CredentialView } from '../../recovery/operator-api.ts';
import type { Queryable } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { listHashed } from './credentials.ts';
import { readSecrets } from './secrets.ts';

/** Newest first, ended ones too; none for an unknown merchant. Of a signing secret its hint is made. */
export async function readCredentials(
  { db, sealer }: { readonly db: Queryable; readonly sealer: Pick<Sealer, 'open'> },
  merchantId: string,
): Promise<readonly CredentialView[]> {
  const stored = await readSecrets(db, { merchantId, kinds: ['signing_secret'] });
  if (stored === undefined) return [];
  const hashed = await listHashed(db, merchantId);
  const signing = await Promise.all(
    stored.map(
      async ({ place, dataKey, sealed, createdAt, expiresAt }): Promise<CredentialView> => ({
        credentialId: place.name,
        kind: 'signing_secret',
        hint: hintText(hintOf(await sealer.open(place, dataKey, sealed))),
        createdAt,
        ...present({ expiresAt }),
      }),
    ),
  );
  return [...hashed, ...signing].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}
