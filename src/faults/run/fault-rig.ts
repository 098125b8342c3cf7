import { makeArchiveMonths } from '../database/archive-months.ts';
import { startFaultCluster } from '../database/fault-cluster.ts';
import { openRealConnections } from '../database/real-connections.ts';
import { runSeed, type SeedInput, type SeedRun } from '../world/run-seed.ts';

/** A database that seeds are played in, one after another. */
export interface FaultRig {
  run(input: SeedInput): Promise<SeedRun>;
  close(): Promise<void>;
}

/** On a database that is migrated already. */
export async function openFaultRig(connectionString: string): Promise<FaultRig> {
  const real = await openRealConnections(connectionString);
  await makeArchiveMonths(real.admin);
  return { run: (input) => runSeed(real, input), close: () => real.close() };
}

/** With a server of its own, which ends with it. `base`: the folder that its own is made in. */
export async function startFaultRig(base?: string): Promise<FaultRig> {
  const cluster = await startFaultCluster(base);
  const rig = await openFaultRig(cluster.connectionString);
  return {
    run: rig.run,
    async close() {
      await rig.close();
      await cluster.close();
    },
  };
}
