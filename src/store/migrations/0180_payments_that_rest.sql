-- Since when a payment rests that was put back from the archive, or that the archive left where it is when its turn had
-- come. Such a payment has not changed, so nothing in the order of changes ever comes to it again: the archive comes to
-- it by this. Empty for all others, and again once it is packed.
alter table payments add column rests_since timestamptz;
