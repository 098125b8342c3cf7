import type { ChargedCard } from '../../domain/network-rules/card-attempt.ts';
import type { LearnCard } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { cardKey, fingerprintKey } from './card-history.ts';

/** What a charge told of the card behind a method. */
export interface LearnedCard {
  readonly merchantId: string;
  readonly paymentMethodId: string;
  readonly psp: string;
  readonly card: ChargedCard;
  /** When the charge was made: what an older charge tells does not replace what a newer one told. */
  readonly at: Date;
}

const oldKey = cardKey({ m: 'm', psp: 'i.psp', paymentMethodId: 'i.method' });
/** Whether the fingerprint that is told is the newest. */
const isNewest = `(i.fingerprint is not null
                   and (m.fingerprint_at is null or m.fingerprint_at <= i.at))`;

/**
 * The parts that change the charges so far of one of the tables that hold them, whose rows have this key.
 *
 * @param movedAway what else is set of a charge that goes to another card
 */
function changedOf(
  table: 'card_attempts' | 'psp_transactions',
  key: readonly string[],
  movedAway = '',
): string {
  const columns = ['merchant_id', ...key];
  return `${table}_before as (
      select ${columns.map((column) => `a.${column}`).join(', ')}, h.form, h.old_key, h.is_first_form,
             h.is_replaced and a.card_key = h.method_key as is_moved
      from held h
      cross join lateral (
        select * from ${table} c
        where c.merchant_id = h.merchant_id and c.payment_method_id = h.method
          and c.card_key = any (array[h.old_key, h.method_key,
                                      'fingerprint:' || h.psp || ':' || h.fingerprint])
        for update skip locked
      ) a
      where h.is_replaced or h.is_first_form
    ),
    ${table}_changed as (
      update ${table} a
      set card_key = case when b.is_moved then b.old_key else a.card_key end,${movedAway}
          credential = case when b.is_first_form then b.form else a.credential end
      from ${table}_before b
      where ${columns.map((column) => `a.${column} = b.${column}`).join(' and ')}
        and (b.is_moved or b.is_first_form and a.credential <> b.form)
    )`;
}

/**
 * Notes what charges told of their cards. A method whose name of its card changes brings its charges
 * along: those under its own id stay there, and are read with every card of its fingerprint. The
 * versions of the old name and of the new one rise, so that each charge which was judged on the
 * history of one of them is judged again on the whole.
 *
 * Where another fingerprint takes the place of one, the charges under the method's own id were of the
 * old card, and go to it. A credential's form that is told for the first time holds for the charges
 * so far, which were counted as of a number for want of better. A row that is being answered just
 * then is left as it is: to wait for it here would be to lock in the wrong order.
 *
 * Methods are locked before payments, and those before cards, here and wherever several are, each
 * looked up by its key: joined, the planner would read whole tables. Gives the methods that are not
 * known yet.
 */
const learn: Statement = {
  name: 'learn_cards',
  text: `
    with input as (
      select distinct on (merchant_id, method) *
      from json_to_recordset($1::json) as i (
        merchant_id text, method text, psp text, fingerprint text, network text, form text,
        at timestamptz)
      order by merchant_id, method, at desc
    ),
    held as (
      select i.*, ${isNewest} as is_newest,
             i.psp || ':' || i.method as method_key, ${oldKey} as old_key,
             m.fingerprint is not null and ${isNewest}
               and m.fingerprint <> i.fingerprint as is_replaced,
             m.credential_form is null and i.form is not null as is_first_form
      from input i
      cross join lateral (
        select * from payment_methods m
        where m.merchant_id = i.merchant_id and m.payment_method_id = i.method
          and (${isNewest} and (m.fingerprint is distinct from i.fingerprint
                                or m.fingerprint_at < i.at)
            or m.credential_form is distinct from coalesce(i.form, m.credential_form)
            or m.scheme is distinct from coalesce(i.network, m.scheme))
        for update
      ) m
    ),
    judged_anew as (
      insert into cards as c (merchant_id, card_key, version)
      select distinct h.merchant_id, k.card_key, 1
      from held h
      cross join lateral unnest(array[
        h.old_key,
        case when h.is_newest then 'fingerprint:' || h.psp || ':' || h.fingerprint
             else h.old_key end]) as k (card_key)
      order by 1, 2
      on conflict (merchant_id, card_key) do update set version = c.version + 1
    ),
    told as (
      update payment_methods m
      set fingerprint = case when h.is_newest then h.fingerprint else m.fingerprint end,
          fingerprint_at = case when h.is_newest then h.at else m.fingerprint_at end,
          credential_form = coalesce(h.form, m.credential_form),
          scheme = coalesce(h.network, m.scheme), psp = coalesce(m.psp, h.psp), updated_at = $2
      from held h
      where m.merchant_id = h.merchant_id and m.payment_method_id = h.method
    ),
    ${changedOf('card_attempts', ['charge_ref'])},
    -- The other card's turns are others.
    ${changedOf(
      'psp_transactions',
      ['attempt_id', 'ordinal'],
      'card_turn = case when not b.is_moved then a.card_turn end,',
    )}
    select i.merchant_id, i.method from input i
    where not exists (select from payment_methods m
                      where m.merchant_id = i.merchant_id and m.payment_method_id = i.method)`,
};

