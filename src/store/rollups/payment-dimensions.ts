import { winningOf } from '../views/amount-won.ts';

/**
 * When payment `p`, which was recovered, was: the time of its charge, since an incident of it that is opened or
 * resolved, or another report of its debt, changes the payment later.
 */
export const recoveredAt = `coalesce((select t.settled_at from ${winningOf('p')}), p.updated_at)`;

/**
 * Whether payment `p` is counted: a debt is one, under however many ids it was reported. A recovery that was joined to
 * another of its debt is none, unless its own charge was on its way by then and took the money.
 */
export const isCounted = (p: string): string =>
  `(${p}.joined_to is null or ${p}.state = 'recovered')`;

/** What of a payment is counted, for alias `p`, in the columns of rolled_up_payments. */
export const paymentDimensions = `
  p.merchant_id, p.invoice_id, (p.created_at at time zone 'UTC')::date as day, p.currency,
  coalesce(p.first_decline ->> 'category', 'review') as category,
  case when p.state in ('scheduled', 'attempting') then 'open' else p.state end as outcome,
  p.amount_minor, p.attempt_count as attempts,
  case when p.state = 'recovered'
       then date_trunc('hour', ${recoveredAt}, 'UTC') end as recovered_hour,
  case when p.state = 'scheduled' and p.due_action = 'attempt'
       then date_trunc('hour', p.next_attempt_at, 'UTC') end as due_hour`;
