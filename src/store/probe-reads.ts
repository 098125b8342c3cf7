import { AppError } from '../domain/errors.ts';
import type { Queryable, Statement } from './database.ts';

const statement: Statement = { name: 'probe_reads', text: 'select 1 from merchants limit 1' };

/** Whether the database answers with a schema that is ours. One whose connections are all in use does. */
export async function probeReads(db: Queryable): Promise<boolean> {
  try {
    await db.query(statement, []);
    return true;
  } catch (error) {
    return error instanceof AppError && error.code === 'database_busy';
  }
}
