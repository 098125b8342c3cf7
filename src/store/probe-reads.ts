import { AppError } from '../domain/errors.ts';
import { type DatabaseAway, databaseAwayCodes } from '../domain/held-back.ts';
import type { Queryable, Statement } from './database.ts';

const statement: Statement = { name: 'probe_reads', text: 'select 1 from merchants limit 1' };

/** Why the database does not answer with a schema that is ours. One whose connections are all in use does. */
export async function probeReads(db: Queryable): Promise<DatabaseAway | undefined> {
  try {
    await db.query(statement, []);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) return {};
    if (error.code === 'database_busy') return undefined;
    const code = databaseAwayCodes.find((away) => away === error.code);
    return code === undefined ? {} : { code, message: error.detail };
  }
}
