import { primaryEndpointId, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type {
  EndpointKey,
  EndpointStore,
  OpenedEndpoint,
  StoredEndpointSecrets,
} from '../../recovery/endpoints/endpoint-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import { lockMerchant } from '../admin/merchants.ts';
import { sealEndpoint } from '../admin/seal-merchant.ts';
import { currentDataKey, insertSecret, removeSecret } from '../admin/secrets.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { type EndpointRow, endpointColumns, toEndpoint } from './endpoint-row.ts';

interface Deps {
  readonly db: Database;
  readonly sealer: Sealer;
}

export function createEndpointStore(deps: Deps): EndpointStore {
  const { db } = deps;
  return {
    open: (key) => open(deps, key),
    insert: (input) => insert(deps, input),
    change: (input) => change(deps, input),
    remove: ({ key, audit }) =>
      db.transaction(async (tx) => {
        const rows = await tx.query(removed, [...keyOf(key), audit.at]);
        if (rows.length === 0) return false;
        const { merchantId, endpointId: name } = key;
        await removeSecret(tx, { merchantId, kind: 'endpoint', name });
        await appendAudit(tx, merchantId, audit);
        return true;
      }),
    async pause({ key, by, audit }) {
      const statement = isPrimary(key) ? pausedPrimary : paused;
      const values = isPrimary(key)
        ? [key.merchantId, by, audit.at]
        : [...keyOf(key), by, audit.at];
      if (await acted(db, statement, values, key, audit)) return true;
      return (await isThere(db, key)) ? false : undefined;
    },
    async resume({ key, audit }) {
      const statement = isPrimary(key) ? resumedPrimary : resumed;
      const values = isPrimary(key) ? [key.merchantId, audit.at] : [...keyOf(key), audit.at];
      if (await acted(db, statement, values, key, audit)) return true;
      return (await isThere(db, key)) ? false : undefined;
    },
  };
}

const read: Statement = {
  name: 'read_endpoint',
  text: `
    select ${endpointColumns}, s.sealed, s.key_version, k.wrapped_key
    from endpoints e
    join secrets s on s.merchant_id = e.merchant_id and s.kind = 'endpoint' and s.name = e.endpoint_id
    join data_keys k on k.merchant_id = s.merchant_id and k.version = s.key_version
    where e.merchant_id = $1 and e.endpoint_id = $2 and e.removed_at is null`,
};

const listed: Statement = {
  name: 'list_merchant_endpoints',
  text: `
    select ${endpointColumns} from endpoints e
    where e.merchant_id = $1 and e.removed_at is null order by e.created_at, e.endpoint_id`,
};

const inserted: Statement = {
  name: 'insert_endpoint',
  text: `
    insert into endpoints as e (merchant_id, endpoint_id, url, event_types, quick_sends,
      pause_after_days, auth_type, header_names, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
    returning ${endpointColumns}`,
};

const updated: Statement = {
  name: 'change_endpoint',
  text: `
    update endpoints e
    set url = coalesce($4, url), event_types = coalesce($5, event_types),
        quick_sends = coalesce($6, quick_sends),
        pause_after_days = case when $7 then $8::int else pause_after_days end,
        auth_type = coalesce($9, auth_type), header_names = coalesce($10, header_names),
        updated_at = greatest($11::timestamptz, $3::timestamptz + interval '1 millisecond')
    where e.merchant_id = $1 and e.endpoint_id = $2 and e.updated_at = $3 and e.removed_at is null
    returning ${endpointColumns}`,
};

const removed: Statement = {
  name: 'remove_endpoint',
  text: `
    update endpoints set removed_at = $3, updated_at = $3, paused_at = null, paused_by = null
    where merchant_id = $1 and endpoint_id = $2 and removed_at is null
    returning 1`,
};

const paused: Statement = {
  name: 'pause_endpoint',
  text: `
    update endpoints set paused_by = $3, paused_at = $4
    where merchant_id = $1 and endpoint_id = $2 and removed_at is null and paused_at is null
    returning 1`,
};

const resumed: Statement = {
  name: 'resume_endpoint',
  text: `
    update endpoints set paused_by = null, paused_at = null, resumed_at = $3
    where merchant_id = $1 and endpoint_id = $2 and removed_at is null and paused_at is not null
    returning 1`,
};

const pausedPrimary: Statement = {
  name: 'pause_primary_endpoint',
  text: `
    update merchants set webhook_paused_by = $2, webhook_paused_at = $3
    where merchant_id = $1 and webhook_paused_at is null
    returning 1`,
};

const resumedPrimary: Statement = {
  name: 'resume_primary_endpoint',
  text: `
    update merchants set webhook_paused_by = null, webhook_paused_at = null, webhook_resumed_at = $2
    where merchant_id = $1 and webhook_paused_at is not null
    returning 1`,
};

const there: Statement = {
  name: 'endpoint_is_there',
  text: `
    select 1 from merchants m
    where m.merchant_id = $1
      and ($2 = '${primaryEndpointId}'
           or exists (select from endpoints e
                      where e.merchant_id = $1 and e.endpoint_id = $2 and e.removed_at is null))`,
};

interface ReadRow extends EndpointRow {
  readonly sealed: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
}

/** A merchant's further endpoints, the oldest first. */
export async function listEndpointsOf(
  db: Queryable,
  merchantId: string,
): Promise<readonly WebhookEndpoint[]> {
  return (await db.query<EndpointRow>(listed, [merchantId])).map(toEndpoint);
}

async function open({ db, sealer }: Deps, key: EndpointKey): Promise<OpenedEndpoint | undefined> {
  const [row] = await db.query<ReadRow>(read, keyOf(key));
  if (row === undefined) return undefined;
  const { merchantId, endpointId: name } = key;
  const dataKey = { version: row.key_version, wrappedKey: row.wrapped_key };
  const text = await sealer.open({ merchantId, kind: 'endpoint', name }, dataKey, row.sealed);
  // What was sealed is what was checked when it was given: the authenticated text is our own.
  return { endpoint: toEndpoint(row), secrets: JSON.parse(text) as StoredEndpointSecrets };
}

async function insert(
  { db, sealer }: Deps,
  { key, settings, secrets, most, audit }: Parameters<EndpointStore['insert']>[0],
): ReturnType<EndpointStore['insert']> {
  const { merchantId, endpointId } = key;
  const dataKey = await currentDataKey(db, merchantId);
  if (dataKey === undefined) return 'no_merchant';
  const sealed = await sealEndpoint({ sealer, merchantId, dataKey }, endpointId, secrets);
  return await db.transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) return 'no_merchant';
    if ((await listEndpointsOf(tx, merchantId)).length >= most) return 'too_many';
    const { url, eventTypes, quickSends, pauseAfterDays } = settings;
    const names = Object.keys(secrets.headers);
    const [row] = await tx.query<EndpointRow>(inserted, [
      ...[merchantId, endpointId, url, eventTypes, quickSends, pauseAfterDays],
      ...[secrets.auth.type, names, audit.at],
    ]);
    await insertSecret(tx, sealed, audit.at);
    await appendAudit(tx, merchantId, audit);
    if (row === undefined) throw new Error('an inserted endpoint is there');
    return toEndpoint(row);
  });
}

