import {
  daysOf,
  defaultTimeZone,
  type Merchant,
  type MerchantAuth,
  type PolicySettings,
  policyOf,
  sharesOf,
} from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { PausedBy } from '../../domain/webhooks/endpoint-pause.ts';
import type { NewMerchantRecord } from '../../recovery/admin/ports.ts';
import type { Page } from '../../recovery/api.ts';
import type { MerchantChange, MerchantMove, MerchantView } from '../../recovery/operator-api.ts';
import type { Queryable, Statement } from '../database.ts';
import { pageOf, placeOf } from '../page-cursor.ts';

export interface MerchantRow {
  readonly merchant_id: string;
  readonly name: string;
  readonly retry_status_url: string;
  readonly webhook_url: string;
  readonly policy_kind: PolicySettings['kind'];
  readonly window_days: number;
  readonly max_attempts: number;
  readonly fixed_days: number[];
  readonly holdout_share: number | null;
  readonly explore_share: number | null;
  readonly learned_share: number | null;
  readonly learned_step: number;
  readonly time_zone: string;
  readonly end_of_dunning: boolean;
  readonly incident_events: boolean;
  readonly customer_action_events: boolean;
  readonly customer_page_url: string | null;
  readonly messages_on: boolean;
  readonly webhook_quick_sends: boolean;
  readonly webhook_pause_after_days: number | null;
  readonly webhook_paused_at: Date | null;
  readonly webhook_paused_by: PausedBy | null;
  readonly has_further_endpoints: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly psps: Psp[];
  readonly auth_type: MerchantAuth['type'];
}

/** Of a merchant `m`. One without auth has no secret of that kind; the secret's name is its type. */
export const merchantColumns = `
  m.merchant_id, m.name, m.retry_status_url, m.webhook_url, m.policy_kind, m.window_days,
  m.max_attempts, m.fixed_days, m.holdout_share, m.explore_share, m.learned_share, m.learned_step,
  m.time_zone, m.end_of_dunning, m.incident_events, m.customer_action_events, m.webhook_quick_sends,
  m.customer_page_url, m.messages_on, m.webhook_pause_after_days, m.webhook_paused_at, m.webhook_paused_by, m.created_at, m.updated_at,
  exists (select from endpoints e where e.merchant_id = m.merchant_id and e.removed_at is null)
    as has_further_endpoints,
  array(select c.psp from psp_connections c
        where c.merchant_id = m.merchant_id and c.state = 'active'
        order by c.psp collate "C") as psps,
  coalesce((select s.name from secrets s
            where s.merchant_id = m.merchant_id and s.kind = 'merchant_auth'), 'none') as auth_type`;

/** With its way to another cell `v`, of which a merchant that came back has one that is cleared. */
const fromMerchants = `
  select ${merchantColumns}, v.state = 'moved' as has_moved, v.to_cell,
    coalesce(v.moved_at, v.begun_at) as moves_since
  from merchants m
  left join merchant_moves v on v.merchant_id = m.merchant_id and v.state <> 'cleared'`;

interface MovingRow extends MerchantRow {
  /** Null, as what follows, of one that does not move. */
  readonly has_moved: boolean | null;
  readonly to_cell: string | null;
  readonly moves_since: Date | null;
}

const find: Statement = {
  name: 'find_merchant',
  text: `${fromMerchants} where m.merchant_id = $1`,
};

const list: Statement = {
  name: 'list_merchants',
  text: `
    ${fromMerchants}
    where ($1::timestamptz is null or (m.created_at, m.merchant_id) < ($1, $2))
      and ($4::text[] is null or m.merchant_id = any($4))
      and (not $5::boolean or v.state is distinct from 'moved')
    order by m.created_at desc, m.merchant_id desc
    limit $3`,
};

const insert: Statement = {
  name: 'insert_merchant',
  text: `
    insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind,
      window_days, max_attempts, fixed_days, holdout_share, explore_share, end_of_dunning, created_at,
      updated_at, learned_share, incident_events, customer_action_events, webhook_quick_sends,
      webhook_pause_after_days, customer_page_url, time_zone)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15, $16, $17, $18, $19)`,
};

