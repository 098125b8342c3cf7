import type { SuppressionReason } from '../../recovery/messages/message-ports.ts';
import type { StopStore } from '../../recovery/messages/stop-messages.ts';
import { addContact } from '../customers/customer-contacts.ts';
import type { Database, Queryable, Statement } from '../database.ts';

const find: Statement = {
  name: 'find_message_address',
  text: `
    select m.invoice_id, m.address_hash from customer_messages m
    where m.merchant_id = $1 and m.message_id = $2
    union all
    select null, c.address_hash from card_messages c
    where c.merchant_id = $1 and c.message_id = $2`,
};

const suppress: Statement = {
  name: 'suppress_messages',
  text: `
    insert into message_suppressions (merchant_id, address_hash, reason, created_at)
    values ($1, $2, $3, $4) on conflict (merchant_id, address_hash) do nothing
    returning true`,
};

const allow: Statement = {
  name: 'allow_messages',
  text: `
    delete from message_suppressions where merchant_id = $1 and address_hash = $2 returning true`,
};

const bounced: Statement = {
  name: 'note_bounced_message',
  text: `
    with about_card as (
      update card_messages c
      set state = 'bounced', last_error = $3, ended_at = coalesce(c.ended_at, $4), unanswered = 0,
          next_look_at = null, end_reason = coalesce(c.end_reason, 'suppressed')
      where c.merchant_id = $1 and c.message_id = $2
    )
    update customer_messages m
    set state = 'bounced', last_error = $3, ended_at = coalesce(m.ended_at, $4), unanswered = 0
    where m.merchant_id = $1 and m.message_id = $2`,
};

interface MessageRow {
  /** Null: it is about a card. */
  readonly invoice_id: string | null;
  readonly address_hash: string | null;
}

export function createStopStore(db: Database): StopStore {
  return {
    stop: ({ merchantId, messageId, reason, detail, at }) =>
      db.transaction(async (tx) => {
        const [row] = await tx.query<MessageRow>(find, [merchantId, messageId]);
        if (row === undefined) return false;
        if (reason !== 'stopped') await tx.query(bounced, [merchantId, messageId, detail, at]);
        if (row.address_hash === null) return true;
        const isNew = await suppressAddress(tx, {
          ...{ merchantId, reason, at },
          hash: row.address_hash,
        });
        if (isNew && row.invoice_id !== null) {
          const kind = reason === 'stopped' ? 'stopped' : 'message_bounced';
          await addContact(tx, {
            merchantId,
            invoiceId: row.invoice_id,
            contactId: `${messageId}/${kind}`,
            contact: { kind, at, messageId },
          });
        }
        return true;
      }),
  };
}

/** Whether it was not suppressed before. */
export async function suppressAddress(
  db: Queryable,
  input: {
    readonly merchantId: string;
    readonly hash: string;
    readonly reason: SuppressionReason;
    readonly at: Date;
  },
): Promise<boolean> {
  const { merchantId, hash, reason, at } = input;
  return (await db.query(suppress, [merchantId, hash, reason, at])).length > 0;
}

/** Whether it was suppressed before. */
export async function allowAddress(
  db: Queryable,
  { merchantId, hash }: { readonly merchantId: string; readonly hash: string },
): Promise<boolean> {
  return (await db.query(allow, [merchantId, hash])).length > 0;
}
