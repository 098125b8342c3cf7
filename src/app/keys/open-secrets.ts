import type { Config } from '../../config.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Random } from '../../domain/random.ts';
import { readLocalSecrets } from '../../local-secrets.ts';
import type { Database } from '../../store/database.ts';
import { openCredentialPepper } from '../../store/sealing/credential-pepper.ts';
import { credentialHasher } from '../../store/sealing/encryption-key.ts';
import type { AppContext } from '../context.ts';
import { openKeys } from './open-keys.ts';

/** The secrets of the settings and the data folder, and what they open. */
export async function openSecrets(
  deps: { readonly random: Random; readonly db: Database; readonly clock: Clock },
  config: Config,
): Promise<Pick<AppContext, 'secrets' | 'keys' | 'hashCredential'>> {
  const secrets = await readLocalSecrets(deps, config);
  const { keys, localKeys } = await openKeys(deps, {
    current: secrets.encryptionKey,
    others: config.otherEncryptionKeys,
  });
  const at = deps.clock.now();
  const pepper = await openCredentialPepper({ ...deps, keys }, { localKeys, at });
  return { secrets, keys, hashCredential: credentialHasher(pepper) };
}
