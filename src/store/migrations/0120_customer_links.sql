-- A signed link for each payment that waits for its customer, for merchants that have a page for them: the
-- address, with {token} in it, and what became of a link as the merchant's server tells it.

alter table merchants
  add column customer_page_url text,
  add constraint merchants_customer_page_url check (
    length(customer_page_url) between 9 and 2048 and customer_page_url like '%{token}%') not valid;

-- What a customer was told of a payment, and did; each line once, by the id of the request or message.
create table customer_contacts (
  merchant_id  text not null,
  contact_id   text not null check (length(contact_id) between 1 and 64),
  invoice_id   text not null,
  kind         text not null check (kind in (
    'message_sent', 'message_bounced', 'stopped', 'visited', 'outcome')),
  outcome      text check (outcome in ('payment_method_added', 'payment_method_updated',
    'authenticated', 'issuer_contacted', 'refused')),
  message_id   text check (length(message_id) between 1 and 64),
  at           timestamptz not null,
  primary key (merchant_id, contact_id),
  foreign key (merchant_id, invoice_id) references payments (merchant_id, invoice_id),
  constraint customer_contacts_outcome check ((kind = 'outcome') = (outcome is not null))
);
create index customer_contacts_invoice on customer_contacts (merchant_id, invoice_id, at);
