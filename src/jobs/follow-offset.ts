import type { Db } from 'pg-boss';

/** Whether the function is ours is told by this word in its text. */
const mark = 'sandbox offset';

/**
 * Makes the time of pg-boss's SQL, its function `job_now()`, the machine's plus the sandbox's stored
 * offset: so a move of the clock is in force for every statement of every process from its commit on.
 * Outside the sandbox it puts the plain function back, where the database was once a sandbox's.
 *
 * @param schema of pg-boss
 * @param offsetMsSql a scalar subquery that gives the offset in milliseconds; absent: no sandbox
 */
export async function followOffset(
  db: Db,
  schema: string,
  offsetMsSql: string | undefined,
): Promise<void> {
  const { rows } = await db.executeSql(
    `select prosrc from pg_proc where oid = '${schema}.job_now()'::regprocedure`,
  );
  const present: unknown = rows[0]?.prosrc;
  const isMarked = typeof present === 'string' && present.includes(mark);
  if (offsetMsSql === undefined ? !isMarked : present === bodyWith(offsetMsSql)) return;
  const body = offsetMsSql === undefined ? 'select pg_catalog.now();' : bodyWith(offsetMsSql);
  // Two processes that start at once must not replace it at once.
  await db.executeSql(`
    select pg_advisory_xact_lock(hashtext('${schema}.job_now'));
    create or replace function ${schema}.job_now() returns timestamp with time zone
    language sql stable as $body$${body}$body$;`);
}

function bodyWith(offsetMsSql: string): string {
  return `
    -- ${mark}
    select pg_catalog.now() + coalesce(${offsetMsSql}, 0) * interval '1 millisecond';`;
}
