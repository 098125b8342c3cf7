-- Which of a method's updates counts: the one that was accepted last, not the one applied last. Two
-- batches of requests may be applied side by side, and one that broke off is applied again.

-- The number in the request log of the update that the row says; null for one that only a payment named.
alter table payment_methods add column last_sequence bigint;
