import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createPlanChanges } from '../../src/store/pool/plan-changes.ts';
import { isOnCitus } from '../kits/cluster/empty-shards.ts';
import { createTestDatabase } from '../kits/database.ts';
import type { CollectedStatement } from '../kits/statements/collect.ts';

/**
 * The plans of the loops' statements, which are made once and kept while tables grow: at no size, whether
 * PostgreSQL has looked at the tables or not, may one of them read a table from end to end, or all rows of a
 * merchant.
 */
const collector = join(import.meta.dirname, '..', 'kits', 'statements', 'collect.ts');
const collected: readonly CollectedStatement[] = JSON.parse(
  execFileSync(process.execPath, [collector], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 }),
);
const kept = collected.filter(({ plans }) => plans === 'kept');
const ofUplift = collected.filter(({ name }) => name.startsWith('count_uplift_of_'));

/** Each makes rows `$1` to `$2` of a table that grows with the work. */
const fills = [
  `insert into payments (merchant_id, invoice_id, customer_id, psp_customer_id, transaction_id,
     original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids, first_decline,
     failed_at, window_ends_at, max_attempts, due_action, next_attempt_at, created_at, updated_at)
   select 'm' || n % 3, 'in_' || n, 'cus_' || n, 'pc_' || n, 'tx', 'ch', 'sandbox', 100, 'EUR',
     array['pm_' || n], '{}', t, t + interval '1 day', 8, 'attempt', t, t, t
   from (select n, timestamptz '2026-01-01' + n * interval '1 second' as t
         from generate_series($1::int, $2::int) n) made`,
  `insert into payment_methods (merchant_id, payment_method_id, customer_id, psp_customer_id, psp, state,
     fingerprint, fingerprint_at, signalled_at, created_at, updated_at)
   select 'm' || n % 3, 'pm_' || n, 'cus_' || n, 'pc_' || n, 'sandbox', 'active', 'fp_' || n, now(),
     now(), now(), now()
   from generate_series($1::int, $2::int) n`,
  `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, check_answer, started_at,
     ended_at)
   select 'm' || n % 3, 'att_' || n, 'in_' || n, 1, 'declined', '{"retry":true}', now(), now()
   from generate_series($1::int, $2::int) n where n % 2 = 0`,
  `insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
     idempotency_key, payment_method_id, amount_minor, currency, sent_at, settled_at, card_key,
     card_turn, network, credential, attempt_started_at, check_answer, attempt_number)
   select 'm' || n % 3, 'att_' || n, 1, 'in_' || n, 'sandbox', 'declined', 'key_' || n, 'pm_' || n, 100,
     'EUR', now(), now(), 'sandbox:pm_' || n, 1, 'visa', 'pan', case when n % 2 = 1 then now() end,
     case when n % 2 = 1 then '{"retry":true}'::jsonb end, case when n % 2 = 1 then 1 end
   from generate_series($1::int, $2::int) n`,
  `insert into cards (merchant_id, card_key, version)
   select 'm' || n % 3, 'sandbox:pm_' || n, 1 from generate_series($1::int, $2::int) n`,
  `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
     credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
   select 'm' || n % 3, 'in_' || n || '/ch_' || n, 'sandbox:pm_' || n, 'sandbox', 'reported', 'visa', 'mit', 'pan',
     'pm_' || n, 'in_' || n, 100, 'EUR', 'declined', now()
   from generate_series($1::int, $2::int) n`,
  `insert into events (merchant_id, event_id, sequence, type, invoice_id, attempt_id, body, created_at)
   select 'm' || n % 3, 'evt_' || n, n + 1, 'retry_result', 'in_' || n, 'att_' || n, '{}', now()
   from generate_series($1::int, $2::int) n`,
  `insert into deliveries (merchant_id, event_id, state, delivered_at, created_at)
   select 'm' || n % 3, 'evt_' || n, 'delivered', now(), now() from generate_series($1::int, $2::int) n`,
  `insert into requests (merchant_id, sequence, uuid, kind, state, outcome, received_at, applied_at)
   select 'm' || n % 3, n + 1, gen_random_uuid(), 'payment', 'applied', '{}', now(), now()
   from generate_series($1::int, $2::int) n`,
  `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros, currency, at)
   select 'm' || n % 3, 'key_' || n, 'visa.category_1', 'expected', 'visa', 100000, 'USD', now()
   from generate_series($1::int, $2::int) n`,
  `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status, state_at,
     stage_begun_at, amount_minor, currency, opened_at, payment_ids, created_at, updated_at)
   select 'm' || n % 3, 'dp_' || n, 'sandbox', 'dp_' || n, 'psp', 'dispute', 'chargeback', 'lost', now(), now(),
     100, 'EUR', now(), array['ch_' || n], now(), now()
   from generate_series($1::int, $2::int) n`,
  `insert into analytics_subjects (merchant_id, subject_id, kind, subject_hash, key_version, sealed_key, created_at)
   select 'm' || n % 3, 'sub_' || n, 'customer', sha256(n::text::bytea), 1, decode(repeat('00', 60), 'hex'), now()
   from generate_series($1::int, $2::int) n`,
  `insert into analytics (merchant_id, analytics_id, subject_id, state, psp, invoice_id, has_user_agent,
     has_public_ip, index_version, email_index, ip_index, sealed, captured_at)
   select 'm' || n % 3, 'an_' || n, 'sub_' || n, 'active', 'sandbox', 'in_' || n, false, false, 1,
     sha256(n::text::bytea), sha256(n::text::bytea), decode(repeat('00', 60), 'hex'), now()
   from generate_series($1::int, $2::int) n`,
];
/** Rows of each table; `PLANS_AT=100,10000,1000000` looks at a million too, which takes a quarter of an hour. */
const sizes = (process.env.PLANS_AT ?? '100,10000').split(',').map(Number);
const growing = fills.map((text) => /into (\w+)/.exec(text)?.[1] ?? '');

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  /** Where the statement was run. */
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A column, or its time or none, that an index is asked for. */
const columnOfIndex =
  /\((?:COALESCE\()?(\w+)(?:, 'infinity'::timestamp with time zone\))? (?:=|<|>|IS|&&)/g;

/** Scans of a growing table that read more than what was asked for. */
function wideScans(node: PlanNode, tableOf: ReadonlyMap<string, string>): string[] {
  const index = node['Index Name'];
  const table = node['Relation Name'] ?? tableOf.get(index ?? '');
  const below = (node.Plans ?? []).flatMap((child) => wideScans(child, tableOf));
  const isScan = table !== undefined && growing.includes(table) && /Scan/.test(node['Node Type']);
  if (!isScan || node['Node Type'] === 'Bitmap Heap Scan') return below;
  const columns = [...(node['Index Cond'] ?? '').matchAll(columnOfIndex)].map((found) => found[1]);
  if (columns.some((column) => column !== 'merchant_id')) return below;
  return [`${node['Node Type']} of ${table} by ${index ?? 'nothing'}: ${columns}`, ...below];
}

function scansOf(table: string, node: PlanNode): PlanNode[] {
  const below = (node.Plans ?? []).flatMap((child) => scansOf(table, child));
  return node['Relation Name'] === table ? [node, ...below] : below;
}

async function widePlans(
  client: pg.Client,
  statements = kept,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rows } = await client.query<{ index: string; table: string }>(
    'select indexname as index, tablename as table from pg_indexes where schemaname = current_schema()',
  );
  const tableOf = new Map(rows.map(({ index, table }) => [index, table]));
  const wide: Record<string, readonly string[]> = {};
  for (const { name, text } of statements) {
    const explained = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    const [plan] = explained.rows[0]?.['QUERY PLAN'] ?? [];
    const scans = plan === undefined ? ['no plan'] : wideScans(plan.Plan, tableOf);
    if (scans.length > 0) wide[name] = scans;
  }
  return wide;
}

