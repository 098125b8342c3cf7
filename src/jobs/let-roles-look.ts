import type { Db } from 'pg-boss';

/**
 * Lets roles of the database look at the queue's jobs: pg-boss makes its schema itself, as the login,
 * and only when it starts.
 */
export async function letRolesLook(
  db: Db,
  schema: string,
  roles: readonly string[],
): Promise<void> {
  const { rows } = await db.executeSql(
    `select role from unnest($1::text[]) as role
     where not has_table_privilege(role, '${schema}.job', 'select')
       or not has_schema_privilege(role, '${schema}', 'usage')`,
    [roles],
  );
  if (rows.length === 0) return;
  const names = roles.join(', ');
  // Two processes that start at once must not grant it at once.
  await db.executeSql(`
    select pg_advisory_xact_lock(hashtext('${schema}.job_now'));
    grant usage on schema ${schema} to ${names};
    grant select on ${schema}.job to ${names};`);
}
