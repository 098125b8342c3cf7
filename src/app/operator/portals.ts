import type { RecoveryApi } from '../../recovery/api.ts';
import { createPortalApi, type PortalApi } from '../../recovery/people/portal-api.ts';
import { actAs } from '../../store/admin/acting.ts';
import type { Database } from '../../store/database.ts';
import { createPortalStore } from '../../store/people/portal-links.ts';
import type { AppContext } from '../context.ts';

type Context = Pick<AppContext, 'clock' | 'config' | 'engineTime' | 'hashCredential' | 'random'>;

/** Links to merchants' portals, in a database of all merchants or of the one that is served. */
export function createPortals(context: Context, db: Database): PortalApi {
  const { clock, config, engineTime: machine, hashCredential, random } = context;
  return createPortalApi({
    store: createPortalStore({ db }),
    clock,
    machine,
    random,
    hashCredential,
    keyMode: config.sandbox ? 'test' : 'live',
    cell: config.databaseSchema,
  });
}

/** What a merchant's own server does with the links to its portal: in the audit log, its key did it. */
export function createPortalCalls(
  context: Context & Pick<AppContext, 'merchantDatabases'>,
): Pick<RecoveryApi, 'createPortalLink' | 'revokePortalLinks'> {
  const portals = createPortals(context, context.merchantDatabases.served);
  return {
    createPortalLink: ({ address, ...asked }) =>
      actAs({ actor: asked.credentialId, address }, () => portals.createLink(asked)),
    revokePortalLinks: ({ merchantId, credentialId, address }) =>
      actAs({ actor: credentialId, address }, () => portals.revokeLinks(merchantId)),
  };
}