/** Not `for update`: that would hold up every insert that refers to the merchant. */
const lock: Statement = {
  name: 'lock_merchant',
  text: 'select merchant_id from merchants where merchant_id = $1 for no key update',
};

const change: Statement = {
  name: 'change_merchant',
  text: `
    with forgotten as (
      delete from learned_segments g using merchants m
      where g.merchant_id = $1 and m.merchant_id = $1
        and (coalesce($5, m.policy_kind), coalesce($6, m.window_days),
             coalesce($7, m.max_attempts), coalesce($8, m.fixed_days))
            is distinct from (m.policy_kind, m.window_days, m.max_attempts, m.fixed_days)
    )
    update merchants
    set name = coalesce($2, name),
        retry_status_url = coalesce($3, retry_status_url),
        webhook_url = coalesce($4, webhook_url),
        policy_kind = coalesce($5, policy_kind),
        window_days = coalesce($6, window_days),
        max_attempts = coalesce($7, max_attempts),
        fixed_days = coalesce($8, fixed_days),
        holdout_share = coalesce($9, holdout_share),
        explore_share = coalesce($10, explore_share),
        learned_share = coalesce($13, learned_share),
        end_of_dunning = coalesce($11, end_of_dunning),
        incident_events = coalesce($14, incident_events),
        customer_action_events = coalesce($15, customer_action_events),
        webhook_quick_sends = coalesce($16, webhook_quick_sends),
        webhook_pause_after_days =
          case when $17 then $18::int else webhook_pause_after_days end,
        customer_page_url = case when $19 then $20::text else customer_page_url end,
        time_zone = coalesce($21, time_zone),
        -- Another policy has to earn its share anew.
        learned_step = case
          when (coalesce($5, policy_kind), coalesce($6, window_days), coalesce($7, max_attempts),
                coalesce($8, fixed_days))
               is distinct from (policy_kind, window_days, max_attempts, fixed_days)
          then 0 else learned_step end,
        learned_failed_trials = case
          when (coalesce($5, policy_kind), coalesce($6, window_days), coalesce($7, max_attempts),
                coalesce($8, fixed_days))
               is distinct from (policy_kind, window_days, max_attempts, fixed_days)
          then 0 else learned_failed_trials end,
        policy_since = case
          when (coalesce($5, policy_kind), coalesce($6, window_days), coalesce($7, max_attempts),
                coalesce($8, fixed_days), coalesce($9, holdout_share), coalesce($10, explore_share),
                coalesce($13, learned_share))
               is distinct from
               (policy_kind, window_days, max_attempts, fixed_days, holdout_share, explore_share,
                learned_share)
          then $12 else policy_since end,
        updated_at = $12
    where merchant_id = $1`,
};

export async function findMerchant(
  db: Queryable,
  merchantId: string,
): Promise<MerchantView | undefined> {
  const [row] = await db.query<MovingRow>(find, [merchantId]);
  return row === undefined ? undefined : toMovingView(row);
}

/** A merchant's way out of this cell; undefined for one that is here and stays. */
export async function findMove(
  db: Queryable,
  merchantId: string,
): Promise<MerchantMove | undefined> {
  return (await findMerchant(db, merchantId))?.move;
}

/** The newest first. @throws AppError invalid_request for a cursor of another list */
export async function listMerchants(
  db: Queryable,
  input: {
    readonly cursor?: string;
    readonly limit: number;
    /** Absent: all. */
    readonly only?: readonly string[];
    /** Without those that have moved to another cell. */
    readonly here?: boolean;
  },
): Promise<Page<MerchantView>> {
  const values = [...placeOf(input.cursor, 1), input.limit + 1, input.only, input.here ?? false];
  const rows = await db.query<MovingRow>(list, values);
  return pageOf(rows, input.limit, {
    item: toMovingView,
    keys: (row) => [row.created_at.toISOString(), row.merchant_id],
  });
}

