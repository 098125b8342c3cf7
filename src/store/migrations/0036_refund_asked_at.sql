-- When the refund of an incident that is under way was first asked of the PSP: where a PSP's record lags
-- behind, its "no such refund" says nothing until then.
alter table incidents
  add column refund_asked_at timestamptz,
  add constraint incidents_refund_asked check (state <> 'open' or refund_asked_at is null);