/**
 * The charge that told a fingerprint is of that card, though it was begun when its method stood for another one. Under
 * the method's own id it stays, if no other fingerprint has its charges. Cards come before the charge, which is
 * left as it is where somebody holds it, as above.
 */
const nameCharge: Statement = {
  name: 'name_charged_card',
  text: `
    with charge as materialized (
      select t.merchant_id, t.attempt_id, t.ordinal, t.card_key
      from psp_transactions t
      where t.merchant_id = $1 and t.idempotency_key = $2 and t.state <> 'not_made'
        and t.card_key <> $5
        and (t.card_key <> $6 or exists (
          select from payment_methods m
          where m.merchant_id = $1 and m.payment_method_id = $3 and m.fingerprint <> $4))
    ),
    judged_anew as (
      insert into cards as c (merchant_id, card_key, version)
      select c.merchant_id, k.card_key, 1
      from charge c cross join lateral unnest(array[c.card_key, $5]) as k (card_key)
      order by 1, 2
      on conflict (merchant_id, card_key) do update set version = c.version + 1
      returning 1
    ),
    held as (
      select t.* from charge c
      cross join lateral (
        select o.merchant_id, o.attempt_id, o.ordinal from psp_transactions o
        where o.merchant_id = c.merchant_id and o.attempt_id = c.attempt_id and o.ordinal = c.ordinal
          and (select count(*) from judged_anew) > 0
        for update skip locked
      ) t
    )
    update psp_transactions t
    -- The other card's turns are others.
    set card_key = $5, card_turn = null
    from held h
    where t.merchant_id = h.merchant_id and t.attempt_id = h.attempt_id and t.ordinal = h.ordinal`,
};

/** A method that only the final check's answer named. */
const addMethod: Statement = {
  name: 'add_charged_method',
  text: `
    insert into payment_methods (merchant_id, payment_method_id, customer_id, psp, state, created_at,
      updated_at)
    values ($1, $2, $3, $4, 'active', $5, $5)
    on conflict (merchant_id, payment_method_id) do nothing`,
};

/** Notes what a charge of the engine told of its card; its method is added where it is not known. */
export async function learnCard(db: Queryable, input: LearnCard): Promise<void> {
  const { merchantId, paymentMethodId, customerId, psp, card, idempotencyKey, now } = input;
  if (card.fingerprint !== undefined) {
    const told = [card.fingerprint, fingerprintKey(psp, card.fingerprint)];
    const values = [merchantId, idempotencyKey, paymentMethodId, ...told];
    // Before the method's own: who dies in between is told again by the next charge.
    await db.query(nameCharge, [...values, `${psp}:${paymentMethodId}`]);
  }
  if ((await learnCards(db, [input], now)) === 0) return;
  await db.query(addMethod, [merchantId, paymentMethodId, customerId, psp, now]);
  await learnCards(db, [input], now);
}

/** How many of the methods are not known; `now` is when it is noted. */
export async function learnCards(
  db: Queryable,
  learned: readonly LearnedCard[],
  now: Date,
): Promise<number> {
  if (learned.length === 0) return 0;
  const input = learned.map(({ merchantId, paymentMethodId, psp, card, at }) => ({
    merchant_id: merchantId,
    method: paymentMethodId,
    psp,
    fingerprint: card.fingerprint,
    network: card.network,
    form: card.credentialForm,
    at,
  }));
  return (await db.query(learn, [JSON.stringify(input), now])).length;
}
