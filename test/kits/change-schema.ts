import { schemaStringOf } from './database.ts';
import { queryOnce } from './query-once.ts';

/** Changes the schema of a test's database, where that is done: nodes of Citus refuse it. */
export async function changeSchema(connectionString: string, statement: string): Promise<void> {
  await queryOnce(await schemaStringOf(connectionString), statement);
}
