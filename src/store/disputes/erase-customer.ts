import { createHash } from 'node:crypto';
import type { ErasureOutcome } from '../../disputes/ports.ts';
import { invariant } from '../../domain/errors.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { isContention } from '../database.ts';
import { eraseAddress } from '../messages/customer-addresses.ts';
import { countHeldAdded, eraseAdded } from './evidence/erase-added.ts';
import type { IndexKeys } from './index-keys.ts';
import { customerSubject } from './keyed-hashes.ts';

/**
 * The customer, and the persons known by an e-mail address alone that their analytics records carry.
 * Locked: an analytics record that is being added to one of them is there, or will be another
 * person's.
 */
const lock: Statement = {
  name: 'lock_analytics_subjects',
  text: `
    select s.subject_id, s.kind, s.sealed_key
    from analytics_subjects s
    where s.merchant_id = $1 and s.erased_at is null
      and (s.subject_hash = $2 or s.kind = 'email' and s.subject_id in (
        select other.subject_id
        from analytics_subjects own
        join analytics theirs on theirs.merchant_id = own.merchant_id and theirs.subject_id = own.subject_id
        join analytics other
          on other.merchant_id = theirs.merchant_id and other.email_index = theirs.email_index
        where own.merchant_id = $1 and own.subject_hash = $2 and own.erased_at is null))
    order by s.subject_id
    for update of s`,
};

const findErased: Statement = {
  name: 'find_erased_analytics_subject',
  text: `
    select erased_at, erased_records, encode(erasure_proof, 'hex') as proof
    from analytics_subjects
    where merchant_id = $1 and subject_hash = $2 and erased_at is not null
    order by erased_at desc limit 1`,
};

/**
 * Disputes that keep the hash of an address of these persons, or were found to have one of their analytics records in
 * common, however little: what is told of such a dispute later is theirs. Locked before what was added to disputes,
 * and before analytics records, as whoever writes or matches a dispute or adds a file to one holds them.
 */
const lockDisputes: Statement = {
  name: 'lock_disputes_of_subjects',
  text: `
    select d.dispute_id from disputes d
    where d.merchant_id = $1 and d.dispute_id in (
      select e.dispute_id
      from analytics a
      join disputes e on e.merchant_id = a.merchant_id and e.email_index = a.email_index
      where a.merchant_id = $1 and a.subject_id = any ($2::text[])
      union
      select m.dispute_id
      from analytics a
      join dispute_matches m on m.merchant_id = a.merchant_id and m.analytics_id = a.analytics_id
      where a.merchant_id = $1 and a.subject_id = any ($2::text[]))
    order by d.dispute_id
    for no key update of d`,
};

/** Locked, so that no dispute holds one of them between the count and the erasure. */
const countHeld: Statement = {
  name: 'count_held_analytics',
  text: `
    select count(*) filter (where legal_hold)::int as count from (
      select legal_hold from analytics
      where merchant_id = $1 and subject_id = any ($2::text[])
      order by analytics_id
      for update
    ) theirs`,
};

/**
 * A dispute that came to its end keeps the same hash of the address: it goes with the analytics
 * records', and none is kept of it again (`write_dispute`): its look-up at the PSP may be due yet, or be
 * on its way, and its later events may name the address too.
 */
const forgetEmail: Statement = {
  name: 'forget_dispute_emails',
  text: `
    update disputes set email_index = null, email_forgotten = true
    where merchant_id = $1 and dispute_id = any ($2::text[])`,
};

const empty: Statement = {
  name: 'empty_analytics',
  text: `
    update analytics
    set state = 'erased', customer_id = null, invoice_id = null, subscription_id = null,
        charge_id = null, transaction_id = null, network_transaction_id = null,
        has_user_agent = false, has_public_ip = false, index_version = null, email_index = null,
        ip_index = null, sealed = null
    where merchant_id = $1 and subject_id = any ($2::text[]) and state <> 'erased'
    returning analytics_id`,
};

