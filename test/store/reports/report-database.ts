import { type Database, openDatabase } from '../../../src/store/database.ts';
import { borrowTestDatabase } from '../../kits/borrowed-database.ts';

/** A database for reports; `close` removes it. */
export async function openReportDatabase(): Promise<Database> {
  const database = await borrowTestDatabase();
  const { nearString: connectionString } = database;
  const db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 4 });
  return {
    ...db,
    async close() {
      await db.close();
      await database.drop();
    },
  };
}
