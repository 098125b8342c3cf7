import { addMs } from '../../domain/clock.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { Added, MethodUpdate, ReportedChanges } from '../../recovery/intake-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';

/** By key, one after the other: joined, the planner would read all methods of the merchants. */
const findApplied: Statement = {
  name: 'find_applied_method_updates',
  text: `
    select i.n
    from json_to_recordset($1::json) as i (
      n int, "merchantId" text, "paymentMethodId" text, sequence bigint)
    cross join lateral (
      select from payment_methods m
      where m.merchant_id = i."merchantId" and m.payment_method_id = i."paymentMethodId"
        and m.last_sequence >= i.sequence
      limit 1
    ) m`,
};

/**
 * What updates of one batch make of each method ($1); then every open payment of the customers that any of them
 * named ($4). A method that was updated after $3 counts as renewed since then: what comes now tells of the same change,
 * and would be a charge of its own. A removal always counts, and so does what follows it.
 */
const applyUpdates: Statement = {
  name: 'apply_method_updates',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as u (
        "merchantId" text, "paymentMethodId" text, "customerId" text, "pspCustomerId" text,
        reason text, sequence bigint)
    ),
    methods as (
      insert into payment_methods (merchant_id, payment_method_id, customer_id, psp_customer_id,
        state, last_reason, last_sequence, signalled_at, created_at, updated_at)
      select "merchantId", "paymentMethodId", "customerId", "pspCustomerId",
        case when reason = 'user_removed' then 'removed' else 'active' end, reason, sequence,
        $2, $2, $2
      from input
      order by 1, 2
      on conflict (merchant_id, payment_method_id) do update
      set customer_id = coalesce(excluded.customer_id, payment_methods.customer_id),
          psp_customer_id = coalesce(excluded.psp_customer_id, payment_methods.psp_customer_id),
          state = excluded.state, last_reason = excluded.last_reason,
          last_sequence = excluded.last_sequence,
          signalled_at = case
            when excluded.state = 'active' and payment_methods.state = 'active'
              and payment_methods.signalled_at > $3 then payment_methods.signalled_at
            else excluded.signalled_at end,
          updated_at = excluded.updated_at
      where coalesce(payment_methods.last_sequence, 0) < excluded.last_sequence
      returning merchant_id
    ),
    told as (
      select * from json_to_recordset($4::json) as u (
        "merchantId" text, "paymentMethodId" text, "customerId" text, "pspCustomerId" text)
    ),
    named as (
      select p.merchant_id, p.invoice_id, i."paymentMethodId"
      from told i
      join payments p on p.merchant_id = i."merchantId" and p.customer_id = i."customerId"
      where p.state in ('scheduled', 'attempting')
      union
      select p.merchant_id, p.invoice_id, i."paymentMethodId"
      from told i
      join payments p on p.merchant_id = i."merchantId" and p.psp_customer_id = i."pspCustomerId"
      where p.state in ('scheduled', 'attempting') and p.psp_customer_id is not null
    ),
    -- A part that nothing asks runs last: asked for here, the methods are held before the payments, as events hold them.
    open as (
      select * from (
        select p.merchant_id, p.invoice_id from payments p
        where (select count(*) from methods) >= 0
          and (p.merchant_id, p.invoice_id) in (select merchant_id, invoice_id from named)
          and p.state in ('scheduled', 'attempting')
        order by p.merchant_id, p.invoice_id
        for update
      ) locked offset 0
    ),
    signalled as (
      update payments p
      set revision = p.revision + 1, updated_at = $2,
          due_action = case when p.state = 'scheduled' then 'plan' else p.due_action end,
          set_aside_at = case when p.state = 'attempting' then p.set_aside_at end,
          set_aside_reason = case when p.state = 'attempting' then p.set_aside_reason end,
          next_attempt_at = case when p.state = 'scheduled' and p.frozen_at is null then $2
                                 else p.next_attempt_at end
      from open o
      where p.merchant_id = o.merchant_id and p.invoice_id = o.invoice_id
      returning p.merchant_id, p.invoice_id
    )
    select s.merchant_id, s.invoice_id, n."paymentMethodId" as payment_method_id
    from signalled s join named n using (merchant_id, invoice_id)`,
};

interface ReplannedRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly payment_method_id: string;
}

/** What several updates of a method, applied at once, make of it. */
interface MergedUpdate extends MethodUpdate {
  /** Counts however soon it follows on another one. */
  readonly counts: boolean;
}

/**
 * Applies the updates of a batch as if each had come alone. A batch that is applied again, after a crash, renews no
 * method a second time: the try that the update was for may have been made in between.
 */
export async function applyMethodUpdates(
  db: Database,
  { updates, at }: Pick<ReportedChanges, 'updates' | 'at'>,
): Promise<Added['replanned']> {
  if (updates.length === 0) return [];
  const merged = merge(await notApplied(db, updates));
  const rows: ReplannedRow[] = [];
  // Of what a PSP tells, much is of the same change.
  for (const counts of [true, false]) {
    const methods = [...merged.values()].filter((one) => one.counts === counts);
    const told = updates.filter((one) => (merged.get(keyOf(one))?.counts ?? false) === counts);
    if (told.length === 0) continue;
    const sameSince = counts ? at : addMs(at, -limits.sameUpdateMs);
    const input = [methods, told].map((each) => JSON.stringify(each.map(updateRow)));
    rows.push(...(await db.query<ReplannedRow>(applyUpdates, [input[0], at, sameSince, input[1]])));
  }
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    paymentMethodId: row.payment_method_id,
  }));
}

async function notApplied(
  db: Queryable,
  updates: readonly MethodUpdate[],
): Promise<readonly MethodUpdate[]> {
  const asked = JSON.stringify(updates.map((update, n) => ({ ...updateRow(update), n })));
  const applied = new Set((await db.query<{ n: number }>(findApplied, [asked])).map(({ n }) => n));
  return updates.filter((_, n) => !applied.has(n));
}

/** Of each method the last update, with the names of its customer that those before it gave. */
function merge(updates: readonly MethodUpdate[]): ReadonlyMap<string, MergedUpdate> {
  const merged = new Map<string, MergedUpdate>();
  for (const update of updates) {
    const before = merged.get(keyOf(update));
    const { customerId = before?.customerId, pspCustomerId = before?.pspCustomerId } = update;
    merged.set(keyOf(update), {
      ...update,
      ...present({ customerId, pspCustomerId }),
      // A merchant's report always counts, and so does what follows a removal.
      counts:
        update.channel === 'merchant' ||
        before?.counts === true ||
        before?.reason === 'user_removed',
    });
  }
  return merged;
}

const keyOf = (update: MethodUpdate): string => `${update.merchantId} ${update.paymentMethodId}`;

/** JSON has no whole numbers of this size. */
function updateRow(update: MethodUpdate) {
  return { ...update, sequence: update.sequence.toString() };
}
