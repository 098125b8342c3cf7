import type { Random } from '../../domain/random.ts';
import { cardNoticeEndedEvent } from '../../recovery/card-notices/card-notice-events.ts';
import {
  lastOfEach,
  type SubscriptionCard,
} from '../../recovery/card-notices/subscription-card.ts';
import type { MethodUpdate } from '../../recovery/intake-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { type EndedNoticeRow, endedColumns, toEndedNotice } from './ended-notice.ts';
import { writeNoticeEvents } from './write-notice-events.ts';

const input = `
  select * from json_to_recordset($1::json) as c (
    "merchantId" text, "subscriptionId" text, "customerId" text, "pspCustomerId" text,
    "paymentMethodId" text, "cardEndsAt" timestamptz, "billedAt" timestamptz, "isPaid" boolean,
    "renewsAt" timestamptz)`;

/**
 * Notices of subscriptions that were billed since: to another card or one that ends later, or to the same
 * one after its end. Before the cards themselves are stored, which says what was known of them.
 */
const endBilled: Statement = {
  name: 'end_billed_card_notices',
  text: `
    with input as (${input}),
    ended as (
      select * from (
        select n.merchant_id, n.payment_method_id, n.card_ends_at,
          case
            when i."paymentMethodId" <> n.payment_method_id or i."cardEndsAt" > n.card_ends_at
              then 'payment_method'
            when i."isPaid" then 'recovered'
            else 'window_ended'
          end as by
        from input i
        join card_notices n on n.merchant_id = i."merchantId"
          and n.subscription_id = i."subscriptionId" and n.resolved_at is null
        join subscription_cards s on s.merchant_id = i."merchantId"
          and s.subscription_id = i."subscriptionId" and s.billed_at < i."billedAt"
        where i."paymentMethodId" <> n.payment_method_id or i."cardEndsAt" > n.card_ends_at
           or i."billedAt" >= n.card_ends_at
        order by n.merchant_id, n.payment_method_id, n.card_ends_at
        for update of n
      ) locked offset 0
    )
    update card_notices n set resolved_at = $2, resolved_by = e.by
    from ended e
    where n.merchant_id = e.merchant_id and n.payment_method_id = e.payment_method_id
      and n.card_ends_at = e.card_ends_at
    returning ${endedColumns('n')}`,
};

/**
 * The later report of a subscription counts. One that names a card without its last month leaves that of the
 * same card, and nothing of another one. Without any of it no row begins: it would tell nobody anything. Both parts
 * ask for what is held, in one order, so that it is held before either writes.
 */
const keep: Statement = {
  name: 'keep_subscription_cards',
  text: `
    with input as (${input}),
    held as (
      select * from (
        select s.merchant_id, s.subscription_id from input i
        join subscription_cards s
          on s.merchant_id = i."merchantId" and s.subscription_id = i."subscriptionId"
        order by s.merchant_id, s.subscription_id
        for update of s
      ) locked offset 0
    ),
    begun as (
      insert into subscription_cards as s (merchant_id, subscription_id, customer_id, psp_customer_id,
        payment_method_id, card_ends_at, billed_at, renews_at)
      select "merchantId", "subscriptionId", "customerId", "pspCustomerId", "paymentMethodId",
             "cardEndsAt", "billedAt", "renewsAt"
      from input where "cardEndsAt" is not null and (select count(*) from held) >= 0
      order by 1, 2
      on conflict (merchant_id, subscription_id) do update
      set customer_id = excluded.customer_id,
          psp_customer_id = coalesce(excluded.psp_customer_id, s.psp_customer_id),
          payment_method_id = excluded.payment_method_id, card_ends_at = excluded.card_ends_at,
          billed_at = excluded.billed_at, renews_at = excluded.renews_at
      where s.billed_at <= excluded.billed_at
    )
    update subscription_cards s
    set card_ends_at = case when s.payment_method_id = i."paymentMethodId" then s.card_ends_at end,
        payment_method_id = i."paymentMethodId", billed_at = i."billedAt", renews_at = i."renewsAt"
    from input i
    where i."cardEndsAt" is null and (select count(*) from held) >= 0
      and s.merchant_id = i."merchantId"
      and s.subscription_id = i."subscriptionId" and s.billed_at <= i."billedAt"`,
};

/** Whether any of them says a card's last month, or is of a subscription whose card is known. */
const known: Statement = {
  name: 'are_subscription_cards_known',
  text: `
    select 1 from (${input}) i
    where i."cardEndsAt" is not null
       or exists (select from subscription_cards s
                  where s.merchant_id = i."merchantId" and s.subscription_id = i."subscriptionId")
    limit 1`,
};

