-- A session of the dashboard that was given for a personal token ends with it, so that whoever revokes a token that leaked has
-- closed every door that it opened. Null: it was given for the one token or a sign-in at a provider, or by a release from
-- before, which writes none and looks at its time and its operator alone. Tokens are never deleted, so no key holds them.
alter table operator_sessions add column token_id text;
