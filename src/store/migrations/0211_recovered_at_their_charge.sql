-- Money that came back is counted in the hour of its charge. Before, it was in the hour of its payment's last change,
-- so an incident that was opened or resolved later, as of a capture that failed, moved it from its day to another. What
-- is counted of such payments is put right here; they are few. Nobody counts meanwhile.
select 1 from rollup_progress where name = 'payments' for update;

with wrong as (
  select r.merchant_id, r.invoice_id, r.currency, r.amount_minor, r.recovered_hour as was,
         date_trunc('hour', t.settled_at, 'UTC') as hour
  from (select distinct merchant_id, invoice_id from incidents) i
  join rolled_up_payments r using (merchant_id, invoice_id)
  join psp_transactions t
    on t.merchant_id = r.merchant_id and t.invoice_id = r.invoice_id
      and t.state = 'succeeded' and not t.contradicts
  where r.recovered_hour <> date_trunc('hour', t.settled_at, 'UTC')
),
marked as (
  update rolled_up_payments r set recovered_hour = w.hour
  from wrong w where r.merchant_id = w.merchant_id and r.invoice_id = w.invoice_id
)
insert into recovered_rollups as r (merchant_id, hour, currency, payments, amount_minor)
select w.merchant_id, h.at, w.currency, sum(h.sign), sum(h.sign * w.amount_minor)
from wrong w cross join lateral (values (w.was, -1), (w.hour, 1)) as h (at, sign)
group by 1, 2, 3
on conflict (merchant_id, hour, currency) do update
set payments = r.payments + excluded.payments, amount_minor = r.amount_minor + excluded.amount_minor;
