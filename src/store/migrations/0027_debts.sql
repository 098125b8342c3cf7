-- One debt has one recovery, by whatever names and channels it is reported. Each name of a debt stands
-- here once: whoever comes second with one of them joins the debt that has it.

-- kind: the merchant's or the PSP's id of the invoice as reports name it (`invoice`), the invoice that
-- lives at a PSP (`psp_invoice`), a charge at a PSP (`charge`), and subscription, amount and day of the
-- invoice (`period`). invoice_id is the payment's. mark: what a second report has to agree with before
-- the name counts as the same one. spent: two reports have met in it, so a third learns nothing of it.
create table debt_identities (
  merchant_id  text not null references merchants,
  kind         text not null check (kind in ('invoice', 'psp_invoice', 'charge', 'period')),
  value        text not null check (length(value) between 1 and 1024),
  invoice_id   text not null check (length(invoice_id) between 1 and 255),
  channel      text not null check (channel in ('merchant', 'psp')),
  mark         text check (length(mark) between 1 and 512),
  spent        boolean not null default false,
  created_at   timestamptz not null,
  primary key (merchant_id, kind, value)
);
-- The other names of a payment, to show them.
create index debt_identities_joined on debt_identities (merchant_id, invoice_id)
  where kind = 'invoice' and value <> invoice_id;

-- Names are claimed all or none: a batch that was overtaken by another is undone and read anew.
create function debt_claims_hold(claimed bigint, wanted integer) returns boolean
language plpgsql as $$
begin
  if claimed <> wanted then
    raise exception 'another report claimed a name of this debt meanwhile' using errcode = 'RC001';
  end if;
  return true;
end
$$;

alter table payments
  -- Who reported it first; the names are the merchant's own once it has reported the debt too.
  add column reported_by text not null default 'merchant' check (reported_by in ('merchant', 'psp')),
  -- The id that the merchant's server knows, where the PSP's report came first.
  add column merchant_invoice_id text check (length(merchant_invoice_id) between 1 and 255),
  -- Set where two recoveries turned out to be of one debt: the other one goes on.
  add column joined_to text check (joined_to <> invoice_id),
  -- Names that were learned while an attempt was open: taken over before the next one.
  add column learned_names jsonb,
  -- Whether the PSP was asked which of its invoices the failed charge belongs to.
  add column psp_invoice_state text not null default 'unasked'
    check (psp_invoice_state in ('unasked', 'none', 'known')),
  drop constraint payments_stop_reason_check,
  add constraint payments_stop_reason_check
    check (stop_reason in ('merchant_declined_retry', 'merchant_stop', 'invoice_not_found',
                           'recovered_elsewhere', 'invoice_closed', 'disputed', 'joined'));
create index payments_joined on payments (merchant_id, joined_to) where joined_to is not null;

-- Who reported, and the PSP's own invoice where it did.
alter table requests
  add column channel text not null default 'merchant' check (channel in ('merchant', 'psp')),
  add column psp_invoice_id text check (length(psp_invoice_id) between 1 and 255);

-- The payments so far, the earliest first: where two share a name, the first has it.
update payments set reported_by = 'psp' where psp_invoice_id = invoice_id;
update payments set psp_invoice_state = 'known' where psp_invoice_id is not null;

insert into debt_identities (merchant_id, kind, value, invoice_id, channel, created_at)
select merchant_id, 'invoice', invoice_id, invoice_id, reported_by, created_at
from payments order by created_at
on conflict do nothing;

insert into debt_identities (merchant_id, kind, value, invoice_id, channel, created_at)
select merchant_id, 'psp_invoice', psp || ':' || psp_invoice_id, invoice_id, 'psp', created_at
from payments where psp_invoice_id is not null order by created_at
on conflict do nothing;

insert into debt_identities (merchant_id, kind, value, invoice_id, channel, mark, created_at)
select t.merchant_id, 'charge', t.psp || ':' || t.psp_transaction_id, p.invoice_id, p.reported_by,
       t.customer_id || ' ' || t.amount_minor || ' ' || t.currency || ' '
         || floor(extract(epoch from t.occurred_at) * 1000)::bigint,
       p.created_at
from payments p join transactions t using (merchant_id, invoice_id)
where not t.success order by p.created_at
on conflict do nothing;
