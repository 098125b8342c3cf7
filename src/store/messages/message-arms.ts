import type { CardArmSums } from '../../recovery/messages/measure-card-messages.ts';
import type { ArmSums, MessageCounts } from '../../recovery/messages/measure-messages.ts';
import type { Queryable, Statement } from '../database.ts';
import { weekOf } from '../rollups/uplift-facts.ts';
import { wonOf } from '../views/amount-won.ts';

/**
 * Payments whose customers could be written to, by currency, arm, a group of customers and the week in which they began to wait. Paid in
 * another way counts as recovered: the customer of a message may pay on the merchant's page itself.
 */
const arms: Statement = {
  name: 'sum_message_arms',
  text: `
    select p.currency, t.arm, to_char(${weekOf('t.begun_at')}, 'YYYY-MM-DD') as week,
           (('x' || substr(md5(t.customer_id), 1, 6))::bit(24)::int % 200) as payer_group,
           count(*)::int as payments, sum(p.amount_minor)::float8 as failed_minor,
           (count(*) filter (where r.recovered))::int as recovered,
           coalesce(sum(coalesce(won.amount_minor, p.amount_minor)) filter (where r.recovered), 0)::float8
             as recovered_minor,
           (count(*) filter (where p.state in ('scheduled', 'attempting')))::int as open
    from message_threads t
    join payments p using (merchant_id, invoice_id)
    cross join lateral (
      select p.state = 'recovered' or coalesce(p.stop_reason = 'recovered_elsewhere', false)
    ) r (recovered)
    ${wonOf('p')}
    where t.merchant_id = $1 and t.is_reachable and ($2::timestamptz is null or t.begun_at >= $2)
      and coalesce(p.stop_reason <> 'joined', true)
    group by 1, 2, 3, 4`,
};

/** Cards that end before they are charged again, whose customers could be written to, as payments are above. */
const cardArms: Statement = {
  name: 'sum_card_message_arms',
  text: `
    select t.arm, to_char(${weekOf('t.begun_at')}, 'YYYY-MM-DD') as week,
           (('x' || substr(md5(t.customer_id), 1, 6))::bit(24)::int % 200) as payer_group,
           count(*)::int as cards,
           (count(*) filter (where n.resolved_by in ('payment_method', 'recovered')))::int as kept,
           (count(*) filter (where n.resolved_at is null))::int as open
    from card_messages t
    join card_notices n using (merchant_id, payment_method_id, card_ends_at)
    where t.merchant_id = $1 and t.is_reachable and ($2::timestamptz is null or t.begun_at >= $2)
    group by 1, 2, 3`,
};

const allMessages = `(
  select merchant_id, state, created_at from customer_messages
  union all
  select merchant_id, state, written_at from card_messages where message_id is not null)`;

const counts: Statement = {
  name: 'count_customer_messages',
  text: `
    select
      (select count(*) from ${allMessages} m
       where m.merchant_id = $1 and m.state in ('sent', 'bounced')
         and ($2::timestamptz is null or m.created_at >= $2))::int as sent,
      (select count(*) from ${allMessages} m
       where m.merchant_id = $1 and m.state in ('refused', 'bounced')
         and ($2::timestamptz is null or m.created_at >= $2))::int as bounced,
      (select count(*) from message_suppressions u
       where u.merchant_id = $1 and u.reason in ('stopped', 'complained')
         and ($2::timestamptz is null or u.created_at >= $2))::int as stopped`,
};

interface ArmRow {
  readonly currency: string;
  readonly week: string;
  readonly arm: ArmSums['arm'];
  readonly payer_group: number;
  readonly payments: number;
  readonly failed_minor: number;
  readonly recovered: number;
  readonly recovered_minor: number;
  readonly open: number;
}

export async function sumMessageArms(
  db: Queryable,
  { merchantId, since }: { readonly merchantId: string; readonly since?: Date },
): Promise<readonly ArmSums[]> {
  const rows = await db.query<ArmRow>(arms, [merchantId, since]);
  return rows.map((row) => ({
    currency: row.currency,
    week: row.week,
    arm: row.arm,
    group: row.payer_group,
    payments: row.payments,
    failedMinor: row.failed_minor,
    recovered: row.recovered,
    recoveredMinor: row.recovered_minor,
    open: row.open,
  }));
}

interface CardArmRow {
  readonly week: string;
  readonly arm: CardArmSums['arm'];
  readonly payer_group: number;
  readonly cards: number;
  readonly kept: number;
  readonly open: number;
}

export async function sumCardArms(
  db: Queryable,
  { merchantId, since }: { readonly merchantId: string; readonly since?: Date },
): Promise<readonly CardArmSums[]> {
  const rows = await db.query<CardArmRow>(cardArms, [merchantId, since]);
  return rows.map(({ payer_group: group, ...row }) => ({ ...row, group }));
}

export async function countMessages(
  db: Queryable,
  { merchantId, since }: { readonly merchantId: string; readonly since?: Date },
): Promise<MessageCounts> {
  const [row] = await db.query<MessageCounts>(counts, [merchantId, since]);
  return row ?? { sent: 0, bounced: 0, stopped: 0 };
}