/** For plans that are made without values; older servers have none to show. */
const oldestGeneric = 160_000;

async function connectedAs(
  { skip }: Pick<TestContext, 'skip'>,
  plans: 'kept' | 'as_the_server_chooses',
  oldestVersion = oldestGeneric,
) {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  skip(await isOnCitus(client), 'Citus plans every execution by itself');
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version`,
  );
  skip(rows[0]?.version < oldestVersion, 'the server has no plans without values');
  await client.query('set random_page_cost = 1.1');
  const changes = createPlanChanges();
  changes.opened(client, { isCitus: false });
  await client.query(changes.lasting(client, plans) ?? '');
  return client;
}

async function merchants(client: pg.Client): Promise<void> {
  await client.query(
    `insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind, window_days,
       max_attempts, fixed_days, created_at, updated_at)
     select 'm' || n, 'm', 'https://x/r', 'https://x/w', 'fixed', 28, 8, '{1}', now(), now()
     from generate_series(0, 2) n`,
  );
  await client.query(
    `insert into data_keys (merchant_id, version, wrapped_key, created_at)
     select merchant_id, 1, decode(repeat('00', 60), 'hex'), now() from merchants`,
  );
  await client.query(
    `insert into analytics_index_keys (merchant_id, version, key_version, sealed_key, created_at)
     select merchant_id, 1, 1, decode(repeat('00', 60), 'hex'), now() from merchants`,
  );
}

describe('the plans of the loops’ statements', () => {
  it('read by whole keys alone, on empty, small and larger tables, analysed and not', async (context) => {
    const client = await connectedAs(context, 'kept');
    expect(kept.length).toBeGreaterThan(10);
    expect(await widePlans(client)).toEqual({});
    await merchants(client);
    let filled = 0;
    for (const rows of sizes) {
      for (const text of fills) await client.query(text, [filled, rows - 1]);
      filled = rows;
      expect({ rows, ...(await widePlans(client)) }).toEqual({ rows });
      await client.query('analyze');
      expect({ rows, analysed: true, ...(await widePlans(client)) }).toEqual({
        rows,
        analysed: true,
      });
    }
  }, 3_600_000);

  it('ask no merchant for due work where nothing is due, however many there are', async (context) => {
    const client = await connectedAs(context, 'kept', 0);
    await merchants(client);
    for (const text of fills) await client.query(text, [0, 99]);
    await client.query('update payments set next_attempt_at = null, due_action = null');
    const claims = kept.filter(({ name }) => name.startsWith('claim_'));
    expect(claims.map(({ name }) => name).toSorted()).toEqual([
      'claim_due_deliveries',
      'claim_due_endpoint_deliveries',
      'claim_due_payments',
      'claim_due_requests',
      'claim_unknown_charges',
    ]);
    const now = new Date();
    for (const { name, text } of claims) {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${text}`,
        [now, now, [], 64, 256],
      );
      const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
      const owner = name === 'claim_due_endpoint_deliveries' ? 'endpoints' : 'merchants';
      const asked = plan === undefined ? [] : scansOf(owner, plan.Plan);
      const loops = new Set(asked.map((node) => node['Actual Loops']));
      expect({ name, loops: [...loops] }).toEqual({ name, loops: [0] });
    }
  });

  it('of the disputes to look at again read the index that has their condition, word for word', async (context) => {
    const client = await connectedAs(context, 'as_the_server_chooses');
    await merchants(client);
    const text = fills.find((one) => one.includes('into disputes')) ?? '';
    await client.query(text, [0, 9_999]);
    await client.query(
      `update disputes set match_state = 'matched', match_score = 100, matched_by = 'rule', matched_at = now()`,
    );
    await client.query('analyze disputes');
    const find = collected.find(({ name }) => name === 'find_disputes_to_match');
    const { rows } = await client.query(`explain (generic_plan) ${find?.text}`);
    expect(JSON.stringify(rows)).toContain(' using disputes_to_look_at ');
  });

  it('of the uplift’s sums look each payment up too, before the server has looked at what was filled', async (context) => {
    const client = await connectedAs(context, 'as_the_server_chooses');
    expect(ofUplift.map(({ name }) => name).toSorted()).toEqual([
      'count_uplift_of_disputes',
      'count_uplift_of_payments',
    ]);
    for (const table of growing) {
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
    }
    await merchants(client);
    for (const text of fills) await client.query(text, [0, 9_999]);
    expect(await widePlans(client, ofUplift)).toEqual({});
  });

  it('are asked for: the server itself would read small tables from end to end', async (context) => {
    const client = await connectedAs(context, 'as_the_server_chooses');
    await merchants(client);
    for (const text of fills) await client.query(text, [0, 99]);
    await client.query('analyze');
    expect(Object.keys(await widePlans(client))).not.toEqual([]);
  });
});
