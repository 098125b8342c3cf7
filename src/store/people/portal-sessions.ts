import { present } from '../../domain/present.ts';
import type { PortalVisit } from '../../recovery/people/people-api.ts';
import type { PortalPass } from '../../recovery/people/portal-api.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessLeft } from '../moving/unless-moved.ts';
import { isOfValidKey, withValidKey } from './links-of-keys.ts';

/** Sessions of one link or key at once: whoever opens a link again and again pushes out their oldest. */
const maxSessions = 50;

/**
 * What has expired goes with the next one, and so does what one pass has too many of. A link that is
 * revoked meanwhile is waited for, and opens nothing.
 */
const open: Statement = {
  name: 'open_portal_session',
  text: `
    with link as (
      select * from (
        select link_id from portal_links where link_id = $3 and expires_at > $5 for key share
      ) locked offset 0
    ), over as (
      delete from portal_sessions where expires_at <= $5
    ), beyond as (
      delete from portal_sessions where value_hash in (
        select value_hash from portal_sessions
        where merchant_id = $2 and (link_id = $3 or credential_id = $4)
        order by created_at desc, value_hash offset ${maxSessions - 1})
    ), begun as (
      insert into portal_sessions
        (value_hash, merchant_id, link_id, credential_id, created_at, expires_at)
      select $1::bytea, $2::text, $3::text, $4::text, $5::timestamptz, $6::timestamptz
      where $4::text is not null or exists (select from link)
      returning value_hash
    )
    select value_hash from begun`,
};

/**
 * A session is no more than what let it in: it ends with the link and the key that asked for that, or with the key's right to read. As of operators', none is
 * valid that is not begun yet; and none shows the copies that are left of a merchant in another cell.
 */
const find: Statement = {
  name: 'find_portal_session',
  text: `
    select s.merchant_id, s.expires_at, l.link_id, l.embed_origin
    from portal_sessions s
    left join portal_links l on l.link_id = s.link_id and l.expires_at > $2
    ${withValidKey('l', '$3')}
    left join credentials c
      on c.merchant_id = s.merchant_id and c.credential_id = s.credential_id
      and c.kind = 'recovery_api_key' and c.revoked_at is null and 'read' = any(c.scopes)
      and (c.expires_at is null or c.expires_at > $3)
    where s.value_hash = $1 and s.expires_at > $2 and s.created_at <= $4
      and (l.link_id is not null and ${isOfValidKey('l')} or c.credential_id is not null)
      ${unlessLeft('s')}`,
};

const end: Statement = {
  name: 'end_portal_session',
  text: 'delete from portal_sessions where value_hash = $1',
};

interface Row {
  readonly merchant_id: string;
  readonly expires_at: Date;
  readonly link_id: string | null;
  readonly embed_origin: string | null;
}

/** Keeps a new session, by the hash of what the browser holds. False: its link was just revoked. */
export async function openPortalSession(
  db: Queryable,
  session: {
    readonly valueHash: Uint8Array;
    readonly pass: PortalPass;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<boolean> {
  const { valueHash, pass, at, expiresAt } = session;
  const [merchantId, linkId, credentialId] =
    pass.kind === 'link'
      ? [pass.link.merchantId, pass.link.linkId, undefined]
      : [pass.merchantId, undefined, pass.credentialId];
  const values = [valueHash, merchantId, linkId, credentialId, at, expiresAt];
  return (await db.query(open, values)).length > 0;
}

/** Whose session it is; undefined for one that has ended or never was. */
export async function findPortalSession(
  db: Queryable,
  input: {
    readonly valueHash: Uint8Array;
    /** Links and sessions end by it. */
    readonly at: Date;
    /** The last time at which a session may have begun. */
    readonly begunBy: Date;
    /** The service's time: keys end by it. */
    readonly serviceNow: Date;
  },
): Promise<PortalVisit | undefined> {
  const values = [input.valueHash, input.at, input.serviceNow, input.begunBy];
  const [row] = await db.query<Row>(find, values);
  if (row === undefined) return undefined;
  return present({
    merchantId: row.merchant_id,
    endsAt: row.expires_at,
    linkId: row.link_id ?? undefined,
    embedOrigin: row.embed_origin ?? undefined,
  });
}

export async function endPortalSession(db: Queryable, valueHash: Uint8Array): Promise<void> {
  await db.query(end, [valueHash]);
}
