import type { Pool } from 'pg';

/** Backends of the database that stand still, as those of a server whose disk or machine hangs. */
export interface HungBackends {
  /** Half of those that there are, with whatever lock each holds; gives what wakes them. */
  stop(): Promise<() => void>;
  /** Wakes all: one that stands still could not end with its server. */
  wakeAll(): void;
}

/** All but the backend of `database` itself. */
export function createHungBackends(database: Pool): HungBackends {
  const hung = new Set<number>();

  function wake(pids: Iterable<number>): void {
    for (const pid of pids) {
      if (hung.delete(pid)) process.kill(pid, 'SIGCONT');
    }
  }

  return {
    async stop() {
      const { rows } = await database.query<{ pid: number }>(
        `select pid from pg_stat_activity
         where pid <> pg_backend_pid() and datname = current_database()
           and backend_type = 'client backend' and random() < 0.5`,
      );
      const stopped = rows.map(({ pid }) => pid).filter((pid) => !hung.has(pid) && isStopped(pid));
      for (const pid of stopped) hung.add(pid);
      return () => wake(stopped);
    },
    wakeAll: () => wake([...hung]),
  };
}

/** False where it has ended since it was listed. */
function isStopped(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGSTOP');
  } catch {
    return false;
  }
}
