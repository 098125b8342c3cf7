-- What becomes of a refund that was asked for an incident, as the PSP tells it by webhook. A refund that
-- failed opens its incident again; the next one has another key.
alter table incidents
  add column failed_refunds integer not null default 0 check (failed_refunds >= 0);
create index incidents_charge on incidents
  (merchant_id, psp, (coalesce(theirs ->> 'psp_transaction_id', ours ->> 'psp_transaction_id')));

alter table psp_events
  drop constraint psp_events_kind_check,
  add constraint psp_events_kind_check
    check (kind in ('billing_attempt', 'payment_method_updates', 'charge_settled', 'refund_settled',
                    'invoice_closed', 'dispute', 'not_used')),
  drop constraint psp_events_outcome_check,
  add constraint psp_events_outcome_check
    check (outcome in ('accepted', 'unusable', 'charge_settled', 'refund_settled', 'already_settled',
                       'charge_unknown', 'contradiction', 'recovery_stopped', 'nothing_to_stop',
                       'dispute_kept', 'nothing_to_do'));