/** Stores what the events of a batch tell of cards, in its transaction, and ends the notices of others. */
export async function keepSubscriptionCards(
  deps: { readonly random: Random },
  tx: Queryable,
  { cards, at }: { readonly cards: readonly SubscriptionCard[]; readonly at: Date },
): Promise<void> {
  const latest = JSON.stringify(lastOfEach(cards));
  if ((await tx.query(known, [latest])).length === 0) return;
  const ended = await tx.query<EndedNoticeRow>(endBilled, [latest, at]);
  await tx.query(keep, [latest]);
  await writeEnded(deps, tx, { ended, at });
}

/** Of which of these customers a card or a notice is known: of most there is none. */
const concerned: Statement = {
  name: 'find_customers_with_cards',
  text: `
    select "merchantId", "customerId", "pspCustomerId"
    from json_to_recordset($1::json) as u (
      "merchantId" text, "customerId" text, "pspCustomerId" text)
    where exists (select from subscription_cards s
                  where s.merchant_id = u."merchantId" and s.customer_id = u."customerId")
       or exists (select from subscription_cards s
                  where s.merchant_id = u."merchantId" and s.psp_customer_id = u."pspCustomerId"
                    and s.psp_customer_id is not null)`,
};

interface CustomerRow {
  readonly merchantId: string | null;
  readonly customerId: string | null;
  readonly pspCustomerId: string | null;
}

/** With a changed method of the customer nobody knows what is charged next, until it is reported. */
const forget: Statement = {
  name: 'forget_subscription_cards',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as u (
        "merchantId" text, "customerId" text, "pspCustomerId" text)
    ),
    named as (
      select s.merchant_id, s.subscription_id from input i
      join subscription_cards s
        on s.merchant_id = i."merchantId" and s.customer_id = i."customerId"
      union
      select s.merchant_id, s.subscription_id from input i
      join subscription_cards s
        on s.merchant_id = i."merchantId" and s.psp_customer_id = i."pspCustomerId"
      where s.psp_customer_id is not null
    ),
    held as (
      select * from (
        select s.merchant_id, s.subscription_id from subscription_cards s
        where (s.merchant_id, s.subscription_id) in (select merchant_id, subscription_id from named)
          and s.card_ends_at is not null
        order by s.merchant_id, s.subscription_id
        for update
      ) locked offset 0
    )
    update subscription_cards s set card_ends_at = null
    from held h where s.merchant_id = h.merchant_id and s.subscription_id = h.subscription_id`,
};

const endChanged: Statement = {
  name: 'end_changed_card_notices',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as u (
        "merchantId" text, "customerId" text, "pspCustomerId" text)
    ),
    named as (
      select n.merchant_id, n.payment_method_id, n.card_ends_at from input i
      join card_notices n on n.merchant_id = i."merchantId" and n.customer_id = i."customerId"
      where n.resolved_at is null
      union
      select n.merchant_id, n.payment_method_id, n.card_ends_at from input i
      join card_notices n on n.merchant_id = i."merchantId" and n.psp_customer_id = i."pspCustomerId"
      where n.resolved_at is null and n.psp_customer_id is not null
    ),
    held as (
      select * from (
        select n.merchant_id, n.payment_method_id, n.card_ends_at from card_notices n
        where (n.merchant_id, n.payment_method_id, n.card_ends_at) in (
            select merchant_id, payment_method_id, card_ends_at from named)
          and n.resolved_at is null
        order by n.merchant_id, n.payment_method_id, n.card_ends_at
        for update
      ) locked offset 0
    )
    update card_notices n set resolved_at = $2, resolved_by = 'payment_method'
    from held h
    where n.merchant_id = h.merchant_id and n.payment_method_id = h.payment_method_id
      and n.card_ends_at = h.card_ends_at
    returning ${endedColumns('n')}`,
};

/** What updates of customers' methods mean for their subscriptions. A removal brings no other card. */
export async function forgetSubscriptionCards(
  deps: { readonly db: Database; readonly random: Random },
  { updates, at }: { readonly updates: readonly MethodUpdate[]; readonly at: Date },
): Promise<void> {
  const changed = updates
    .filter(({ reason }) => reason !== 'user_removed')
    .map(({ merchantId, customerId, pspCustomerId }) => ({
      merchantId,
      customerId,
      pspCustomerId,
    }));
  if (changed.length === 0) return;
  const customers = await deps.db.query<CustomerRow>(concerned, [JSON.stringify(changed)]);
  if (customers.length === 0) return;
  await deps.db.transaction(async (tx) => {
    // Notices before cards, as what is billed ends them.
    const ended = await tx.query<EndedNoticeRow>(endChanged, [JSON.stringify(customers), at]);
    await tx.query(forget, [JSON.stringify(customers)]);
    await writeEnded(deps, tx, { ended, at });
  });
}

async function writeEnded(
  deps: { readonly random: Random },
  tx: Queryable,
  { ended, at }: { readonly ended: readonly EndedNoticeRow[]; readonly at: Date },
): Promise<void> {
  const events = ended.map((row) => ({
    merchantId: row.merchant_id,
    event: cardNoticeEndedEvent(deps, toEndedNotice(row), at),
  }));
  await writeNoticeEvents(tx, { events, at });
}
