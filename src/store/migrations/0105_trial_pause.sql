-- A learned policy that lost its trial began the next one at the next look, since a model is there: it
-- cost a tenth of its difference again and again. From here on it waits, longer after each trial that it
-- lost, unless something else would be tried: another part of a model, or what an operator made active.

alter table merchants
  -- Trials lost in a row since the policy is as it is.
  add column learned_failed_trials int not null default 0,
  -- The part of the model that lost the last one.
  add column learned_failed_use text,
  add constraint merchants_failed_trials check (learned_failed_trials >= 0) not valid,
  add constraint merchants_failed_use check (length(learned_failed_use) <= 40) not valid;

alter table models
  -- Who made it active the last time; null before this was kept, and of the shipped one.
  add column activated_by text,
  add constraint models_activated_by check (activated_by in ('operator', 'training')) not valid;
