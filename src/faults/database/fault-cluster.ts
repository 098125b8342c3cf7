import { randomFillSync } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endBefore } from '../../app/process/end-before.ts';
import { startEmbeddedServer } from '../../store/embedded/embedded-server.ts';
import { migrate } from '../../store/migrate.ts';
import { folderPrefix, removeLeftClusters } from './left-clusters.ts';

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
  // The simulation finds deadlocks itself.
  deadlock_timeout: '1h',
  // It ends sessions that idle itself, too, by its own time; a machine that stood still ends none.
  idle_in_transaction_session_timeout: '0',
};

/** `base`: the folder that its own is made in. */
export async function startFaultCluster(base = tmpdir()): Promise<FaultCluster> {
  await removeLeftClusters(base);
  const folder = await mkdtemp(join(base, `${folderPrefix}${process.pid}-`));
  // As root, the server's own user passes through.
  await chmod(folder, 0o711);
  const log = {
    info: () => undefined,
    warn: (words: string) => process.stderr.write(`${words}\n`),
  };
  const random = { bytes: (count: number) => randomFillSync(new Uint8Array(count)) };
  const server = await startEmbeddedServer({ log, random }, { dataDir: folder, settings });
  const ending = endBefore(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const { connectionString } = server;
  await migrate({ connectionString, clock: { now: () => new Date(0) } });
  return { connectionString, close: ending };
}
