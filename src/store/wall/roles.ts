/**
 * The roles of the database that this service acts in. None of them can log in, owns a table or may
 * change the schema: the login of DATABASE_URL is a member of all, and takes one of them for each thing
 * it does. Migrations alone run as the login itself, which owns the tables.
 */
export const roles = {
  /** Within one merchant: what its calls, and its PSPs' webhooks, ask and change. */
  api: 'recoup_api',
  /** Whose key it is that somebody shows, and requests of several merchants in one transaction. */
  intake: 'recoup_intake',
  /** Due work of all merchants. */
  worker: 'recoup_worker',
  /** What operators ask and change. */
  operator: 'recoup_operator',
} as const;
export type Role = (typeof roles)[keyof typeof roles];

export const allRoles: readonly Role[] = Object.values(roles);

/** Makes a role where it is not there yet; one line, as PostgreSQL's single-user mode reads statements. */
export function createRoleSql(role: Role): string {
  return `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF; END $$`;
}
