import type { CredentialScope } from '../../domain/access/scopes.ts';
import { minuteMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { PortalLink } from '../../recovery/people/portal-api.ts';
import type { PortalStore } from '../../recovery/people/portal-store.ts';
import { appendAudit } from '../admin/audit-log.ts';
import { findApiKeyByHash, noteCredentialUse } from '../admin/credentials.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { unlessLeft } from '../moving/unless-moved.ts';
import { isOfValidKey, withValidKey } from './links-of-keys.ts';

const findMerchant: Statement = {
  name: 'find_merchant_of_portal',
  text: 'select merchant_id from merchants where merchant_id = $1',
};

/** What is over goes with the next link, and its sessions with it. */
const removeOver: Statement = {
  name: 'remove_portal_links_over',
  text: 'delete from portal_links where merchant_id = $1 and expires_at <= $2',
};

/** Two at the same time may both be the last: nobody minds one link more. */
const insert: Statement = {
  name: 'insert_portal_link',
  text: `
    with room as materialized (
      select 1 as one where (select count(*) from portal_links where merchant_id = $2) < $8::int
    ),
    made as (
      insert into portal_links
        (link_id, merchant_id, hash, embed_origin, credential_id, created_at, expires_at)
      select $1::text, $2::text, decode($3, 'hex'), $4::text, $5::text, $6::timestamptz,
        $7::timestamptz
      from room
      returning link_id
    )
    select link_id from made`,
};

const removeAll: Statement = {
  name: 'remove_portal_links',
  text: 'delete from portal_links where merchant_id = $1 returning expires_at > $2 as is_valid',
};

/** None leads to the copies that are left of a merchant in another cell. */
const find: Statement = {
  name: 'find_portal_link',
  text: `
    select l.link_id, l.merchant_id, l.embed_origin, l.credential_id, l.created_at, l.expires_at
    from portal_links l ${withValidKey('l', '$3')}
    where l.hash = decode($1, 'hex') and l.expires_at > $2 and ${isOfValidKey('l')} ${unlessLeft('l')}`,
};

const findEmbedOrigin: Statement = {
  name: 'find_embed_origin_of_portal',
  text: 'select embed_origin from portal_links where link_id = $1 and expires_at > $2',
};

interface LinkRow {
  readonly link_id: string;
  readonly merchant_id: string;
  readonly embed_origin: string | null;
  readonly credential_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Links to portals in the database; each write is one transaction with its line of the audit log. */
export function createPortalStore({ db }: { readonly db: Database }): PortalStore {
  return {
    addLink: (input) => db.transaction((tx) => addLink(tx, input)),
    removeLinks: (input) => db.transaction((tx) => removeLinks(tx, input)),
    async findLink(hash, { now, serviceNow }) {
      const [row] = await db.query<LinkRow>(find, [hash, now, serviceNow]);
      return row && toLink(row);
    },
    async findEmbedOrigin(linkId, now) {
      const values = [linkId, now];
      const [row] = await db.query<Pick<LinkRow, 'embed_origin'>>(findEmbedOrigin, values);
      return row?.embed_origin ?? undefined;
    },
    useKey: (hash, now) => useKey(db, hash, now),
  };
}

async function addLink(
  tx: Queryable,
  { link, hash, max, at }: Parameters<PortalStore['addLink']>[0],
): ReturnType<PortalStore['addLink']> {
  const { linkId, merchantId, embedOrigin, credentialId, createdAt, expiresAt } = link;
  if ((await tx.query(findMerchant, [merchantId])).length === 0) return 'no_merchant';
  await tx.query(removeOver, [merchantId, createdAt]);
  const values = [linkId, merchantId, hash, embedOrigin, credentialId, createdAt, expiresAt, max];
  if ((await tx.query(insert, values)).length === 0) return 'too_many';
  const after = present({ expires_at: expiresAt.toISOString(), embed_origin: embedOrigin });
  const detail = { link_id: linkId };
  await appendAudit(tx, merchantId, { action: 'portal.link_created', detail, after, at });
  return 'added';
}

async function removeLinks(
  tx: Queryable,
  { merchantId, now, at }: Parameters<PortalStore['removeLinks']>[0],
): Promise<number | undefined> {
  if ((await tx.query(findMerchant, [merchantId])).length === 0) return undefined;
  const removed = await tx.query<{ readonly is_valid: boolean }>(removeAll, [merchantId, now]);
  const count = removed.filter((row) => row.is_valid).length;
  const detail = { links: count };
  await appendAudit(tx, merchantId, { action: 'portal.links_revoked', detail, at });
  return count;
}

async function useKey(db: Queryable, hash: string, now: Date): ReturnType<PortalStore['useKey']> {
  const found = await findApiKeyByHash(db, hash);
  if (found === undefined || found.revokedAt !== undefined) return undefined;
  if (found.expiresAt !== undefined && found.expiresAt <= now) return undefined;
  const { merchantId, credentialId } = found;
  await noteCredentialUse(db, { merchantId, credentialId, at: now, atMostEveryMs: minuteMs });
  return { merchantId, credentialId, mayRead: found.scopes.includes(neededScope) };
}

const neededScope: CredentialScope = 'read';

function toLink(row: LinkRow): PortalLink {
  return present({
    linkId: row.link_id,
    merchantId: row.merchant_id,
    embedOrigin: row.embed_origin ?? undefined,
    credentialId: row.credential_id ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  });
}