async function change(
  { db, sealer }: Deps,
  { key, settings, secrets, readAt, audit }: Parameters<EndpointStore['change']>[0],
): ReturnType<EndpointStore['change']> {
  const { merchantId, endpointId } = key;
  const dataKey = secrets && (await currentDataKey(db, merchantId));
  const sealed =
    secrets &&
    dataKey &&
    (await sealEndpoint({ sealer, merchantId, dataKey }, endpointId, secrets));
  return await db.transaction(async (tx) => {
    const { url, eventTypes, quickSends, pauseAfterDays } = settings;
    const [row] = await tx.query<EndpointRow>(updated, [
      ...[merchantId, endpointId, readAt, url, eventTypes, quickSends],
      ...[pauseAfterDays !== undefined, pauseAfterDays],
      ...[secrets?.auth.type, secrets && Object.keys(secrets.headers), audit.at],
    ]);
    if (row === undefined) return 'changed';
    if (sealed !== undefined) {
      await removeSecret(tx, sealed.place);
      await insertSecret(tx, sealed, audit.at);
    }
    await appendAudit(tx, merchantId, audit);
    return toEndpoint(row);
  });
}

/** Whether the statement changed a row; then with its line of the audit log. */
async function acted(
  db: Database,
  statement: Statement,
  values: readonly unknown[],
  { merchantId }: EndpointKey,
  audit: Parameters<EndpointStore['remove']>[0]['audit'],
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const rows = await tx.query(statement, values);
    if (rows.length > 0) await appendAudit(tx, merchantId, audit);
    return rows.length > 0;
  });
}

async function isThere(db: Queryable, key: EndpointKey): Promise<boolean> {
  return (await db.query(there, keyOf(key))).length > 0;
}

function keyOf({ merchantId, endpointId }: EndpointKey): readonly [string, string] {
  return [merchantId, endpointId];
}

function isPrimary({ endpointId }: EndpointKey): boolean {
  return endpointId === primaryEndpointId;
}
