import pg from 'pg';

/** The rows of one statement, by a connection of its own. */
export async function queryOnce(
  connectionString: string,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
