import { dayMs } from '../../domain/clock.ts';
import { limits } from '../../domain/limits.ts';
import { unlessLeft } from '../moving/unless-moved.ts';

/**
 * Charges that are older have perhaps been trimmed from cards' histories: a day less than they are kept,
 * and another one for how long a check may take.
 */
const trimmedAfterDays = limits.historyMs / dayMs - 2;

/** A promise of the engine, counted over some invoices. */
export interface Promised {
  readonly name: string;
  readonly promise: string;
  /**
   * A scalar: the breaches among `p`, `a`, `t` and `e`, the rows of these invoices, `t` with the check and terms of its
   * attempt; `$5` the day of the check.
   */
  readonly text: string;
}

const twice = (rows: string, states: string): string => `
  select count(*) from (
    select from ${rows} where state in (${states})
    group by merchant_id, invoice_id having count(*) > 1
  ) twice`;

/** Successes whose money was not given back by the refund of an incident. */
const kept = `
  select * from t
  where state = 'succeeded' and not exists (
    select from incidents i
    where i.merchant_id = t.merchant_id and i.invoice_id = t.invoice_id
      and i.charge = t.idempotency_key and i.state = 'refunded')`;

/** Whether rows `row` are of a payment whose webhooks are in the archive. */
const isArchived = (row: string): string => `
  exists (
    select from p
    where p.merchant_id = ${row}.merchant_id and p.invoice_id = ${row}.invoice_id
      and p.archived_at is not null)`;

const chargePromises: readonly Promised[] = [
  {
    name: 'one_success_per_invoice',
    promise: 'No invoice is charged successfully twice, unless one was refunded.',
    text: twice(`(${kept}) s`, `'succeeded'`),
  },
  {
    name: 'no_unresolved_contradiction',
    promise: 'No charge contradicts the record without a person having decided what becomes of it.',
    text: `
      select count(*) from t
      where t.contradicts and not exists (
        select from incidents i
        where i.merchant_id = t.merchant_id and i.invoice_id = t.invoice_id
          and i.charge = t.idempotency_key and i.state in ('refunded', 'dismissed'))
        -- Decided in the other cell, where the merchant has moved there.
        ${unlessLeft('t')}`,
  },
  {
    name: 'one_open_attempt_per_invoice',
    promise: 'No invoice has two attempts on their way.',
    text: twice('a', `'checking', 'charging', 'unknown'`),
  },
  {
    name: 'one_charge_in_flight_per_invoice',
    promise: 'No invoice has two charges on their way.',
    text: twice('t', `'sending', 'unknown'`),
  },
  {
    name: 'no_charge_without_yes',
    promise: "Every charge follows the merchant's yes to its attempt, and never exceeds it.",
    text: `
      select count(*) from t
      where (yes ->> 'retry') is distinct from 'true'
         or (amount_minor <= asked_minor) is not true
         or currency is distinct from asked_currency
         or sent_at < started_at`,
  },
  {
    name: 'charges_are_counted',
    promise:
      "Every charge that was made, or may have been, stands once in its card's history, as it ended.",
    text: `
      select count(*) from t
      left join card_attempts c
        on c.merchant_id = t.merchant_id and c.charge_ref = t.idempotency_key and c.origin = 'own'
      where (t.card_key is not null and c.charge_ref is not null)
        or t.state <> 'not_made' and t.card_key is null and c.outcome is distinct from case t.state
              when 'sending' then 'sent' when 'unknown' then 'sent'
              when 'succeeded' then 'approved' when 'declined' then 'declined' end
        and not (c.charge_ref is null and t.state in ('declined', 'succeeded')
                 and t.sent_at < ($5::date::timestamp at time zone 'UTC')
                                 - interval '${trimmedAfterDays} days')`,
  },
  {
    name: 'captured_within_owed',
    promise: 'What was charged for an invoice is never more than what is owed.',
    text: `
      select count(*) from (
        select from (${kept}) s join p using (merchant_id, invoice_id)
        group by p.merchant_id, p.invoice_id, p.amount_minor
        having sum(s.amount_minor) > p.amount_minor or bool_or(s.currency <> p.currency)
      ) over_owed`,
  },
];

