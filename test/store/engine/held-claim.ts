import type { ClaimInput } from '../../../src/recovery/engine-ports.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import type { EngineWorld } from '../../kits/engine.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';

const lock = 7;

/**
 * Runs a claim that has begun, and sees the database as it is then, but is held until `meanwhile`
 * is over. It is held in the order of the merchants: on its connection, that function waits.
 */
export async function claimHeld<Item>(
  world: EngineWorld,
  claim: (db: Database) => Promise<readonly Item[]>,
  meanwhile: () => Promise<void>,
): Promise<readonly Item[]> {
  // Of this node alone, on Citus.
  await world.db.pool.query(`
    set citus.enable_ddl_propagation = off;
    create schema if not exists held;
    create or replace function held.hashtext(text) returns integer language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${lock});
      return pg_catalog.hashtext($1);
    end $$`);
  const url = new URL(world.connectionString);
  const [own] = await world.rows<{ schema: string }>('select current_schema() as schema');
  url.searchParams.set('options', `-c search_path=held,${own?.schema},pg_catalog`);
  const slow = openDatabase({ log: { warn() {} } }, { connectionString: url.href, poolSize: 1 });
  const holder = await world.db.pool.connect();
  try {
    await holder.query('select pg_advisory_lock($1)', [lock]);
    const claimed = claim(slow);
    await Promise.race([untilLockWaits((text) => world.rows(text)), claimed]);
    await meanwhile();
    await holder.query('select pg_advisory_unlock($1)', [lock]);
    return await claimed;
  } finally {
    await holder.query('select pg_advisory_unlock_all()');
    holder.release();
    await slow.close();
    await world.db.pool.query('set citus.enable_ddl_propagation = off; drop schema held cascade');
  }
}

/** A claim of up to `limit` rows at the world's time. */
export function claimInput(world: EngineWorld, change: Partial<ClaimInput> = {}): ClaimInput {
  const now = world.clock.now();
  return {
    now,
    leaseUntil: new Date(now.getTime() + 120_000),
    limit: 100,
    perMerchant: 100,
    busy: [],
    ...change,
  };
}
