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

/** A capture with everything that its merchant's keys give. */
export interface PreparedCapture {
  readonly capture: NewAnalytics;
  readonly keys: MerchantKeys;
  readonly analyticsId: string;
  readonly subject: SubjectName;
}

export function prepareCapture(capture: NewAnalytics, keys: MerchantKeys): PreparedCapture {
  const { analytics } = capture;
  return {
    capture,
    keys,
    analyticsId: analyticsIdOf(keys.identity, analytics),
    subject: subjectOf(keys.identity, analytics),
  };
}

/** For each capture whether it is there already, and its person with the key, if he is known. */
const findKnown: Statement = {
  name: 'find_known_analytics',
  text: `
    select exists (select from analytics a where a.merchant_id = i.merchant_id
                   and a.analytics_id = i.analytics_id) as is_there,
           s.subject_id, s.sealed_key, s.key_version, k.wrapped_key
    from json_to_recordset($1::json) as i
      (ordinal int, merchant_id text, analytics_id text, subject_hash bytea)
    left join analytics_subjects s
      on s.merchant_id = i.merchant_id and s.subject_hash = i.subject_hash and s.erased_at is null
    left join data_keys k on k.merchant_id = s.merchant_id and k.version = s.key_version
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
 * Adds persons and captures. A person is locked against an erasure that runs beside; captures of one
 * that was erased, or made by somebody else, meanwhile are not added. Gives the persons that hold.
 */
const append: Statement = {
  name: 'append_analytics',
  text: `
    with capture as (
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
      select s.merchant_id, s.subject_id
      from analytics_subjects s
      where (s.merchant_id, s.subject_id) in (select merchant_id, subject_id from capture)
        and s.erased_at is null
      order by s.merchant_id, s.subject_id
      for share of s
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
      from capture c join usable u using (merchant_id, subject_id)
      order by c.merchant_id, c.analytics_id
      on conflict (merchant_id, analytics_id) do nothing
    )
    select merchant_id, subject_id from usable`,
};

/** A person is erased or made beside us seldom, and hardly ever twice in a row. */
const maxRounds = 5;

/** Commits a batch of captures; one id for each, in their order. */
export async function appendAnalytics(
  deps: AppendDeps,
  captures: readonly PreparedCapture[],
): Promise<readonly string[]> {
  let left = captures;
  for (let round = 0; left.length > 0; round += 1) {
    invariant(round < maxRounds, 'a person holds still within a few rounds');
    left = await appendRound(deps, left);
  }
  return captures.map((capture) => capture.analyticsId);
}

/** Gives the captures that have to be tried again. */
async function appendRound(
  deps: AppendDeps,
  captures: readonly PreparedCapture[],
): Promise<readonly PreparedCapture[]> {
  const lookups = captures.map(({ capture, analyticsId, subject }, ordinal) => ({
    ordinal,
    merchant_id: capture.merchantId,
    analytics_id: analyticsId,
    subject_hash: hex(subject.hash),
  }));
  const known = await deps.db.query<KnownRow>(findKnown, [JSON.stringify(lookups)]);
  const fresh = captures.flatMap((capture, index) => {
    const row = known[index];
    invariant(row !== undefined, 'each capture is looked up');
    return row.is_there ? [] : [{ capture, row }];
  });
  if (fresh.length === 0) return [];
  const made = new Map<string, Promise<Subject>>();
  const sealed = await Promise.all(
    fresh.map(async ({ capture, row }) => ({
      capture,
      subject: await findSubject(deps, made, capture, row),
    })),
  );
  const subjects = (await Promise.all(made.values())).flatMap(({ row }) => row ?? []);
  const rows = sealed.map(({ capture, subject }) => captureRow(deps.random, capture, subject));
  const usable = await deps.db.query<{ merchant_id: string; subject_id: string }>(append, [
    JSON.stringify(subjects),
    JSON.stringify(rows),
  ]);
  const held = new Set(usable.map((row) => `${row.merchant_id} ${row.subject_id}`));
  return sealed
    .filter(({ capture, subject }) => !held.has(`${capture.capture.merchantId} ${subject.id}`))
    .map(({ capture }) => capture);
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
  prepared: PreparedCapture,
  known: KnownRow,
): Promise<Subject> {
  const name = `${prepared.capture.merchantId} ${hex(prepared.subject.hash)}`;
  const found =
    made.get(name) ??
    (known.subject_id === null
      ? makeSubject(deps, prepared)
      : openSubject(deps, prepared.capture.merchantId, known.subject_id, known));
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
  { capture, keys, subject }: PreparedCapture,
): Promise<Subject> {
  const id = newId(random, 'sub');
  const key = random.bytes(keyBytes);
  const sealed = await sealer.seal(subjectPlace(capture.merchantId, id), keys.dataKey, key);
  const row = {
    merchant_id: capture.merchantId,
    subject_id: id,
    kind: subject.kind,
    subject_hash: hex(subject.hash),
    key_version: keys.dataKey.version,
    sealed_key: hex(sealed),
    created_at: capture.capturedAt,
  };
  return { id, key, row };
}

function captureRow(random: Random, prepared: PreparedCapture, subject: Subject): object {
  const { capture, keys, analyticsId } = prepared;
  const { merchantId, analytics } = capture;
  const id = { merchantId, analyticsId };
  return {
    merchant_id: merchantId,
    analytics_id: analyticsId,
    subject_id: subject.id,
    psp: analytics.psp,
    ...analytics.ids,
    has_user_agent: analytics.userAgent !== undefined,
    has_public_ip: capture.hasPublicIp,
    index_version: keys.indexVersion,
    email_index: hex(emailIndex(keys.index, analytics.customerEmail)),
    ip_index: hex(ipIndex(keys.index, analytics.ipv4Address)),
    sealed: hex(sealPersonalData(random, { id, key: subject.key, data: analytics })),
    captured_at: capture.capturedAt,
  };
}

/** As PostgreSQL reads bytes from a text. */
function hex(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
