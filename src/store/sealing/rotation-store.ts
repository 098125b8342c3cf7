import { AppError, invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { KeyRotation, RotationStore } from '../../recovery/keys/key-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import type { KeyProvider } from './key-provider.ts';
import type { Sealer } from './sealer.ts';
import { serviceKeyPlace } from './service-key.ts';
import { unwrapKey, wrapKey } from './wrapped-key.ts';

/** Keys of a page: a key management service is asked twice for each, so many at once. */
const pageSize = 20;

const columns = `
  rotation_id, state, key_id, new_data_keys, made, rewrapped, started_at, updated_at, ended_at`;

/** One that is under way goes on, to the key of whoever asked last. */
const begin: Statement = {
  name: 'begin_key_rotation',
  text: `
    insert into key_rotations as r (rotation_id, state, key_id, new_data_keys, started_at, updated_at)
    values ($1, 'running', $2, $3, $4, $4)
    on conflict ((true)) where state = 'running' do update set
      key_id = excluded.key_id, new_data_keys = r.new_data_keys or excluded.new_data_keys
    returning ${columns}`,
};

const hold: Statement = {
  name: 'hold_key_rotation',
  text: `select ${columns} from key_rotations where state = 'running' for update`,
};

const note: Statement = {
  name: 'note_key_rotation',
  text: `
    update key_rotations
    set made = made + $2, rewrapped = rewrapped + $3, updated_at = $4,
        state = case when $5 then 'done' else state end, ended_at = case when $5 then $4::timestamptz end
    where rotation_id = $1
    returning ${columns}`,
};

const latest: Statement = {
  name: 'find_latest_key_rotation',
  text: `select ${columns} from key_rotations order by started_at desc, rotation_id desc limit 1`,
};

/** Merchants without a data key of this rotation, each with the version of their last one. */
const withoutNew: Statement = {
  name: 'find_merchants_without_new_data_key',
  text: `
    select merchant_id, max(version) as version from data_keys
    group by merchant_id having max(created_at) < $1
    order by merchant_id limit $2`,
};

const insertNew: Statement = {
  name: 'insert_new_data_keys',
  text: `
    insert into data_keys (merchant_id, version, wrapped_key, created_at)
    select k.merchant_id, k.version, decode(k.wrapped_key, 'hex'), $2
    from jsonb_to_recordset($1::jsonb) as k (merchant_id text, version integer, wrapped_key text)
    on conflict do nothing`,
};

const wrappedByOthers: Statement = {
  name: 'find_data_keys_to_rewrap',
  text: `
    select merchant_id, version, wrapped_key from data_keys
    where key_id <> $1 order by merchant_id, version limit $2
    for no key update`,
};

const rewrap: Statement = {
  name: 'rewrap_data_keys',
  text: `
    update data_keys d set wrapped_key = decode(k.wrapped_key, 'hex')
    from jsonb_to_recordset($1::jsonb) as k (merchant_id text, version integer, wrapped_key text)
    where d.merchant_id = k.merchant_id and d.version = k.version`,
};

const serviceKeys: Statement = {
  name: 'find_service_keys_to_rewrap',
  text: 'select use, wrapped_key from service_keys where key_id <> $1 for no key update',
};

const rewrapService: Statement = {
  name: 'rewrap_service_key',
  text: 'update service_keys set wrapped_key = $2 where use = $1',
};

const countWrapped: Statement = {
  name: 'count_wrapped_keys',
  text: `
    select key_id, count(*)::int as count
    from (select key_id from data_keys union all select key_id from service_keys) k
    group by key_id order by key_id`,
};

interface RotationRow {
  readonly rotation_id: string;
  readonly state: KeyRotation['state'];
  readonly key_id: string;
  readonly new_data_keys: boolean;
  readonly made: number;
  readonly rewrapped: number;
  readonly started_at: Date;
  readonly updated_at: Date;
  readonly ended_at: Date | null;
}

interface DataKeyRow {
  readonly merchant_id: string;
  readonly version: number;
  readonly wrapped_key: Buffer;
}

interface Deps {
  readonly db: Database;
  readonly keys: KeyProvider;
  readonly sealer: Pick<Sealer, 'newDataKey' | 'rewrap'>;
}

/** Rotations of the wrapping key. Each step is a transaction of its own, so one that is cut off goes on. */
export function createRotationStore(deps: Deps): RotationStore {
  const { db } = deps;
  return {
    begin: ({ rotationId, keyId, newDataKeys, at }) =>
      db.transaction(async (tx) => {
        const values = [rotationId, keyId, newDataKeys, at];
        const [row] = await tx.query<RotationRow>(begin, values);
        invariant(row !== undefined, 'a rotation that is begun is there');
        const detail = { key_id: keyId, new_data_keys: row.new_data_keys };
        await appendAudit(tx, '*', { action: 'keys.rotation_begun', detail, at });
        return toRotation(row);
      }),
    step: (at) => db.transaction((tx) => step(deps, tx, at)),
    async latest() {
      const [row] = await db.query<RotationRow>(latest, []);
      return row && toRotation(row);
    },
    async countWrapped() {
      const rows = await db.query<{ key_id: string; count: number }>(countWrapped, []);
      return rows.map(({ key_id: keyId, count }) => ({ keyId, count }));
    },
  };
}

async function step(
  deps: Deps,
  tx: Queryable,
  at: Date,
): Promise<{ readonly keys: number; readonly ended: boolean }> {
  const [row] = await tx.query<RotationRow>(hold, []);
  if (row === undefined) return { keys: 0, ended: true };
  if (row.key_id !== deps.keys.keyId) {
    throw new AppError(
      'rotation_key_differs',
      `The rotation is to ${row.key_id}, and this worker wraps by ${deps.keys.keyId}.`,
    );
  }
  const made = row.new_data_keys ? await makeDataKeys(deps, tx, { after: row.started_at, at }) : 0;
  const rewrapped = made > 0 ? 0 : await rewrapPage(deps, tx);
  const ended = made + rewrapped === 0;
  const [noted] = await tx.query<RotationRow>(note, [row.rotation_id, made, rewrapped, at, ended]);
  if (ended && noted !== undefined) {
    const detail = { key_id: noted.key_id, made: noted.made, rewrapped: noted.rewrapped };
    await appendAudit(tx, '*', { action: 'keys.rotated', detail, at });
  }
  return { keys: made + rewrapped, ended };
}

/** A new version for merchants whose last one is from before the rotation. */
async function makeDataKeys(
  { sealer }: Deps,
  tx: Queryable,
  { after, at }: { readonly after: Date; readonly at: Date },
): Promise<number> {
  const rows = await tx.query<Omit<DataKeyRow, 'wrapped_key'>>(withoutNew, [after, pageSize]);
  if (rows.length === 0) return 0;
  const made = await Promise.all(
    rows.map(async ({ merchant_id: merchantId, version }) => {
      const next = await sealer.newDataKey(merchantId, version + 1);
      return asJson(merchantId, next);
    }),
  );
  // A clock that was set back would find the same merchants again, for ever.
  const createdAt = at < after ? after : at;
  await tx.query(insertNew, [JSON.stringify(made), createdAt]);
  return rows.length;
}

async function rewrapPage({ keys, sealer }: Deps, tx: Queryable): Promise<number> {
  const rows = await tx.query<DataKeyRow>(wrappedByOthers, [keys.keyId, pageSize]);
  const rewrapped = await Promise.all(
    rows.map(async ({ merchant_id: merchantId, version, wrapped_key: wrappedKey }) =>
      asJson(merchantId, await sealer.rewrap(merchantId, { version, wrappedKey })),
    ),
  );
  if (rewrapped.length > 0) {
    await tx.query(rewrap, [JSON.stringify(rewrapped)]);
    return rewrapped.length;
  }
  return await rewrapServiceKeys(keys, tx);
}

async function rewrapServiceKeys(keys: KeyProvider, tx: Queryable): Promise<number> {
  const rows = await tx.query<{ use: string; wrapped_key: Buffer }>(serviceKeys, [keys.keyId]);
  for (const { use, wrapped_key: wrapped } of rows) {
    const place = serviceKeyPlace(use);
    const plain = await unwrapKey(keys, wrapped, place);
    await tx.query(rewrapService, [use, await wrapKey(keys, plain, place)]);
  }
  return rows.length;
}

function asJson(
  merchantId: string,
  { version, wrappedKey }: { readonly version: number; readonly wrappedKey: Uint8Array },
) {
  const wrapped = Buffer.from(wrappedKey).toString('hex');
  return { merchant_id: merchantId, version, wrapped_key: wrapped };
}

function toRotation(row: RotationRow): KeyRotation {
  return {
    rotationId: row.rotation_id,
    state: row.state,
    keyId: row.key_id,
    newDataKeys: row.new_data_keys,
    made: row.made,
    rewrapped: row.rewrapped,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    ...present({ endedAt: row.ended_at ?? undefined }),
  };
}
