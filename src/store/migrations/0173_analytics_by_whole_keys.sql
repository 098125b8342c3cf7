-- As 0065 for the tables that grow with a checkout: the planner takes a merchant's persons for one row while the table is
-- young, so that any index that begins with the merchant seems as good as the one by the person's hash. The first
-- 25,000 analytics records were kept at a ninth of the rate of the next ones, until the first analysis.
do $$
declare
  of_table text;
  has_rows boolean;
begin
  foreach of_table in array array['analytics', 'analytics_subjects'] loop
    execute format('alter table %I alter column merchant_id set (n_distinct = 1)', of_table);
    execute format('select exists (select from %I)', of_table) into has_rows;
    if has_rows then
      execute format('analyze %I (merchant_id)', of_table);
    elsif to_regproc('pg_restore_attribute_stats') is not null then
      perform pg_restore_attribute_stats(
        'schemaname', current_schema()::text, 'relname', of_table, 'attname', 'merchant_id',
        'inherited', false, 'null_frac', 0::real, 'avg_width', 24, 'n_distinct', 1::real);
    end if;
  end loop;
end $$;
