/**
 * Where a whole Recoup lives. With a schema it is a cell: everything of it bears that name, so that several
 * are in one database and know nothing of each other.
 */
export interface DatabaseAddress {
  readonly connectionString: string;
  /** Absent: the schema that the login has by itself. */
  readonly schema?: string | undefined;
}

/**
 * Brings a connection into its cell, by a statement before all others: poolers refuse it among a
 * connection's first parameters.
 */
export function enterCellSql(schema: string): string {
  return `set search_path = ${schema}`;
}

/** What a connection is called in the server's lists. */
export function applicationName(name: string, schema: string | undefined): string {
  return schema === undefined ? name : `${name} ${schema}`;
}

/** The schema of the job queue, which makes its tables itself. */
export function jobsSchemaOf(schema: string | undefined): string {
  return schema === undefined ? 'pgboss' : `${schema}_jobs`;
}