/** The customer's hash stays, to give the proof again; an e-mail address's does not. */
const destroy: Statement = {
  name: 'destroy_analytics_subjects',
  text: `
    update analytics_subjects
    set sealed_key = null, key_version = null, erased_at = $3, erased_records = $4,
        erasure_proof = decode($5, 'hex'),
        subject_hash = case when kind = 'customer' then subject_hash end
    where merchant_id = $1 and subject_id = any ($2::text[])`,
};

interface SubjectRow {
  readonly subject_id: string;
  readonly kind: 'customer' | 'email';
  readonly sealed_key: Buffer;
}

interface ErasedRow {
  readonly erased_at: Date;
  readonly erased_records: number;
  readonly proof: string;
}

export interface EraseInput {
  readonly merchantId: string;
  readonly customerId: string;
  readonly at: Date;
}

/**
 * Destroys the keys, the indexes and the ids of a customer's analytics records, in one transaction.
 */
export async function eraseCustomer(
  deps: { readonly db: Database; readonly indexKeys: IndexKeys },
  input: EraseInput,
): Promise<ErasureOutcome> {
  const keys = await deps.indexKeys.of(input.merchantId, input.at);
  const { hash } = customerSubject(keys.identity, input.customerId);
  const once = () => deps.db.transaction((tx) => eraseLocked(tx, input, hash));
  try {
    return await once();
  } catch (error) {
    if (!isContention(error)) throw error;
    return await once();
  }
}

async function eraseLocked(
  tx: Queryable,
  input: EraseInput,
  hash: Uint8Array,
): Promise<ErasureOutcome> {
  const { merchantId, customerId, at } = input;
  const subjects = await tx.query<SubjectRow>(lock, [merchantId, hash]);
  const ids = subjects.map((subject) => subject.subject_id);
  const known = await tx.query<{ dispute_id: string }>(lockDisputes, [merchantId, ids]);
  const theirs = { merchantId, customerId, subjectIds: ids };
  const disputes = await countHeldAdded(tx, theirs);
  if (disputes > 0) return { kind: 'held', records: disputes };
  if (!subjects.some((subject) => subject.kind === 'customer')) {
    await eraseAddress(tx, input);
    await eraseAdded(tx, { ...theirs, at });
    const [row] = await tx.query<ErasedRow>(findErased, [merchantId, hash]);
    return row === undefined ? { kind: 'unknown_customer' } : erased(customerId, row);
  }
  const [held] = await tx.query<{ count: number }>(countHeld, [merchantId, ids]);
  if (held !== undefined && held.count > 0) return { kind: 'held', records: held.count };
  await eraseAddress(tx, input);
  // While their analytics records still say whose they are.
  await eraseAdded(tx, { ...theirs, at });
  await tx.query(forgetEmail, [merchantId, known.map((dispute) => dispute.dispute_id)]);
  const rows = await tx.query<{ analytics_id: string }>(empty, [merchantId, ids]);
  const destroyed = {
    erased_at: at.toISOString(),
    subject_ids: ids,
    records: rows.length,
    records_sha256: sha256(rows.map((row) => row.analytics_id).sort()),
    keys_sha256: sha256(subjects.map((subject) => subject.sealed_key.toString('hex'))),
  };
  const proof = sha256(destroyed);
  await tx.query(destroy, [merchantId, ids, at, rows.length, proof]);
  const entry = { action: 'customer.erased', detail: { ...destroyed, proof }, at };
  await appendAudit(tx, merchantId, entry, 'merchant');
  return erased(customerId, { erased_at: at, erased_records: rows.length, proof });
}

function erased(customerId: string, row: ErasedRow): ErasureOutcome {
  invariant(row.proof.length === 64, 'an erasure has a proof');
  return {
    kind: 'erased',
    erasure: {
      customerId,
      erasedAt: row.erased_at,
      records: row.erased_records,
      proof: row.proof,
    },
  };
}

/** Of the shortest JSON: anybody with the line of the audit log computes the same. */
function sha256(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
