-- A fingerprint is said by a charge, and holds from then on. Where the merchant reports a change of
-- the method later than that, the card behind it may be another one until the next charge tells: the
-- old card's bans must not close it for good, since no charge could ever tell then.
alter table payment_methods
  add column fingerprint_at timestamptz;
update payment_methods set fingerprint_at = updated_at where fingerprint is not null;
alter table payment_methods
  add constraint payment_methods_fingerprints_have_times
    check ((fingerprint is null) = (fingerprint_at is null));
