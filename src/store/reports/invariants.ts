import type { InvariantView } from '../../recovery/operator-api.ts';
import type { Queryable } from '../database.ts';

interface Invariant {
  readonly name: string;
  readonly promise: string;
  /** One row with `breaches`; a single statement, so that it sees one moment. */
  readonly text: string;
}

const twice = (table: string, states: string): string => `
  select count(*)::int as breaches from (
    select from ${table} where state in (${states})
    group by merchant_id, invoice_id having count(*) > 1
  ) twice`;

/**
 * The promises of the engine, each counted over all that is stored. Constraints keep several of
 * them already: these counts do not trust the constraints either.
 */
const invariants: readonly Invariant[] = [
  {
    name: 'one_success_per_invoice',
    promise: 'No invoice is charged successfully twice.',
    text: twice('psp_transactions', `'succeeded'`),
  },
  {
    name: 'one_open_attempt_per_invoice',
    promise: 'No invoice has two attempts on their way.',
    text: twice('attempts', `'checking', 'charging', 'unknown'`),
  },
  {
    name: 'one_charge_in_flight_per_invoice',
    promise: 'No invoice has two charges on their way.',
    text: twice('psp_transactions', `'sending', 'unknown'`),
  },
  {
    name: 'no_charge_without_yes',
    promise: "Every charge follows the merchant's yes to its attempt, and never exceeds it.",
    text: `
      select count(*)::int as breaches from psp_transactions t
      join attempts a on a.merchant_id = t.merchant_id and a.attempt_id = t.attempt_id
      where (a.check_answer ->> 'retry') is distinct from 'true'
         or (t.amount_minor <= a.amount_minor) is not true
         or t.currency is distinct from a.currency
         or t.sent_at < a.started_at`,
  },
  {
    name: 'charges_are_counted',
    promise:
      "Every charge that was made, or may have been, stands in its card's history as it ended.",
    text: `
      select count(*)::int as breaches from psp_transactions t
      full join (select * from card_attempts where origin = 'own') c
        on c.merchant_id = t.merchant_id and c.charge_ref = t.idempotency_key
      where c.outcome is distinct from case t.state
              when 'sending' then 'sent' when 'unknown' then 'sent'
              when 'succeeded' then 'approved' when 'declined' then 'declined' end`,
  },
  {
    name: 'captured_within_owed',
    promise: 'What was charged for an invoice is never more than what is owed.',
    text: `
      select count(*)::int as breaches from (
        select from psp_transactions t
        join payments p on p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id
        where t.state = 'succeeded'
        group by p.merchant_id, p.invoice_id
        having sum(t.amount_minor) > p.amount_minor or bool_or(t.currency <> p.currency)
      ) over_owed`,
  },
  {
    name: 'recovered_is_charged',
    promise: 'A payment is recovered exactly when one of its attempts succeeded.',
    text: `
      select count(*)::int as breaches from payments p
      full join (
        select distinct merchant_id, invoice_id from attempts where state = 'succeeded'
      ) a on a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
      where (p.state is not distinct from 'recovered') <> (a.invoice_id is not null)`,
  },
  {
    name: 'one_event_per_result',
    promise: 'Every attempt that reached the PSP has exactly one retry_result event, others none.',
    text: `
      select count(*)::int as breaches from (
        select count(e.event_id) as events,
               case when a.state in ('succeeded', 'declined') then 1 else 0 end as owed
        from attempts a
        full join (select * from events where type = 'retry_result') e
          on e.merchant_id = a.merchant_id and e.attempt_id = a.attempt_id
        group by coalesce(a.merchant_id, e.merchant_id), coalesce(a.attempt_id, e.attempt_id),
                 a.state
      ) counted
      where events <> owed`,
  },
  {
    name: 'events_are_delivered_or_on_their_way',
    promise: 'Events created = deliveries delivered + pending + exhausted.',
    text: `
      select count(*)::int as breaches from events e
      full join deliveries d on d.merchant_id = e.merchant_id and d.event_id = e.event_id
      where e.event_id is null or d.event_id is null
         or d.state not in ('delivered', 'pending', 'exhausted')
         or (d.state = 'pending') <> (d.next_attempt_at is not null)`,
  },
  {
    name: 'event_sequences_without_gaps',
    promise: "A merchant's events are numbered without gaps, up to its counter.",
    text: `
      select coalesce(sum(abs(coalesce(c.last_sequence, 0) - coalesce(e.first - 1, 0)
                              - coalesce(e.events, 0))), 0)::int as breaches
      from event_counters c
      full join (
        select merchant_id, count(*) as events, min(sequence) as first
        from events group by merchant_id
      ) e on e.merchant_id = c.merchant_id`,
  },
  {
    name: 'final_payments_are_idle',
    promise: 'A payment that has ended has no work due and no attempt open.',
    text: `
      select count(*)::int as breaches from payments p
      where p.state in ('recovered', 'stopped', 'exhausted')
        and (p.next_attempt_at is not null or p.lease_until is not null
             or exists (
               select from attempts a
               where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
                 and a.state in ('checking', 'charging', 'unknown')))`,
  },
  {
    name: 'open_payments_are_not_forgotten',
    promise: 'An open payment has work due, an unknown charge, or a request still to be applied.',
    text: `
      select count(*)::int as breaches from payments p
      where p.state in ('scheduled', 'attempting') and p.next_attempt_at is null
        and not exists (
          select from psp_transactions t
          where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
            and t.state = 'unknown')
        and not exists (
          select from requests r
          where r.merchant_id = p.merchant_id and r.state = 'accepted'
            and r.body #>> '{invoice,id}' = p.invoice_id)`,
  },
];

/** Every promise with its count of breaches; each count is of one moment, one after the other. */
export async function checkInvariants(db: Queryable): Promise<readonly InvariantView[]> {
  const views: InvariantView[] = [];
  for (const { name, promise, text } of invariants) {
    const [row] = await db.query<{ breaches: number }>({ name: `invariant_${name}`, text }, []);
    views.push({ name, promise, breaches: row?.breaches ?? 0 });
  }
  return views;
}
