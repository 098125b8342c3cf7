import { insertWallSql } from './insert-wall.ts';
import type { Roles } from './roles.ts';

/**
 * What each role may do with which table. A table that is not named here is closed to the two roles that
 * serve merchants; workers and operators have all tables but those that `closedTo` keeps from them.
 */

type Right = 'select' | 'insert' | 'update' | 'delete';
type Rights = Readonly<Record<string, readonly Right[]>>;

const kept: readonly Right[] = ['select', 'insert', 'update'];
const removable: readonly Right[] = [...kept, 'delete'];

/** Tables of which one merchant's calls, and its PSPs' webhooks, reach this merchant's rows. */
export const apiRights: Rights = {
  analytics: removable,
  analytics_index_keys: kept,
  analytics_subjects: removable,
  archive_progress: ['select'],
  archived_payments: ['select', 'delete'],
  attempts: kept,
  audit_log: ['insert'],
  card_attempts: removable,
  card_messages: ['select', 'update'],
  card_notices: ['select'],
  cards: removable,
  closed_invoices: kept,
  control_entries: ['insert'],
  credentials: ['select', 'update'],
  data_keys: ['select'],
  debt_identities: removable,
  customer_addresses: removable,
  customer_contacts: ['select', 'insert'],
  customer_messages: ['select', 'update'],
  deliveries: kept,
  delivery_tries: ['select', 'insert'],
  dispute_attachment_parts: removable,
  dispute_attachments: removable,
  dispute_changes: ['select', 'insert'],
  dispute_details: removable,
  dispute_matches: removable,
  dispute_rebuttals: removable,
  dispute_submissions: kept,
  disputes: kept,
  event_counters: kept,
  endpoint_deliveries: kept,
  endpoint_delivery_tries: ['select', 'insert'],
  endpoints: ['select'],
  events: ['select', 'insert'],
  idempotency_keys: removable,
  incidents: kept,
  merchants: ['select'],
  message_suppressions: ['select', 'insert'],
  network_fees: ['select', 'insert', 'delete'],
  payment_methods: kept,
  payments: kept,
  portal_links: ['select', 'insert', 'delete'],
  psp_connections: ['select'],
  psp_event_notes: ['select', 'insert'],
  psp_events: ['select', 'insert'],
  psp_transactions: kept,
  requests: ['select'],
  secrets: ['select'],
  statements: ['select'],
  transactions: kept,
};

/** Tables in which reports of several merchants are kept by one statement. */
export const intakeRights: Rights = {
  debt_identities: kept,
  payments: ['select', 'insert'],
  psp_transactions: ['select'],
  requests: ['select', 'insert'],
};

/** What tells whose key somebody shows: of all merchants, and no more than these columns. */
export const doorColumns: Readonly<Record<string, readonly string[]>> = {
  credentials: [
    'merchant_id',
    'credential_id',
    'kind',
    'hash',
    'scopes',
    'expires_at',
    'revoked_at',
  ],
  psp_connections: ['merchant_id', 'psp', 'state'],
};

/** Tables without merchants: counters of requests, of all processes. */
export const sharedTables: Rights = { request_counts: removable };

const changes: readonly Right[] = ['insert', 'update', 'delete'];
const closedToAll: Rights = {
  audit_log: ['update', 'delete'],
  audit_heads: changes,
  migrations: changes,
  wall: changes,
};

/** What even those do not have who serve all merchants. */
export const closedTo: Readonly<Record<'worker' | 'operator', Rights>> = {
  worker: {
    ...closedToAll,
    operators: removable,
    operator_identities: removable,
    operator_sessions: removable,
    operator_tokens: removable,
    portal_links: removable,
    portal_sessions: removable,
    saved_views: removable,
  },
  operator: closedToAll,
};

/** The merchants that a transaction is for, apart by blanks; none where nothing was said. */
export const merchantsSetting = 'recoup.merchants';

