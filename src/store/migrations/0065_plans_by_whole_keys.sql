-- Nearly every key begins with the merchant, and the planner knows nothing of a young table: it takes a
-- merchant's rows for one row, so that any index that begins with the merchant seems as good as the key
-- itself, and reads all of the merchant's attempts to find one. Told that all rows are of one merchant, it
-- takes the index that holds the whole of what is asked for, at any size. From the next analysis on this is
-- what it is told; reports are planned by how often their merchant occurs, as before.
do $$
declare
  of_table text;
  has_rows boolean;
begin
  foreach of_table in array array[
    'payments', 'attempts', 'psp_transactions', 'card_attempts', 'cards', 'network_fees', 'events',
    'event_counters', 'deliveries', 'delivery_tries', 'payment_methods', 'transactions', 'requests',
    'debt_identities', 'disputes'
  ] loop
    execute format('alter table %I alter column merchant_id set (n_distinct = 1)', of_table);
    execute format('select exists (select from %I)', of_table) into has_rows;
    if has_rows then
      execute format('analyze %I (merchant_id)', of_table);
    -- Of a table without rows nothing can be learned. It is told; of a server before version 18 it waits
    -- for the first analysis.
    elsif to_regproc('pg_restore_attribute_stats') is not null then
      perform pg_restore_attribute_stats(
        'schemaname', current_schema()::text, 'relname', of_table, 'attname', 'merchant_id',
        'inherited', false, 'null_frac', 0::real, 'avg_width', 24, 'n_distinct', 1::real);
    end if;
  end loop;
end $$;
