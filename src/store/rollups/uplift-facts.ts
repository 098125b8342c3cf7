import { openOrLostStatuses } from '../disputes/status-lists.ts';
import { armOf } from '../reports/assignment.ts';
import { isCounted } from './payment-dimensions.ts';

/**
 * Groups of payers that are summed, and later resampled: a power of two, enough for intervals that keep
 * their coverage (docs/uplift.md) and few enough for a report over millions of payments to be a few
 * thousand rows.
 */
export const payerGroups = 64;

/** SQL of the Monday, UTC, of the week in which a time lies. */
export const weekOf = (time: string): string =>
  `date_trunc('week', ${time} at time zone 'UTC')::date`;

/** The columns of uplift_payments, in the order in which `upliftFacts` gives them. */
export const upliftColumns = `
  merchant_id, invoice_id, failed_at, currency, arm, payer_group, decline_class, method, amount_minor,
  won_minor, net_minor, won_after_ms, fees_micros, tries, learned_tries, explore_tries, holdout_tries,
  fallback_tries, won_by, is_open, is_paid, is_recovered, has_other_fees`;

/** The charges of a payment `p`, each looked up by its attempt: there are far more of any state, and of any merchant. */
const charges = `(
      select a.merchant_id, a.attempt_id from recorded_attempts a
      where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
      offset 0
    ) a
    cross join lateral (
      select o.merchant_id, o.state, o.psp, o.psp_transaction_id, o.idempotency_key, o.amount_minor, o.currency
      from psp_transactions o
      where o.merchant_id = a.merchant_id and o.attempt_id = a.attempt_id
      offset 0
    ) o`;

/** Of a payment `p` that was `tried`: what disputes hold of its charge, and the fees of all of them. */
const heldAndFees = `
  left join lateral (
    select least(max(o.amount_minor),
                 sum(case when d.currency = o.currency then d.amount_minor
                          else o.amount_minor end)) as minor
    from ${charges}
    cross join lateral (
      select d.merchant_id, d.psp, d.stage, d.status, d.currency, d.amount_minor from disputes d
      where d.payment_ids && array[o.psp_transaction_id]
      offset 0
    ) d
    where o.state = 'succeeded' and d.merchant_id = o.merchant_id and d.psp = o.psp and d.stage <> 'inquiry'
      and d.status in ${openOrLostStatuses}
  ) held on tried.won_minor is not null
  left join lateral (
    select sum(f.amount_micros) filter (where f.currency = p.currency) as micros,
           bool_or(f.currency <> p.currency) as is_other
    from ${charges}
    cross join lateral (
      select f.currency, f.amount_micros from network_fees f
      where f.merchant_id = o.merchant_id and f.charge_ref = o.idempotency_key and f.kind = 'expected'
      offset 0
    ) f
    where o.state <> 'not_made'
  ) fees on true`;

/**
 * What of a payment is counted, of the payments that `touched` names by merchant_id and invoice_id; of one that was
 * joined to another payment of its debt, nothing. What
 * disputes hold of a charge, open ones too, is taken off as `sum_net_recovery` has it; a card is told
 * by the method that failed first. `offset 0` keeps each look an index look, and takes what is needed
 * out of documents before the joins. A look asks for its whole key and nothing else: before PostgreSQL has
 * analysed a table that was just filled or restored, it takes a partial index for the smaller one, and reads all of it.
 */
export const upliftFacts = (touched: string): string => `
  select p.merchant_id, p.invoice_id, p.failed_at, p.currency, p.arm, p.payer_group, p.decline_class,
         coalesce(m.method, 'unknown unknown') as method, p.amount_minor, tried.won_minor,
         coalesce(tried.won_minor - least(tried.won_minor, coalesce(held.minor, 0)), 0)::bigint
           as net_minor,
         (extract(epoch from tried.won_at - p.failed_at) * 1000)::bigint as won_after_ms,
         coalesce(fees.micros, 0)::bigint as fees_micros, p.tries,
         tried.learned_tries, tried.explore_tries, tried.holdout_tries, tried.fallback_tries,
         tried.won_by, p.is_open, p.is_paid, p.is_recovered,
         coalesce(fees.is_other, false) as has_other_fees
  from ${touched} t
  cross join lateral (
    select p.merchant_id, p.invoice_id, p.payment_method_ids[1] as method_id, p.failed_at, p.currency,
           ${armOf('p')} as arm,
           (hashtextextended(p.merchant_id || '/' || p.customer_id, 0) & ${payerGroups - 1})::smallint
             as payer_group,
           coalesce(p.first_decline ->> 'category', 'unknown') as decline_class,
           p.amount_minor, p.attempt_count as tries,
           p.state in ('scheduled', 'attempting') as is_open,
           p.state = 'stopped' and p.stop_reason = 'recovered_elsewhere' as is_paid,
           p.state = 'recovered' as is_recovered
    from payments p
    where p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id and ${isCounted('p')}
    offset 0
  ) p
  left join lateral (
    select coalesce(lower(m.scheme), 'unknown') || ' ' || coalesce(lower(m.funding_source), 'unknown')
             as method
    from payment_methods m
    where m.merchant_id = p.merchant_id and m.payment_method_id = p.method_id
    offset 0
  ) m on true
  cross join lateral (
    select (count(*) filter (where a.arm = 'learned'))::smallint as learned_tries,
           (count(*) filter (where a.arm = 'explore'))::smallint as explore_tries,
           (count(*) filter (where a.arm = 'holdout'))::smallint as holdout_tries,
           (count(*) filter (where a.arm = 'fallback'))::smallint as fallback_tries,
           max(a.arm) filter (where a.is_won
             and a.arm in ('learned', 'explore', 'holdout', 'fallback')) as won_by,
           max(a.amount_minor) filter (where a.is_won) as won_minor,
           max(a.ended_at) filter (where a.is_won) as won_at
    from (
      select a.state, a.amount_minor, a.ended_at, a.decision ->> 'arm' as arm,
             a.state = 'succeeded' and not a.contradicts as is_won
      from recorded_attempts a
      where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
        and a.state in ('succeeded', 'declined')
      offset 0
    ) a
  ) tried
  ${heldAndFees}`;

/** What of a payment belongs to which arm of an experiment, for an alias of uplift_payments. */
export const armsOf = (payment: string): string => {
  const tries = ['learned', 'explore', 'holdout', 'fallback'].map(
    (arm) =>
      `('${arm}', 0, 0, ${payment}.${arm}_tries, (${payment}.won_by is not distinct from '${arm}')::int)`,
  );
  return `
    select * from (values
      (${payment}.arm, 1, ${payment}.is_recovered::int, 0, 0),
      ${tries.join(', ')}
    ) as v (arm, payments, recovered, tries, succeeded)
    where tries > 0 or payments > 0 and arm <> 'none'`;
};
