import { randomFillSync } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedServer } from '../../store/embedded/embedded-server.ts';
import { migrate } from '../../store/migrate.ts';

/** A server of its own for simulations, its database migrated and empty. */
export interface FaultCluster {
  readonly connectionString: string;
  close(): Promise<void>;
}

/** Nothing of a simulation outlives it, so nothing is written to the disk for sure. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  deadlock_timeout: '20ms',
};

export async function startFaultCluster(): Promise<FaultCluster> {
  const folder = await mkdtemp(join(tmpdir(), `recoup-faults-${process.pid}-`));
  // As root, the server's own user passes through.
  await chmod(folder, 0o711);
  const log = {
    info: () => undefined,
    warn: (words: string) => process.stderr.write(`${words}\n`),
  };
  const random = { bytes: (count: number) => randomFillSync(new Uint8Array(count)) };
  const server = await startEmbeddedServer({ log, random }, { dataDir: folder, settings });
  const { connectionString } = server;
  await prepareFaultDatabase(connectionString);
  return {
    connectionString,
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Brings a database to this version, and gives it the simulation's clock. */
export async function prepareFaultDatabase(connectionString: string): Promise<void> {
  await migrate({ connectionString, clock: { now: () => new Date(0) } });
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`
    create or replace function faults_now() returns timestamptz language sql stable
    as $$ select current_setting('faults.now')::timestamptz $$`);
  await client.end();
}
