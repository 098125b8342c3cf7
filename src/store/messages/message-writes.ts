import type { MessageStore } from '../../recovery/messages/message-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * The payment's row is held while its state is looked at: a retry of it is planned before, and nothing is
 * sent, or after, when the customer has been told. So is the address: an erasure that comes first leaves nothing to
 * write to, and one that comes after finds the message.
 */
const intended: Statement = {
  name: 'intend_customer_message',
  text: `
    with held as (
      select * from (
        select t.merchant_id, t.invoice_id
        from message_threads t
        join payments p using (merchant_id, invoice_id)
        join customer_addresses a
          on a.merchant_id = t.merchant_id and a.customer_id = t.customer_id and a.address_hash = $8
        where t.merchant_id = $1 and t.invoice_id = $2 and t.fence = $3
          and t.next_look_at is not null and p.state = 'scheduled' and p.due_action = 'expire'
          and p.frozen_at is null and p.set_aside_at is null
          and not exists (select from message_suppressions u
                          where u.merchant_id = t.merchant_id and u.address_hash = $8)
        for share of p for key share of a for update of t
      ) locked offset 0
    ),
    begun as (
      insert into customer_messages as m (merchant_id, message_id, invoice_id, number, reason,
        language, state, tries, unanswered, address_hash, created_at)
      select h.merchant_id, $4, h.invoice_id, $5, $6, $7, 'sending', 1, 1, $8, $9
      from held h
      on conflict (merchant_id, invoice_id, number) do update
      set tries = m.tries + 1, unanswered = m.unanswered + 1
      where m.state = 'sending' and m.message_id = excluded.message_id
      returning m.merchant_id, m.invoice_id, m.number
    )
    update message_threads t set sent = b.number, last_sent_at = $9
    from begun b
    where t.merchant_id = b.merchant_id and t.invoice_id = b.invoice_id
    returning true`,
};

/** `$5` is the outcome, `$8` whether it is not sent again. One that was refused ends its thread. */
const sent: Statement = {
  name: 'record_customer_message',
  text: `
    with held as (
      select * from (
        select merchant_id, invoice_id from message_threads
        where merchant_id = $1 and invoice_id = $2 and fence = $3
        for update
      ) locked offset 0
    ),
    message as (
      update customer_messages m
      set state = case when $5::text = 'sent' then 'sent' when $5 = 'refused' then 'refused'
                       when $8::boolean then 'given_up' else 'sending' end,
          ended_at = case when $5 in ('sent', 'refused') or $8 then $7::timestamptz end,
          unanswered = case when $5 = 'unclear' then m.unanswered else 0 end,
          last_error = $6
      from held h
      where m.merchant_id = h.merchant_id and m.message_id = $4 and m.state = 'sending'
      returning m.merchant_id, m.invoice_id, m.message_id, m.address_hash
    ),
    suppressed as (
      insert into message_suppressions (merchant_id, address_hash, reason, created_at)
      select merchant_id, address_hash, 'bounced', $7 from message
      where $5 = 'refused' and address_hash is not null
      on conflict (merchant_id, address_hash) do nothing
    ),
    told as (
      insert into customer_contacts (merchant_id, contact_id, invoice_id, kind, message_id, at)
      select merchant_id, message_id, invoice_id,
             case when $5 = 'sent' then 'message_sent' else 'message_bounced' end, message_id, $7
      from message where $5 in ('sent', 'refused')
      on conflict (merchant_id, contact_id) do nothing
    )
    update message_threads t
    set lease_until = null, held_by = null,
        next_look_at = case when $5 = 'refused' then null else $9::timestamptz end,
        end_reason = case when $5 = 'refused' then 'suppressed' end
    from held h where t.merchant_id = h.merchant_id and t.invoice_id = h.invoice_id`,
};

const told: Statement = {
  name: 'record_message_telling',
  text: `
    with held as (
      update message_threads
      set lease_until = null, next_look_at = $4, held_by = $5, end_reason = $6
      where merchant_id = $1 and invoice_id = $2 and fence = $3
      returning merchant_id, invoice_id
    )
    update customer_messages m
    set state = case when $6::text is null then m.state else 'given_up' end,
        ended_at = case when $6::text is null then m.ended_at else $7 end,
        last_error = case when $6::text is null then m.last_error
                          else 'It is not to be sent any more: ' || $6 end
    from held h
    where m.merchant_id = h.merchant_id and m.invoice_id = h.invoice_id and m.state = 'sending'`,
};

export async function intend(
  db: Queryable,
  input: Parameters<MessageStore['intend']>[0],
): Promise<boolean> {
  const { thread, messageId, number, reason, language, addressHash, at } = input;
  const { merchantId, invoiceId, fence } = thread;
  const values = [merchantId, invoiceId, fence, messageId, number, reason, language, addressHash];
  return (await db.query(intended, [...values, at])).length > 0;
}

export const maxMessageError = 500;

export async function recordSend(
  db: Queryable,
  input: Parameters<MessageStore['recordSend']>[0],
): Promise<void> {
  const { thread, messageId, outcome, at, givesUp, nextLookAt } = input;
  const { merchantId, invoiceId, fence } = thread;
  const detail = outcome.kind === 'sent' ? null : outcome.detail.slice(0, maxMessageError);
  const values = [merchantId, invoiceId, fence, messageId, outcome.kind, detail, at];
  await db.query(sent, [...values, givesUp, nextLookAt]);
}

export async function recordTelling(
  db: Queryable,
  input: Parameters<MessageStore['recordTelling']>[0],
): Promise<void> {
  const { thread, telling, at } = input;
  const { merchantId, invoiceId, fence } = thread;
  const isWait = telling.kind === 'wait';
  await db.query(told, [
    merchantId,
    invoiceId,
    fence,
    isWait ? telling.until : null,
    isWait ? telling.because : null,
    isWait ? null : telling.because,
    at,
  ]);
}
