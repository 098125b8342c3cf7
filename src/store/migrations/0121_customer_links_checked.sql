-- The check of the migration before holds for every row: read while others go on writing.
alter table merchants validate constraint merchants_customer_page_url;
