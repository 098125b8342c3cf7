import type { Decline } from '../../domain/declines/decline.ts';
import type { NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import { present } from '../../domain/present.ts';
import type { PaymentState } from '../../domain/states.ts';
import type { DueThread, MessageStore, NewThread } from '../../recovery/messages/message-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { forgetAddresses, openAddress } from './customer-addresses.ts';
import { type SettingsRow, settingsColumns, toSettings } from './message-settings-store.ts';
import { intend, recordSend, recordTelling } from './message-writes.ts';

/** Those of merchants that switched messages on, and of these the ones that no thread is of. */
const findNew: Statement = {
  name: 'find_new_message_threads',
  text: `
    select w.merchant_id, w.invoice_id, w.customer_id, w.is_reachable, s.holdout_share
    from merchants m
    join message_settings s using (merchant_id)
    cross join lateral (
      select p.merchant_id, p.invoice_id, p.customer_id,
             a.address_hash is not null and not exists (
               select from message_suppressions u
               where u.merchant_id = p.merchant_id and u.address_hash = a.address_hash
             ) as is_reachable
      from payments p
      left join customer_addresses a
        on a.merchant_id = p.merchant_id and a.customer_id = p.customer_id
      where p.merchant_id = m.merchant_id and p.state = 'scheduled' and p.due_action = 'expire'
        and not exists (select from message_threads t
                        where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id)
      limit $1
    ) w
    where m.messages_on
    limit $1`,
};

const begin: Statement = {
  name: 'begin_message_threads',
  text: `
    insert into message_threads (merchant_id, invoice_id, customer_id, arm, is_reachable, begun_at,
      next_look_at, end_reason)
    select merchant_id, invoice_id, customer_id, arm, is_reachable, $2::timestamptz,
           case when arm = 'messages' and is_reachable then $2::timestamptz end,
           case when arm = 'messages' and not is_reachable then 'no_address' end
    from json_to_recordset($1::json) as t (
      merchant_id text, invoice_id text, customer_id text, arm text, is_reachable boolean)
    order by merchant_id, invoice_id
    on conflict (merchant_id, invoice_id) do nothing`,
};

const claim: Statement = {
  name: 'claim_message_threads',
  text: `
    update message_threads t set lease_until = $2, fence = t.fence + 1
    from (
      select merchant_id, invoice_id from message_threads
      where next_look_at <= $1 and (lease_until is null or lease_until <= $1)
      order by next_look_at
      limit $3
      for update skip locked
    ) due
    where t.merchant_id = due.merchant_id and t.invoice_id = due.invoice_id
    returning t.merchant_id, t.invoice_id`,
};

/** What the rule looks at, and what a message is made of. */
const readDue: Statement = {
  name: 'read_due_message_threads',
  text: `
    select t.merchant_id, t.invoice_id, t.fence, t.begun_at, t.sent, t.last_sent_at, m.name,
           m.customer_page_url, m.messages_on, ${settingsColumns}, p.state, p.due_action,
           p.next_attempt_at, p.window_ends_at, p.amount_minor, p.currency,
           p.frozen_at is not null or p.set_aside_at is not null as is_held,
           coalesce((
             select x.decline from recorded_attempts a
             join psp_transactions x using (merchant_id, attempt_id)
             where a.merchant_id = t.merchant_id and a.invoice_id = t.invoice_id
               and x.decline is not null
             order by x.sent_at desc, x.ordinal desc limit 1
           ), p.first_decline) as decline,
           c.address_hash, c.language as own_language, c.time_zone as own_time_zone,
           exists (select from message_suppressions u
                   where u.merchant_id = t.merchant_id and u.address_hash = c.address_hash)
             as is_suppressed,
           exists (select from customer_contacts r
                   where r.merchant_id = t.merchant_id and r.invoice_id = t.invoice_id
                     and r.outcome = 'refused') as has_refused,
           o.message_id, o.number, o.tries, o.unanswered,
           (select json_agg(json_build_object('reason', e.reason, 'language', e.language,
                              'subject', e.subject, 'body', e.body))
            from message_templates e where e.merchant_id = t.merchant_id) as templates
    from json_to_recordset($1::json) as k (merchant_id text, invoice_id text)
    join message_threads t on t.merchant_id = k.merchant_id and t.invoice_id = k.invoice_id
    join payments p on p.merchant_id = k.merchant_id and p.invoice_id = k.invoice_id
    join merchants m on m.merchant_id = k.merchant_id
    join message_settings s on s.merchant_id = k.merchant_id
    left join customer_addresses c
      on c.merchant_id = t.merchant_id and c.customer_id = t.customer_id
    left join customer_messages o on o.merchant_id = t.merchant_id
      and o.invoice_id = t.invoice_id and o.state = 'sending'`,
};

interface NewRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly is_reachable: boolean;
  readonly holdout_share: number;
}

