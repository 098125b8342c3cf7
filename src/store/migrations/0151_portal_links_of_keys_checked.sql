-- The check of the migration before holds for every row: read while others go on writing.
alter table portal_links validate constraint portal_links_credential_id;
