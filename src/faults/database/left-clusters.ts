import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Before the id of the process that made it. */
export const folderPrefix = 'recoup-faults-';

/** Ends and removes the servers of simulations that were killed, in this folder: nobody else would. */
export async function removeLeftClusters(base: string): Promise<void> {
  const names = await readdir(base);
  for (const name of names.filter((each) => each.startsWith(folderPrefix))) {
    const makerPid = Number(name.slice(folderPrefix.length).split('-')[0]);
    if (!Number.isInteger(makerPid) || isAlive(makerPid)) continue;
    await removeCluster(join(base, name));
  }
}

async function removeCluster(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const pidFile = files.find((file) => file.endsWith('postmaster.pid'));
  if (pidFile !== undefined) {
    const [firstLine] = (await readFile(join(folder, pidFile), 'utf8')).split('\n');
    const pid = Number(firstLine);
    if (Number.isInteger(pid) && pid > 1 && isAlive(pid)) process.kill(pid, 'SIGQUIT');
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