interface DueRow extends SettingsRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly fence: number;
  readonly begun_at: Date;
  readonly sent: number;
  readonly last_sent_at: Date | null;
  readonly name: string;
  readonly customer_page_url: string | null;
  readonly messages_on: boolean;
  readonly state: PaymentState;
  readonly due_action: 'plan' | 'attempt' | 'expire' | null;
  readonly next_attempt_at: Date | null;
  readonly window_ends_at: Date;
  readonly amount_minor: number;
  readonly currency: string;
  readonly is_held: boolean;
  readonly decline: Decline;
  readonly address_hash: string | null;
  readonly own_language: string | null;
  readonly own_time_zone: string | null;
  readonly is_suppressed: boolean;
  readonly has_refused: boolean;
  readonly message_id: string | null;
  readonly number: number | null;
  readonly tries: number | null;
  readonly unanswered: number | null;
  readonly templates: readonly NamedTemplate[] | null;
}

export function createMessageStore(deps: {
  readonly db: Database;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
}): MessageStore {
  const { db } = deps;
  return {
    async findNew(limit) {
      const rows = await db.query<NewRow>(findNew, [limit]);
      return rows.map(toNewThread);
    },
    async begin(threads, at) {
      const rows = threads.map((thread) => ({
        merchant_id: thread.merchantId,
        invoice_id: thread.invoiceId,
        customer_id: thread.customerId,
        arm: thread.arm,
        is_reachable: thread.isReachable,
      }));
      await db.query(begin, [JSON.stringify(rows), at]);
    },
    claimDue: (input) => claimDue(db, input),
    openAddress: (thread) => openAddress(deps, thread),
    intend: (input) => intend(db, input),
    recordSend: (input) => recordSend(db, input),
    recordTelling: (input) => recordTelling(db, input),
    forgetAddresses: (times) => forgetAddresses(db, times),
  };
}

async function claimDue(
  db: Queryable,
  { at, leaseUntil, limit }: Parameters<MessageStore['claimDue']>[0],
): Promise<readonly DueThread[]> {
  const claimed = await db.query<{ merchant_id: string; invoice_id: string }>(claim, [
    at,
    leaseUntil,
    limit,
  ]);
  if (claimed.length === 0) return [];
  const rows = await db.query<DueRow>(readDue, [JSON.stringify(claimed)]);
  return rows.map(toDueThread);
}

function toNewThread(row: NewRow): NewThread {
  return {
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    isReachable: row.is_reachable,
    holdoutShare: row.holdout_share,
  };
}

function toDueThread(row: DueRow): DueThread {
  const { message_id: messageId, number, tries, unanswered, address_hash: addressHash } = row;
  const isOpen = messageId !== null && number !== null && tries !== null && unanswered !== null;
  return {
    merchantId: row.merchant_id,
    merchantName: row.name,
    invoiceId: row.invoice_id,
    fence: row.fence,
    facts: factsOf(row),
    settings: toSettings(row, row.messages_on),
    templates: row.templates ?? [],
    decline: row.decline,
    amountMinor: row.amount_minor,
    currency: row.currency,
    ...present({
      customerPageUrl: row.customer_page_url ?? undefined,
      addressHash: addressHash ?? undefined,
      language: row.own_language ?? undefined,
    }),
    ...(isOpen && { open: { messageId, number, tries, unanswered } }),
  };
}

function factsOf(row: DueRow): DueThread['facts'] {
  const isKnown = row.address_hash !== null;
  return {
    payment: {
      state: row.state,
      waitsForCustomer: row.state === 'scheduled' && row.due_action === 'expire',
      windowEndsAt: row.window_ends_at,
      isHeld: row.is_held,
      ...present({ nextAttemptAt: row.next_attempt_at ?? undefined }),
    },
    address: !isKnown ? 'none' : row.is_suppressed ? 'suppressed' : 'known',
    hasRefused: row.has_refused,
    begunAt: row.begun_at,
    sent: row.sent,
    ...present({
      lastSentAt: row.last_sent_at ?? undefined,
      timeZone: row.own_time_zone ?? undefined,
    }),
  };
}
