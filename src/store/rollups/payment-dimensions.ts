/** What of a payment is counted, for alias `p`, in the columns of rolled_up_payments. */
export const paymentDimensions = `
  p.merchant_id, p.invoice_id, (p.created_at at time zone 'UTC')::date as day, p.currency,
  coalesce(p.first_decline ->> 'category', 'review') as category,
  case when p.state in ('scheduled', 'attempting') then 'open' else p.state end as outcome,
  p.amount_minor, p.attempt_count as attempts,
  case when p.state = 'recovered'
       then date_trunc('hour', p.updated_at, 'UTC') end as recovered_hour,
  case when p.state = 'scheduled' and p.due_action = 'attempt'
       then date_trunc('hour', p.next_attempt_at, 'UTC') end as due_hour`;
