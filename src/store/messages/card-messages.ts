import type { NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import { present } from '../../domain/present.ts';
import type {
  CardMessageStore,
  DueCard,
  NewCard,
} from '../../recovery/messages/card-message-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { intendCard, recordCardSend, recordCardTelling } from './card-message-writes.ts';
import { openAddressOf } from './customer-addresses.ts';
import { type SettingsRow, settingsColumns, toSettings } from './message-settings-store.ts';

/** Open notices of merchants that switched messages on, and of these the ones that nothing is kept of yet. */
const findNew: Statement = {
  name: 'find_new_card_messages',
  text: `
    select w.merchant_id, w.payment_method_id, w.card_ends_at, w.customer_id, w.subscription_id,
           w.is_reachable, s.holdout_share
    from merchants m
    join message_settings s using (merchant_id)
    cross join lateral (
      select n.merchant_id, n.payment_method_id, n.card_ends_at, n.customer_id, n.subscription_id,
             a.address_hash is not null and not exists (
               select from message_suppressions u
               where u.merchant_id = n.merchant_id and u.address_hash = a.address_hash
             ) as is_reachable
      from card_notices n
      left join customer_addresses a
        on a.merchant_id = n.merchant_id and a.customer_id = n.customer_id
      where n.merchant_id = m.merchant_id and n.resolved_at is null
        and not exists (select from card_messages c
                        where c.merchant_id = n.merchant_id
                          and c.payment_method_id = n.payment_method_id
                          and c.card_ends_at = n.card_ends_at)
      limit $1
    ) w
    where m.messages_on
    limit $1`,
};

const begin: Statement = {
  name: 'begin_card_messages',
  text: `
    insert into card_messages (merchant_id, payment_method_id, card_ends_at, customer_id,
      subscription_id, arm, is_reachable, begun_at, next_look_at, end_reason)
    select merchant_id, payment_method_id, card_ends_at, customer_id, subscription_id, arm,
           is_reachable, $2::timestamptz,
           case when arm = 'messages' and is_reachable then $2::timestamptz end,
           case when arm = 'messages' and not is_reachable then 'no_address' end
    from json_to_recordset($1::json) as t (
      merchant_id text, payment_method_id text, card_ends_at timestamptz, customer_id text,
      subscription_id text, arm text, is_reachable boolean)
    order by merchant_id, payment_method_id, card_ends_at
    on conflict (merchant_id, payment_method_id, card_ends_at) do nothing`,
};

const claim: Statement = {
  name: 'claim_card_messages',
  text: `
    update card_messages t set lease_until = $2, fence = t.fence + 1
    from (
      select merchant_id, payment_method_id, card_ends_at from card_messages
      where next_look_at <= $1 and (lease_until is null or lease_until <= $1)
      order by next_look_at
      limit $3
      for update skip locked
    ) due
    where t.merchant_id = due.merchant_id and t.payment_method_id = due.payment_method_id
      and t.card_ends_at = due.card_ends_at
    returning t.merchant_id, t.payment_method_id, t.card_ends_at`,
};

/** What the rule looks at, and what a message is made of. */
const readDue: Statement = {
  name: 'read_due_card_messages',
  text: `
    select t.merchant_id, t.payment_method_id, t.card_ends_at, t.customer_id, t.fence, t.begun_at,
           t.has_refused, t.state, t.message_id, t.tries, t.unanswered, n.renews_at,
           n.resolved_at is not null as is_ended, m.name, m.customer_page_url, m.messages_on,
           ${settingsColumns}, p.payments, p.has_attempt, p.next_attempt_at, p.last_written_at,
           c.address_hash, c.language as own_language, c.time_zone as own_time_zone,
           exists (select from message_suppressions u
                   where u.merchant_id = t.merchant_id and u.address_hash = c.address_hash)
             as is_suppressed,
           (select json_agg(json_build_object('reason', e.reason, 'language', e.language,
                              'subject', e.subject, 'body', e.body))
            from message_templates e where e.merchant_id = t.merchant_id) as templates
    from json_to_recordset($1::json) as k (
      merchant_id text, payment_method_id text, card_ends_at timestamptz)
    join card_messages t using (merchant_id, payment_method_id, card_ends_at)
    join card_notices n using (merchant_id, payment_method_id, card_ends_at)
    join merchants m on m.merchant_id = t.merchant_id
    join message_settings s on s.merchant_id = t.merchant_id
    left join customer_addresses c
      on c.merchant_id = t.merchant_id and c.customer_id = t.customer_id
    cross join lateral (
      select count(*) filter (where o.is_open)::int as payments,
             coalesce(bool_or(o.state = 'attempting'), false) as has_attempt,
             max(o.next_attempt_at) filter (where o.is_open) as next_attempt_at,
             max(o.last_sent_at) as last_written_at
      from (
        select p.state, p.state in ('scheduled', 'attempting') as is_open, p.next_attempt_at,
               h.last_sent_at
        from payments p
        left join message_threads h
          on h.merchant_id = p.merchant_id and h.invoice_id = p.invoice_id
        where p.merchant_id = t.merchant_id and p.customer_id = t.customer_id
      ) o
    ) p`,
};

interface NewRow {
  readonly merchant_id: string;
  readonly payment_method_id: string;
  readonly card_ends_at: Date;
  readonly customer_id: string;
  readonly subscription_id: string;
  readonly is_reachable: boolean;
  readonly holdout_share: number;
}

interface DueRow extends SettingsRow {
  readonly merchant_id: string;
  readonly payment_method_id: string;
  readonly card_ends_at: Date;
  readonly customer_id: string;
  readonly fence: number;
  readonly begun_at: Date;
  readonly has_refused: boolean;
  readonly state: 'sending' | 'sent' | 'refused' | 'bounced' | 'given_up' | null;
  readonly message_id: string | null;
  readonly tries: number;
  readonly unanswered: number;
  readonly renews_at: Date;
  readonly is_ended: boolean;
  readonly name: string;
  readonly customer_page_url: string | null;
  readonly messages_on: boolean;
  readonly payments: number;
  readonly has_attempt: boolean;
  readonly next_attempt_at: Date | null;
  readonly last_written_at: Date | null;
  readonly address_hash: string | null;
  readonly own_language: string | null;
  readonly own_time_zone: string | null;
  readonly is_suppressed: boolean;
  readonly templates: readonly NamedTemplate[] | null;
}

/** Messages about cards in the database. */
export function createCardMessageStore(deps: {
  readonly db: Database;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
}): CardMessageStore {
  const { db } = deps;
  return {
    async findNew(limit) {
      const rows = await db.query<NewRow>(findNew, [limit]);
      return rows.map(toNewCard);
    },
    async begin(cards, at) {
      const rows = cards.map((card) => ({
        merchant_id: card.merchantId,
        payment_method_id: card.paymentMethodId,
        card_ends_at: card.cardEndsAt,
        customer_id: card.customerId,
        subscription_id: card.subscriptionId,
        arm: card.arm,
        is_reachable: card.isReachable,
      }));
      await db.query(begin, [JSON.stringify(rows), at]);
    },
    claimDue: (input) => claimDue(db, input),
    openAddress: (card) => openAddressOf(deps, card),
    intend: (input) => intendCard(db, input),
    recordSend: (input) => recordCardSend(db, input),
    recordTelling: (input) => recordCardTelling(db, input),
  };
}

async function claimDue(
  db: Queryable,
  { at, leaseUntil, limit }: Parameters<CardMessageStore['claimDue']>[0],
): Promise<readonly DueCard[]> {
  const claimed = await db.query<
    Pick<NewRow, 'merchant_id' | 'payment_method_id' | 'card_ends_at'>
  >(claim, [at, leaseUntil, limit]);
  if (claimed.length === 0) return [];
  const rows = await db.query<DueRow>(readDue, [JSON.stringify(claimed)]);
  return rows.map(toDueCard);
}

function toNewCard(row: NewRow): NewCard {
  return {
    merchantId: row.merchant_id,
    paymentMethodId: row.payment_method_id,
    cardEndsAt: row.card_ends_at,
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    isReachable: row.is_reachable,
    holdoutShare: row.holdout_share,
  };
}

function toDueCard(row: DueRow): DueCard {
  const { message_id: messageId, state, tries, unanswered } = row;
  const isOpen = messageId !== null && state === 'sending';
  return {
    merchantId: row.merchant_id,
    merchantName: row.name,
    paymentMethodId: row.payment_method_id,
    cardEndsAt: row.card_ends_at,
    customerId: row.customer_id,
    fence: row.fence,
    facts: factsOf(row),
    settings: toSettings(row, row.messages_on),
    templates: row.templates ?? [],
    ...present({
      customerPageUrl: row.customer_page_url ?? undefined,
      addressHash: row.address_hash ?? undefined,
      language: row.own_language ?? undefined,
    }),
    ...(isOpen && { open: { messageId, number: 1, tries, unanswered } }),
  };
}

function factsOf(row: DueRow): DueCard['facts'] {
  return {
    isEnded: row.is_ended,
    cardEndsAt: row.card_ends_at,
    renewsAt: row.renews_at,
    open: {
      payments: row.payments,
      hasAttempt: row.has_attempt,
      ...present({ nextAttemptAt: row.next_attempt_at ?? undefined }),
    },
    address: row.address_hash === null ? 'none' : row.is_suppressed ? 'suppressed' : 'known',
    hasRefused: row.has_refused,
    begunAt: row.begun_at,
    ...present({
      lastWrittenAt: row.last_written_at ?? undefined,
      timeZone: row.own_time_zone ?? undefined,
    }),
  };
}