export const deliveredPromise: Omit<Promised, 'text'> = {
  name: 'events_are_delivered_or_on_their_way',
  promise: 'Every webhook has a delivery that is delivered, pending or given up.',
};

const outcomePromises: readonly Promised[] = [
  {
    name: 'recovered_is_charged',
    promise: 'A payment is recovered exactly when one of its attempts succeeded.',
    text: `
      select count(*) from p
      full join (
        select distinct merchant_id, invoice_id from a where state = 'succeeded'
      ) s using (merchant_id, invoice_id)
      where (p.state is not distinct from 'recovered') <> (s.invoice_id is not null)`,
  },
  {
    name: 'one_event_per_result',
    promise: 'Every attempt that reached the PSP has exactly one result webhook, others none.',
    text: `
      select count(*) from (
        select count(r.event_id) as events,
               case when a.state in ('succeeded', 'declined') then 1 else 0 end as owed
        from (select * from a where not ${isArchived('a')}) a
        full join (
          select * from e where type = 'retry_result' and not is_late and not ${isArchived('e')}
        ) r using (merchant_id, attempt_id)
        group by merchant_id, attempt_id, a.state
      ) counted
      where events <> owed`,
  },
  {
    name: 'events_tell_what_was_charged',
    promise: 'A webhook tells of a success exactly where there is one, with its amount.',
    text: `
      select count(distinct (merchant_id, attempt_id)) from (
        select distinct e.merchant_id, e.attempt_id, told.currency, told.amount_minor, true as is_told
        from e cross join lateral told_success(e.body) told
        where e.type = 'retry_result' and not ${isArchived('e')}
      ) told
      full join (
        select distinct merchant_id, attempt_id, currency, amount_minor, true as is_charged
        from t where state = 'succeeded' and not ${isArchived('t')}
      ) s using (merchant_id, attempt_id, currency, amount_minor)
      where is_told is null or is_charged is null`,
  },
  {
    ...deliveredPromise,
    text: `
      select count(*) from e left join deliveries d using (merchant_id, event_id)
      where d.event_id is null or d.state not in ('delivered', 'pending', 'exhausted')
         or (d.state = 'pending' and d.set_aside_at is null) <> (d.next_attempt_at is not null)`,
  },
];

const workPromises: readonly Promised[] = [
  {
    name: 'final_payments_are_idle',
    promise: 'A payment that has ended has no work due and no attempt open.',
    text: `
      select count(*) from p
      where p.state in ('recovered', 'stopped', 'exhausted')
        and (p.next_attempt_at is not null or p.lease_until is not null
             or exists (
               select from a
               where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
                 and a.state in ('checking', 'charging', 'unknown')))`,
  },
  {
    name: 'open_payments_are_not_forgotten',
    promise:
      'An open payment has work due, an unknown charge, a request still to be applied, or waits for a ' +
      'person.',
    text: `
      select count(*) from p
      where p.state in ('scheduled', 'attempting') and p.next_attempt_at is null
        and p.frozen_at is null and p.set_aside_at is null
        and not exists (
          select from t
          where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
            and t.state = 'unknown')
        and not exists (
          select from requests r
          where r.merchant_id = p.merchant_id and r.state = 'accepted'
            and r.body #>> '{invoice,id}' = p.invoice_id)`,
  },
];

/** The promises that rows of one invoice keep, each counted without trusting the constraints. */
export const invoicePromises: readonly Promised[] = [
  ...chargePromises,
  ...outcomePromises,
  ...workPromises,
];

export const sequencePromise: Omit<Promised, 'text'> = {
  name: 'event_sequences_without_gaps',
  promise: "A merchant's webhooks are numbered without gaps, up to its counter.",
};

export const keptPromise: Omit<Promised, 'text'> = {
  name: 'totals_are_kept',
  promise: 'The totals of days that are over are those of a full count.',
};

/** Everything that a whole check counts, in the order in which it is shown. */
export const checkedPromises: readonly Omit<Promised, 'text'>[] = [
  ...invoicePromises,
  sequencePromise,
  keptPromise,
];
