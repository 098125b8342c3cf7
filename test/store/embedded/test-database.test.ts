import { afterEach, expect, it } from 'vitest';
import { changeSchema } from '../../kits/change-schema.ts';
import { createTestDatabase, type TestDatabase } from '../../kits/database.ts';
import { sql } from './world.ts';

const made: TestDatabase[] = [];
afterEach(async () => {
  for (const database of made.splice(0)) await database.drop();
});

async function make(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  made.push(database);
  return database;
}

it('a test database is migrated, and apart from every other', async () => {
  const [one, other] = await Promise.all([make(), make()]);
  const migrations = await sql(one.connectionString, 'select name from migrations');
  expect(migrations.length).toBeGreaterThan(0);
  await changeSchema(one.connectionString, 'create table mine ()');
  await expect(sql(other.connectionString, 'select from mine')).rejects.toThrow('does not exist');
});

it('a dropped test database is gone, whoever is connected to it', async () => {
  const database = await createTestDatabase();
  const busy = sql(database.connectionString, 'select pg_sleep(60)').catch(() => 'ended');
  await expect
    .poll(() =>
      sql(database.connectionString, `select from pg_stat_activity where query like '%sleep(60)'`),
    )
    .not.toEqual([]);
  // One that autovacuum holds just then is left as it is: it is asked again until that has let go.
  const drop = async () => {
    await database.drop();
    return Promise.race([busy, 'still busy']);
  };
  await expect.poll(drop).toBe('ended');
  await expect(sql(database.connectionString, 'select 1')).rejects.toThrow('does not exist');
});
