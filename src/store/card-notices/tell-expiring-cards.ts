import { addMs, dayMs } from '../../domain/clock.ts';
import type { Random } from '../../domain/random.ts';
import {
  type CardNotice,
  cardExpiringEvent,
  cardNoticeEndedEvent,
} from '../../recovery/card-notices/card-notice-events.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { type EndedNoticeRow, endedColumns, toEndedNotice } from './ended-notice.ts';
import { writeNoticeEvents } from './write-notice-events.ts';

/** Where a run stands: after this subscription. */
export interface CardPlace {
  readonly merchantId: string;
  readonly renewsAt: Date;
  readonly subscriptionId: string;
}

/**
 * Subscriptions whose card ends up to `$2`, before they are billed again after `$1`: merchant by merchant,
 * in the order of their renewals. Only of merchants that ask for the event, or have their customers written to.
 */
const due: Statement = {
  name: 'find_expiring_cards',
  text: `
    select s.merchant_id, s.subscription_id, s.customer_id, s.psp_customer_id, s.payment_method_id,
           s.card_ends_at, s.renews_at
    from merchants m
    cross join lateral (
      select * from subscription_cards s
      where s.merchant_id = m.merchant_id and s.card_ends_at <= s.renews_at and s.renews_at > $1
        and s.card_ends_at <= $2::timestamptz
        and (m.merchant_id > $3 or (s.renews_at, s.subscription_id) > ($4, $5))
      order by s.renews_at, s.subscription_id
      limit $6
    ) s
    where (m.customer_action_events or m.messages_on) and m.merchant_id >= $3 ${unlessMoved('m')}
    order by s.merchant_id, s.renews_at, s.subscription_id
    limit $6`,
};

/** Those that nobody has told yet. Several subscriptions of one card make one notice, the first's. */
const tell: Statement = {
  name: 'tell_card_notices',
  text: `
    with due as materialized (
      select distinct on (c.merchant_id, c.payment_method_id, c.card_ends_at)
        c.merchant_id, c.payment_method_id, c.card_ends_at, c.subscription_id, c.customer_id,
        c.psp_customer_id, c.renews_at
      from json_to_recordset($1::json) as c (
        merchant_id text, payment_method_id text, card_ends_at timestamptz, subscription_id text,
        customer_id text, psp_customer_id text, renews_at timestamptz)
      -- Not where the customer has changed a method since it was read.
      join subscription_cards s on s.merchant_id = c.merchant_id
        and s.subscription_id = c.subscription_id and s.payment_method_id = c.payment_method_id
        and s.card_ends_at = c.card_ends_at
      order by c.merchant_id, c.payment_method_id, c.card_ends_at, c.renews_at, c.subscription_id
    ),
    written as (
      insert into card_notices (merchant_id, payment_method_id, card_ends_at, subscription_id,
        customer_id, psp_customer_id, renews_at, told_at)
      select merchant_id, payment_method_id, card_ends_at, subscription_id, customer_id,
             psp_customer_id, renews_at, $2
      from due
      order by merchant_id, payment_method_id, card_ends_at
      on conflict (merchant_id, payment_method_id, card_ends_at) do nothing
      returning merchant_id, payment_method_id, card_ends_at, subscription_id, customer_id, renews_at
    )
    select * from written`,
};

interface NoticeRow {
  readonly merchant_id: string;
  readonly payment_method_id: string;
  readonly card_ends_at: Date;
  readonly subscription_id: string;
  readonly customer_id: string;
  readonly renews_at: Date;
}

interface DueRow extends NoticeRow {
  readonly psp_customer_id: string | null;
}

export interface ToldPage {
  readonly told: number;
  /** Absent after the last page. */
  readonly next?: CardPlace;
}

/**
 * Tells one page of the cards that are about to expire; each page is a transaction. A run that is begun
 * again tells none twice.
 */
export function tellExpiringCards(
  deps: { readonly db: Database; readonly random: Random },
  input: { readonly at: Date; readonly after?: CardPlace; readonly limit: number },
): Promise<ToldPage> {
  const { at, after, limit } = input;
  return deps.db.transaction(async (tx) => {
    const found = await tx.query<DueRow>(due, [
      at,
      lastEndTold(at),
      after?.merchantId ?? '',
      after?.renewsAt ?? at,
      after?.subscriptionId ?? '',
      limit,
    ]);
    const told = await tx.query<NoticeRow>(tell, [JSON.stringify(found), at]);
    const events = told.map((row) => {
      const notice = toNotice(row);
      return { merchantId: notice.merchantId, event: cardExpiringEvent(deps, notice, at) };
    });
    await writeNoticeEvents(tx, { events, at });
    const last = found.at(-1);
    if (found.length < limit || last === undefined) return { told: told.length };
    const { merchant_id: merchantId, renews_at: renewsAt, subscription_id: subscriptionId } = last;
    return { told: told.length, next: { merchantId, renewsAt, subscriptionId } };
  });
}

/**
 * The end of this month, in UTC. Told is in a card's last month, as PSPs do (Stripe's
 * `customer.source.expiring`): earlier the customer has often no new card yet.
 */
function lastEndTold(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}

function toNotice(row: NoticeRow): CardNotice {
  return {
    merchantId: row.merchant_id,
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    paymentMethodId: row.payment_method_id,
    cardEndsAt: row.card_ends_at,
    renewsAt: row.renews_at,
  };
}

/** How long the report of a renewal may take before its notice ends without it. */
const reportGraceMs = 2 * dayMs;

const endPassed: Statement = {
  name: 'end_passed_card_notices',
  text: `
    with passed as (
      select n.merchant_id, n.payment_method_id, n.card_ends_at
      from merchants m
      cross join lateral (
        select * from card_notices n
        where n.merchant_id = m.merchant_id and n.resolved_at is null and n.renews_at < $1
        order by n.renews_at limit $3
        for update of n skip locked
      ) n
      where true ${unlessMoved('m')}
      limit $3
    )
    update card_notices n set resolved_at = $2, resolved_by = 'window_ended'
    from passed p
    where n.merchant_id = p.merchant_id and n.payment_method_id = p.payment_method_id
      and n.card_ends_at = p.card_ends_at
    returning ${endedColumns('n')}`,
};

/** Ends notices whose renewal passed and was never reported; how many, up to `limit`. */
export function endPassedNotices(
  deps: { readonly db: Database; readonly random: Random },
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<number> {
  return deps.db.transaction(async (tx: Queryable) => {
    const before = addMs(at, -reportGraceMs);
    const ended = await tx.query<EndedNoticeRow>(endPassed, [before, at, limit]);
    const events = ended.map((row) => ({
      merchantId: row.merchant_id,
      event: cardNoticeEndedEvent(deps, toEndedNotice(row), at),
    }));
    await writeNoticeEvents(tx, { events, at });
    return ended.length;
  });
}
