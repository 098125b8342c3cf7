import type { Roles } from './roles.ts';

const refuse = 'refuse_foreign_row';

/**
 * On Citus, what row-level security leaves open: an `insert … select` whose rows come from no table is written by COPY
 * there, for which no policy is asked (seen with 13.2.2). A trigger asks it of such rows too.
 */
export function insertWallSql(
  tables: readonly string[],
  { within, among }: { readonly within: string; readonly among: string },
  roles: Roles,
): readonly string[] {
  const isOurs = `case current_user
    when '${roles.api}' then new.${within}
    when '${roles.intake}' then new.${among}
    else true end`;
  return [
    `create or replace function ${refuse}() returns trigger language plpgsql as $$ begin
      raise insufficient_privilege
        using message = format('new row violates row-level security policy for table "%s"', tg_table_name);
    end $$`,
    ...tables.flatMap((table) => [
      `drop trigger if exists ${refuse} on ${table}`,
      `create trigger ${refuse} before insert on ${table} for each row
         when ((${isOurs}) is not true) execute function ${refuse}()`,
    ]),
  ];
}
