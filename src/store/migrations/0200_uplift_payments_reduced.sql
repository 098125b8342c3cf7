-- outside a transaction
-- The recovered payments of which less was charged than had failed, since the merchant's answer asked for less: what the
-- overview takes off, so that its recovered money is what came in. Few rows, and none of the others costs an entry.
create index concurrently if not exists uplift_payments_reduced
  on uplift_payments (merchant_id, failed_at) where won_minor <> amount_minor;
