import type { Statement } from '../../database.ts';

const columns = `a.attachment_id, a.kind, a.media_type, a.sealed_name, a.key_version, k.wrapped_key,
  a.bytes, encode(a.sha256, 'hex') as sha256, a.added_by, a.created_at, a.psp_reference`;
const joinKey = `
  from dispute_attachments a
  join data_keys k on k.merchant_id = a.merchant_id and k.version = a.key_version`;
const ofDispute = `
  where a.merchant_id = $1 and a.dispute_id = $2 and a.kept_at is not null and a.removed_at is null`;
const withKey = `${joinKey}${ofDispute}`;

export const listKept: Statement = {
  name: 'list_dispute_attachments',
  text: `select ${columns} ${withKey} order by a.created_at, a.attachment_id`,
};

export const findKept: Statement = {
  name: 'find_dispute_attachment',
  text: `select ${columns} ${withKey} and a.attachment_id = $3`,
};

export const findBySha: Statement = {
  name: 'find_dispute_attachment_by_sha',
  text: `select ${columns} ${withKey} and a.sha256 = $3`,
};

export const begin: Statement = {
  name: 'begin_dispute_attachment',
  text: `
    insert into dispute_attachments (merchant_id, dispute_id, attachment_id, kind, media_type, sealed_name,
      key_version, added_by, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};

/** Sealed under the version that the file began with. */
export const keyOf: Statement = {
  name: 'find_dispute_attachment_key',
  text: `
    select a.key_version, k.wrapped_key from dispute_attachments a
    join data_keys k on k.merchant_id = a.merchant_id and k.version = a.key_version
    where a.merchant_id = $1 and a.dispute_id = $2 and a.attachment_id = $3`,
};

/** An erasure may have taken away what is on its way: one that goes on is waited for. */
export const append: Statement = {
  name: 'append_dispute_attachment_part',
  text: `
    with begun as (
      select * from (
        select merchant_id, dispute_id, attachment_id from dispute_attachments
        where merchant_id = $1 and dispute_id = $2 and attachment_id = $3
        for key share
      ) locked offset 0
    )
    insert into dispute_attachment_parts (merchant_id, dispute_id, attachment_id, number, sealed)
    select merchant_id, dispute_id, attachment_id, $4::integer, $5::bytea from begun
    returning true`,
};

/** One file of a dispute ends at a time, so that none passes the limits beside another. */
export const lockDispute: Statement = {
  name: 'lock_dispute_of_attachments',
  text: `
    select true from disputes where merchant_id = $1 and dispute_id = $2
    for no key update`,
};

export const sumKept: Statement = {
  name: 'sum_dispute_attachments',
  text: `
    select count(*)::int as count, coalesce(sum(bytes), 0)::int as bytes from dispute_attachments
    where merchant_id = $1 and dispute_id = $2 and kept_at is not null and removed_at is null`,
};

export const finish: Statement = {
  name: 'finish_dispute_attachment',
  text: `
    update dispute_attachments set bytes = $4, sha256 = $5, kept_at = $6
    where merchant_id = $1 and dispute_id = $2 and attachment_id = $3 and kept_at is null
    returning true`,
};

export const abandon: Statement = {
  name: 'abandon_dispute_attachment',
  text: `
    delete from dispute_attachments
    where merchant_id = $1 and dispute_id = $2 and attachment_id = $3 and kept_at is null`,
};

/** A row for each part, in one statement: of a file that is removed beside it, all of it or nothing. */
export const readKept: Statement = {
  name: 'read_dispute_attachment',
  text: `
    select ${columns}, p.number, p.sealed
    ${joinKey}
    left join dispute_attachment_parts p on p.merchant_id = a.merchant_id and p.dispute_id = a.dispute_id
      and p.attachment_id = a.attachment_id
    ${ofDispute} and a.attachment_id = $3
    order by p.number`,
};

/** Whether it went with an answer, or may have: of any stage of the dispute. */
export const wasSent: Statement = {
  name: 'find_sent_dispute_attachment',
  text: `
    select true from dispute_attachments a
    join dispute_submissions s on s.merchant_id = a.merchant_id and s.dispute_id = a.dispute_id
    where a.merchant_id = $1 and a.dispute_id = $2 and a.attachment_id = $3
      and s.kind = 'evidence' and s.state in ('submitting', 'submitted', 'unknown')
      and s.updated_at >= a.kept_at
    limit 1`,
};

/** One that its PSP never saw goes whole; of another the row stays, to say what lies there. */
export const removeUnseen: Statement = {
  name: 'remove_unseen_dispute_attachment',
  text: `
    delete from dispute_attachments
    where merchant_id = $1 and dispute_id = $2 and attachment_id = $3
      and kept_at is not null and removed_at is null and psp_reference is null
    returning true`,
};

export const removeSeen: Statement = {
  name: 'remove_seen_dispute_attachment',
  text: `
    with gone as (
      update dispute_attachments set removed_at = $4
      where merchant_id = $1 and dispute_id = $2 and attachment_id = $3
        and kept_at is not null and removed_at is null
      returning merchant_id, dispute_id, attachment_id
    ), parts as (
      delete from dispute_attachment_parts p using gone g
      where p.merchant_id = g.merchant_id and p.dispute_id = g.dispute_id
        and p.attachment_id = g.attachment_id
    )
    select true from gone`,
};

export const noteReference: Statement = {
  name: 'note_dispute_attachment_reference',
  text: `
    update dispute_attachments set psp_reference = $4
    where merchant_id = $1 and dispute_id = $2 and attachment_id = $3`,
};

export const removedReferences: Statement = {
  name: 'list_removed_dispute_attachments',
  text: `
    select psp_reference from dispute_attachments
    where merchant_id = $1 and dispute_id = $2 and removed_at is not null and psp_reference is not null
    order by created_at, attachment_id`,
};
