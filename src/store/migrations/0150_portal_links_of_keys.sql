-- A link to a merchant's portal that the merchant's own server asked for, with an API key: it ends with that key, so that
-- whoever revokes a key that leaked has closed every door that it opened. Null: an operator made it. Keys are never
-- deleted, and a release from before writes null and looks at nothing but the time, as for links of operators.
alter table portal_links add column credential_id text;
alter table portal_links add constraint portal_links_credential_id
  check (length(credential_id) between 1 and 64) not valid;
