import type { NewAnalytics } from '../../disputes/ports.ts';
import { invariant } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { Queryable, Statement } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { MerchantKeys } from './index-keys.ts';
import { analyticsIdOf, emailIndex, ipIndex, type SubjectName, subjectOf } from './keyed-hashes.ts';
import { sealPersonalData, subjectPlace } from './personal-data.ts';

export interface AppendDeps {
  readonly db: Queryable;
  readonly sealer: Sealer;
  readonly random: Random;
}

/** An analytics record with everything that its merchant's keys give. */
export interface PreparedAnalytics {
  readonly analyticsRecord: NewAnalytics;
  readonly keys: MerchantKeys;
  readonly analyticsId: string;
  readonly subject: SubjectName;
}

export function prepareAnalytics(
  analyticsRecord: NewAnalytics,
  keys: MerchantKeys,
): PreparedAnalytics {
  const { analytics } = analyticsRecord;
  return {
    analyticsRecord,
    keys,
    analyticsId: analyticsIdOf(keys.identity, analytics),
    subject: subjectOf(keys.identity, analytics),
  };
}

/**
 * For each analytics record whether it is there already, and its person with the key, if they are
 * known. Each is looked up by its key, here and below: as a join, a plan that was made while the tables were small reads
 * all of them for each batch, until PostgreSQL analyses them.
 */
const findKnown: Statement = {
  name: 'find_known_analytics',
  plans: 'kept',
  text: `
    select exists (select from analytics a where a.merchant_id = i.merchant_id
                   and a.analytics_id = i.analytics_id offset 0) as is_there,
           s.subject_id, s.sealed_key, s.key_version, k.wrapped_key
    from json_to_recordset($1::json) as i
      (ordinal int, merchant_id text, analytics_id text, subject_hash bytea)
    left join lateral (
      select s.merchant_id, s.subject_id, s.sealed_key, s.key_version from analytics_subjects s
      where s.merchant_id = i.merchant_id and s.subject_hash = i.subject_hash and s.erased_at is null
      offset 0
    ) s on true
    left join lateral (
      select k.wrapped_key from data_keys k
      where k.merchant_id = s.merchant_id and k.version = s.key_version
      offset 0
    ) k on true
    order by i.ordinal`,
};

interface KnownRow {
  readonly is_there: boolean;
  readonly subject_id: string | null;
  readonly sealed_key: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
}

/**
 * Adds persons and analytics records. A person is locked against an erasure that runs beside;
 * analytics records of one that was erased, or made by somebody else, meanwhile are not added.
 * Gives the persons that hold.
 */
const append: Statement = {
  name: 'append_analytics',
  plans: 'kept',
  text: `
    with records as (
      select * from json_to_recordset($2::json) as c (
        merchant_id text, analytics_id text, subject_id text, psp text, customer_id text,
        invoice_id text, subscription_id text, charge_id text, transaction_id text,
        network_transaction_id text, has_user_agent boolean, has_public_ip boolean,
        index_version int, email_index bytea, ip_index bytea, sealed bytea, captured_at timestamptz)
    ),
    made as (
      insert into analytics_subjects
        (merchant_id, subject_id, kind, subject_hash, key_version, sealed_key, created_at)
      select merchant_id, subject_id, kind, subject_hash, key_version, sealed_key, created_at
      from json_to_recordset($1::json) as s (merchant_id text, subject_id text, kind text,
        subject_hash bytea, key_version int, sealed_key bytea, created_at timestamptz)
      order by merchant_id, subject_hash
      on conflict do nothing
      returning merchant_id, subject_id
    ),
    live as (
      select s.* from (select distinct merchant_id, subject_id from records order by 1, 2) r
      cross join lateral (
        select s.merchant_id, s.subject_id from analytics_subjects s
        where s.merchant_id = r.merchant_id and s.subject_id = r.subject_id
          -- Asked whether it is null, the planner would read all of the merchant's by the index of those not erased.
          and coalesce(s.erased_at, 'infinity') = 'infinity'
        for share
      ) s
    ),
    usable as (select * from made union all select * from live),
    added as (
      insert into analytics (merchant_id, analytics_id, subject_id, state, psp, customer_id,
        invoice_id, subscription_id, charge_id, transaction_id, network_transaction_id,
        has_user_agent, has_public_ip, index_version, email_index, ip_index, sealed, captured_at)
      select c.merchant_id, c.analytics_id, c.subject_id, 'active', c.psp, c.customer_id,
        c.invoice_id, c.subscription_id, c.charge_id, c.transaction_id, c.network_transaction_id,
        c.has_user_agent, c.has_public_ip, c.index_version, c.email_index, c.ip_index, c.sealed,
        c.captured_at
      from records c join usable u using (merchant_id, subject_id)
      order by c.merchant_id, c.analytics_id
      on conflict (merchant_id, analytics_id) do nothing
    )
    select merchant_id, subject_id from usable`,
};

/** A person is erased or made beside us seldom, and hardly ever twice in a row. */
const maxRounds = 5;

