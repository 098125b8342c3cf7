import type { CardMessageStore } from '../../recovery/messages/card-message-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { maxMessageError } from './message-writes.ts';

/**
 * The notice's row is held while it is looked at: it ends before, and nothing is sent, or after, when the customer has
 * been told. A payment that is reported in this moment is planned after it. The address is held as for other messages.
 */
const intended: Statement = {
  name: 'intend_card_message',
  text: `
    with held as (
      select * from (
        select t.merchant_id, t.payment_method_id, t.card_ends_at
        from card_messages t
        join card_notices n using (merchant_id, payment_method_id, card_ends_at)
        join customer_addresses a
          on a.merchant_id = t.merchant_id and a.customer_id = t.customer_id and a.address_hash = $7
        where t.merchant_id = $1 and t.payment_method_id = $2 and t.card_ends_at = $3 and t.fence = $4
          and t.next_look_at is not null and n.resolved_at is null
          and (t.state is null or (t.state = 'sending' and t.message_id = $5))
          and not exists (select from message_suppressions u
                          where u.merchant_id = t.merchant_id and u.address_hash = $7)
          and not exists (select from payments p
                          where p.merchant_id = t.merchant_id and p.customer_id = t.customer_id
                            and p.state in ('scheduled', 'attempting'))
        for share of n for key share of a for update of t
      ) locked offset 0
    )
    update card_messages t
    set message_id = $5, language = $6, address_hash = $7, state = 'sending', tries = t.tries + 1,
        unanswered = t.unanswered + 1, written_at = coalesce(t.written_at, $8)
    from held h
    where t.merchant_id = h.merchant_id and t.payment_method_id = h.payment_method_id
      and t.card_ends_at = h.card_ends_at
    returning true`,
};

/** `$6` is the outcome, `$9` when it is sent again; null: that was the last. */
const sent: Statement = {
  name: 'record_card_message',
  text: `
    with message as (
      update card_messages t
      set lease_until = null, held_by = null, last_error = $7,
          unanswered = case when $6::text = 'unclear' then t.unanswered else 0 end,
          state = case when $6 = 'sent' then 'sent' when $6 = 'refused' then 'refused'
                       when $9::timestamptz is null then 'given_up' else 'sending' end,
          ended_at = case when $9 is null then $8::timestamptz end,
          next_look_at = $9,
          end_reason = case when $9 is not null then null when $6 = 'sent' then 'enough'
                            when $6 = 'refused' then 'suppressed' else 'not_taken' end
      where t.merchant_id = $1 and t.payment_method_id = $2 and t.card_ends_at = $3 and t.fence = $4
        and t.message_id = $5 and t.state = 'sending'
      returning t.merchant_id, t.address_hash
    ),
    suppressed as (
      insert into message_suppressions (merchant_id, address_hash, reason, created_at)
      select merchant_id, address_hash, 'bounced', $8 from message
      where $6 = 'refused' and address_hash is not null
      on conflict (merchant_id, address_hash) do nothing
    )
    select 1`,
};

const told: Statement = {
  name: 'record_card_telling',
  text: `
    update card_messages t
    set lease_until = null, next_look_at = $5, held_by = $6, end_reason = $7,
        state = case when t.state = 'sending' and $7::text is not null then 'given_up' else t.state end,
        ended_at = case when t.state = 'sending' and $7 is not null then $8 else t.ended_at end,
        last_error = case when t.state = 'sending' and $7 is not null
                          then 'It is not to be sent any more: ' || $7 else t.last_error end
    where t.merchant_id = $1 and t.payment_method_id = $2 and t.card_ends_at = $3 and t.fence = $4`,
};

type Input<Name extends 'intend' | 'recordSend' | 'recordTelling'> = Parameters<
  CardMessageStore[Name]
>[0];

export async function intendCard(db: Queryable, input: Input<'intend'>): Promise<boolean> {
  const { messageId, language, addressHash, at } = input;
  const values = [...keyOf(input), messageId, language, addressHash, at];
  return (await db.query(intended, values)).length > 0;
}

export async function recordCardSend(db: Queryable, input: Input<'recordSend'>): Promise<void> {
  const { messageId, outcome, at, nextLookAt } = input;
  const detail = outcome.kind === 'sent' ? null : outcome.detail.slice(0, maxMessageError);
  await db.query(sent, [...keyOf(input), messageId, outcome.kind, detail, at, nextLookAt]);
}

export async function recordCardTelling(
  db: Queryable,
  input: Input<'recordTelling'>,
): Promise<void> {
  const { telling, at } = input;
  const [until, heldBy, end] =
    telling.kind === 'wait'
      ? [telling.until, telling.because, null]
      : [null, null, telling.because === 'payment_ended' ? 'notice_ended' : telling.because];
  await db.query(told, [...keyOf(input), until, heldBy, end, at]);
}

function keyOf({ card }: Pick<Input<'intend'>, 'card'>) {
  return [card.merchantId, card.paymentMethodId, card.cardEndsAt, card.fence];
}