const served = `current_setting('${merchantsSetting}', true)`;
/** Once for a statement, not for each row. */
const here = {
  within: `merchant_id = ${served}`,
  among: `merchant_id = any ((select string_to_array(${served}, ' '))::text[])`,
};
/**
 * Citus has no subqueries in policies. A cell that moves to another node while a process is connected to this one is
 * asked by a connection to which nobody said a merchant: it is to fail, and not to find nothing.
 */
const servedOnCitus = `current_setting('${merchantsSetting}')`;
const onCitus = {
  within: `merchant_id = ${servedOnCitus}`,
  among: `merchant_id = any (string_to_array(${servedOnCitus}, ' '))`,
};

/** Views answer with the rights of who asks: with those of their owner they would go round the wall. */
const views = [
  'all_attempts',
  'card_histories',
  'delivery_sends',
  'endpoint_delivery_sends',
  'foreign_attempts',
  'merchant_transactions',
  'recorded_attempts',
];

/** Rights of views that Citus does not hand on to the nodes that hold shards. */
export function viewRightsSql(schema: string, { api, worker, operator }: Roles): readonly string[] {
  return views.map((view) => `grant select on ${schema}.${view} to ${api}, ${worker}, ${operator}`);
}

/** The statements that give the roles exactly these rights, whatever they had before. */
export function rightsSql(
  { schema, isCitus }: { readonly schema: string; readonly isCitus: boolean },
  roles: Roles,
): readonly string[] {
  const policy = isCitus ? onCitus : here;
  const { within, among } = policy;
  const walled = [...new Set([...Object.keys(apiRights), ...Object.keys(intakeRights)])];
  const all = Object.values(roles).join(', ');
  return [
    `revoke all on all tables in schema ${schema} from ${all}`,
    `grant usage on schema ${schema} to ${all}`,
    `grant usage on all sequences in schema ${schema} to ${all}`,
    ...views.map((view) => `alter view ${view} set (security_invoker = true)`),
    ...views.map((view) => `grant select on ${view} to ${roles.api}`),
    ...serviceSql(schema, roles),
    ...Object.entries({ ...apiRights, ...sharedTables }).map(
      ([table, rights]) => `grant ${rights.join(', ')} on ${table} to ${roles.api}`,
    ),
    ...Object.entries({ ...intakeRights, ...sharedTables }).map(
      ([table, rights]) => `grant ${rights.join(', ')} on ${table} to ${roles.intake}`,
    ),
    ...Object.entries(doorColumns).map(
      ([table, columns]) => `grant select (${columns.join(', ')}) on ${table} to ${roles.intake}`,
    ),
    ...walled.flatMap((table) => policiesSql(table, within, roles)),
    ...Object.keys(intakeRights).flatMap((table) =>
      policySql('among_merchants', table, `to ${roles.intake} using (${among})`),
    ),
    ...Object.keys(doorColumns).flatMap((table) =>
      policySql('whose_key', table, `for select to ${roles.intake} using (true)`),
    ),
    ...(isCitus ? insertWallSql(insertedTables(), policy, roles) : []),
  ];
}

/** Those to which calls of merchants add rows. */
export function insertedTables(): readonly string[] {
  const rights = [...Object.entries(apiRights), ...Object.entries(intakeRights)];
  const inserted = rights.filter(([, of]) => of.includes('insert')).map(([table]) => table);
  return [...new Set(inserted)];
}

function serviceSql(schema: string, roles: Roles): readonly string[] {
  return (['worker', 'operator'] as const).flatMap((name) => [
    `grant select, insert, update, delete on all tables in schema ${schema} to ${roles[name]}`,
    ...Object.entries(closedTo[name]).map(
      ([table, rights]) => `revoke ${rights.join(', ')} on ${table} from ${roles[name]}`,
    ),
  ]);
}

function policiesSql(table: string, within: string, roles: Roles): readonly string[] {
  return [
    `alter table ${table} enable row level security`,
    ...policySql('within_merchant', table, `to ${roles.api} using (${within})`),
    ...policySql('all_merchants', table, `to ${roles.worker}, ${roles.operator} using (true)`),
  ];
}

function policySql(name: string, table: string, rest: string): readonly string[] {
  return [`drop policy if exists ${name} on ${table}`, `create policy ${name} on ${table} ${rest}`];
}
