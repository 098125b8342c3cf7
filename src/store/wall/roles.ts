/**
 * The roles of the database that this service acts in. None of them can log in, owns a table or may
 * change the schema: the login of DATABASE_URL is a member of all, and takes one of them for each thing
 * it does. Migrations alone run as the login itself, which owns the tables.
 */
export interface Roles {
  /** Within one merchant: what its calls, and its PSPs' webhooks, ask and change. */
  readonly api: Role;
  /** Whose key it is that somebody shows, and requests of several merchants in one transaction. */
  readonly intake: Role;
  /** Due work of all merchants. */
  readonly worker: Role;
  /** What operators ask and change. */
  readonly operator: Role;
}
export type Role = `recoup_${'api' | 'intake' | 'worker' | 'operator'}${'' | `_${string}`}`;

/** Roles are the whole server's, so each cell has its own. */
export function rolesOf(schema: string | undefined): Roles {
  const ending = schema === undefined ? '' : (`_${schema}` as const);
  return {
    api: `recoup_api${ending}`,
    intake: `recoup_intake${ending}`,
    worker: `recoup_worker${ending}`,
    operator: `recoup_operator${ending}`,
  };
}

/** Those of a Recoup that is no cell. */
export const roles: Roles = rolesOf(undefined);
export const allRoles: readonly Role[] = Object.values(roles);

/** Makes a role where it is not there yet; one line, as PostgreSQL's single-user mode reads statements. */
export function createRoleSql(role: Role): string {
  return `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF; END $$`;
}