/** Commits a batch of analytics records; one id for each, in their order. */
export async function appendAnalytics(
  deps: AppendDeps,
  analyticsRecords: readonly PreparedAnalytics[],
): Promise<readonly string[]> {
  let left = analyticsRecords;
  for (let round = 0; left.length > 0; round += 1) {
    invariant(round < maxRounds, 'a person holds still within a few rounds');
    left = await appendRound(deps, left);
  }
  return analyticsRecords.map((analyticsRecord) => analyticsRecord.analyticsId);
}

/** Gives the analytics records that have to be tried again. */
async function appendRound(
  deps: AppendDeps,
  analyticsRecords: readonly PreparedAnalytics[],
): Promise<readonly PreparedAnalytics[]> {
  const lookups = analyticsRecords.map(({ analyticsRecord, analyticsId, subject }, ordinal) => ({
    ordinal,
    merchant_id: analyticsRecord.merchantId,
    analytics_id: analyticsId,
    subject_hash: hex(subject.hash),
  }));
  const known = await deps.db.query<KnownRow>(findKnown, [JSON.stringify(lookups)]);
  const fresh = analyticsRecords.flatMap((analyticsRecord, index) => {
    const row = known[index];
    invariant(row !== undefined, 'each analytics record is looked up');
    return row.is_there ? [] : [{ analyticsRecord, row }];
  });
  if (fresh.length === 0) return [];
  const made = new Map<string, Promise<Subject>>();
  const sealed = await Promise.all(
    fresh.map(async ({ analyticsRecord, row }) => ({
      analyticsRecord,
      subject: await findSubject(deps, made, analyticsRecord, row),
    })),
  );
  const subjects = (await Promise.all(made.values())).flatMap(({ row }) => row ?? []);
  const rows = sealed.map(({ analyticsRecord, subject }) =>
    analyticsRow(deps.random, analyticsRecord, subject),
  );
  const usable = await deps.db.query<{ merchant_id: string; subject_id: string }>(append, [
    JSON.stringify(subjects),
    JSON.stringify(rows),
  ]);
  const held = new Set(usable.map((row) => `${row.merchant_id} ${row.subject_id}`));
  return sealed
    .filter(
      ({ analyticsRecord, subject }) =>
        !held.has(`${analyticsRecord.analyticsRecord.merchantId} ${subject.id}`),
    )
    .map(({ analyticsRecord }) => analyticsRecord);
}

interface Subject {
  readonly id: string;
  readonly key: Uint8Array;
  /** The row to be added, of a new one. */
  readonly row?: object;
}

/** The person's key, opened or, once for a batch, made. */
function findSubject(
  deps: AppendDeps,
  made: Map<string, Promise<Subject>>,
  prepared: PreparedAnalytics,
  known: KnownRow,
): Promise<Subject> {
  const name = `${prepared.analyticsRecord.merchantId} ${hex(prepared.subject.hash)}`;
  const found =
    made.get(name) ??
    (known.subject_id === null
      ? makeSubject(deps, prepared)
      : openSubject(deps, prepared.analyticsRecord.merchantId, known.subject_id, known));
  made.set(name, found);
  return found;
}

async function openSubject(
  { sealer }: AppendDeps,
  merchantId: string,
  id: string,
  row: KnownRow,
): Promise<Subject> {
  const dataKey = { version: row.key_version, wrappedKey: row.wrapped_key };
  const key = await sealer.openBytes(subjectPlace(merchantId, id), dataKey, row.sealed_key);
  return { id, key };
}

const keyBytes = 32;

async function makeSubject(
  { random, sealer }: AppendDeps,
  { analyticsRecord, keys, subject }: PreparedAnalytics,
): Promise<Subject> {
  const id = newId(random, 'sub');
  const key = random.bytes(keyBytes);
  const sealed = await sealer.seal(subjectPlace(analyticsRecord.merchantId, id), keys.dataKey, key);
  const row = {
    merchant_id: analyticsRecord.merchantId,
    subject_id: id,
    kind: subject.kind,
    subject_hash: hex(subject.hash),
    key_version: keys.dataKey.version,
    sealed_key: hex(sealed),
    created_at: analyticsRecord.capturedAt,
  };
  return { id, key, row };
}

function analyticsRow(random: Random, prepared: PreparedAnalytics, subject: Subject): object {
  const { analyticsRecord, keys, analyticsId } = prepared;
  const { merchantId, analytics } = analyticsRecord;
  const id = { merchantId, analyticsId };
  return {
    merchant_id: merchantId,
    analytics_id: analyticsId,
    subject_id: subject.id,
    psp: analytics.psp,
    ...analytics.ids,
    has_user_agent: analytics.userAgent !== undefined,
    has_public_ip: analyticsRecord.hasPublicIp,
    index_version: keys.indexVersion,
    email_index: hex(emailIndex(keys.index, analytics.customerEmail)),
    ip_index: hex(ipIndex(keys.index, analytics.ipv4Address)),
    sealed: hex(sealPersonalData(random, { id, key: subject.key, data: analytics })),
    captured_at: analyticsRecord.capturedAt,
  };
}

/** As PostgreSQL reads bytes from a text. */
function hex(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