export async function insertMerchant(tx: Queryable, record: NewMerchantRecord): Promise<void> {
  const { policy } = record;
  const shares = sharesOf(policy);
  await tx.query(insert, [
    record.merchantId,
    record.name,
    record.retryStatusUrl,
    record.webhookUrl,
    policy.kind,
    policy.windowDays,
    policy.maxAttempts,
    daysOf(policy),
    shares.holdoutShare,
    shares.exploreShare,
    record.endOfDunning,
    record.audit.at,
    shares.learnedShare,
    record.incidentEvents ?? false,
    record.customerActionEvents ?? false,
    record.webhookQuickSends ?? false,
    record.webhookPauseAfterDays,
    record.customerPageUrl,
    record.timeZone ?? defaultTimeZone,
  ]);
}

/** Keeps other administration of this merchant out until the transaction ends. False: not there. */
export async function lockMerchant(tx: Queryable, merchantId: string): Promise<boolean> {
  const rows = await tx.query(lock, [merchantId]);
  return rows.length > 0;
}

export async function updateMerchant(
  tx: Queryable,
  input: { readonly merchantId: string; readonly change: MerchantChange; readonly at: Date },
): Promise<void> {
  const { policy, ...fields } = input.change;
  const shares = policy && sharesOf(policy);
  await tx.query(change, [
    input.merchantId,
    fields.name,
    fields.retryStatusUrl,
    fields.webhookUrl,
    policy?.kind,
    policy?.windowDays,
    policy?.maxAttempts,
    policy && daysOf(policy),
    shares?.holdoutShare,
    shares?.exploreShare,
    fields.endOfDunning,
    input.at,
    shares?.learnedShare,
    fields.incidentEvents,
    fields.customerActionEvents,
    fields.webhookQuickSends,
    fields.webhookPauseAfterDays !== undefined,
    fields.webhookPauseAfterDays,
    fields.customerPageUrl !== undefined,
    fields.customerPageUrl,
    fields.timeZone,
  ]);
}

export function toMerchantView(row: MerchantRow): MerchantView {
  return {
    merchantId: row.merchant_id,
    name: row.name,
    retryStatusUrl: row.retry_status_url,
    webhookUrl: row.webhook_url,
    policy: policyOfRow(row),
    timeZone: row.time_zone,
    endOfDunning: row.end_of_dunning,
    incidentEvents: row.incident_events,
    customerActionEvents: row.customer_action_events,
    ...(row.messages_on && { messagesOn: true }),
    ...(row.customer_page_url !== null && { customerPageUrl: row.customer_page_url }),
    webhookQuickSends: row.webhook_quick_sends,
    ...(row.has_further_endpoints && { hasFurtherEndpoints: true }),
    ...pauseOf(row),
    psps: row.psps,
    authType: row.auth_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toMovingView(row: MovingRow): MerchantView {
  const { has_moved: hasMoved, to_cell: toCell, moves_since: since } = row;
  const view = toMerchantView(row);
  if (hasMoved === null || since === null) return view;
  const state = hasMoved ? 'moved' : 'moving';
  return { ...view, move: { state, since, ...(toCell && { toCell }) } };
}

function pauseOf(row: MerchantRow): Pick<Merchant, 'webhookPause' | 'webhookPauseAfterDays'> {
  const { webhook_paused_at: at, webhook_paused_by: by, webhook_pause_after_days: days } = row;
  return {
    ...(days !== null && { webhookPauseAfterDays: days }),
    ...(at !== null && by !== null && { webhookPause: { at, by } }),
  };
}

function policyOfRow(row: MerchantRow): PolicySettings {
  const policy = policyOf({
    kind: row.policy_kind,
    windowDays: row.window_days,
    maxAttempts: row.max_attempts,
    fixedDays: row.fixed_days,
    shares: present({
      holdoutShare: row.holdout_share ?? undefined,
      exploreShare: row.explore_share ?? undefined,
      learnedShare: row.learned_share ?? undefined,
    }),
  });
  return policy.kind === 'learned' ? { ...policy, learnedStep: row.learned_step } : policy;
}
