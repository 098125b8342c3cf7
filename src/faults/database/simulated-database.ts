import { hashOf } from '../schedule/draws.ts';
import type { Machine } from '../schedule/machine.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { RealConnection, RealConnections, SentStatement } from './real-connections.ts';
import { type SessionServer, SimulatedSession, type StatementFate } from './simulated-session.ts';

export interface DatabaseWorld {
  readonly scheduler: Scheduler;
  readonly real: RealConnections;
  /** What becomes of a statement of this process. */
  readonly fateOf: (machine: Machine, statement: SentStatement) => StatementFate;
  /** Another text for a statement: the planted bugs'. */
  readonly rewrite?: ((statement: SentStatement) => string | undefined) | undefined;
  /** The server's clock. */
  readonly serverNow: () => Date;
}

/** The connections of all processes: what they hold, and who waits for whom. */
export interface SimulatedDatabase {
  open(machine: Machine): SimulatedSession;
  close(session: SimulatedSession): void;
  /** Statements that reached the server so far. */
  readonly executed: number;
  /** Ends the sessions of a process that died: the server rolls back what they had begun. */
  endSessionsOf(machine: Machine): Promise<void>;
  /** Ends all sessions, at the end of a run. */
  endAll(): Promise<void>;
}

const times = /\b(clock_timestamp|statement_timestamp|transaction_timestamp|now)\(\)/g;

export function createSimulatedDatabase(world: DatabaseWorld): SimulatedDatabase {
  const { scheduler, real } = world;
  const sessions = new Set<SimulatedSession>();
  let executed = 0;

  async function prepare(on: RealConnection, statement: SentStatement): Promise<SentStatement> {
    executed += 1;
    const given = world.rewrite?.(statement) ?? statement.text;
    const text = given.replace(times, 'faults_now()');
    if (text !== given) await on.run(setTime(world.serverNow()), false);
    if (text === statement.text) return statement;
    const name = statement.name && `${statement.name.slice(0, 50)}@${hashOf(text)}`;
    return { ...statement, text, name };
  }

  const server: SessionServer = {
    scheduler,
    prepare,
    fateOf: world.fateOf,
    acquire: () => real.acquire(),
    release: (connection) => real.release(connection),
    othersHold: (own) =>
      [...sessions].some((session) => session !== own && session.isInTransaction),
    async onChange() {
      for (const session of sessions) await session.settleWaiting();
    },
  };

  async function end(ending: readonly SimulatedSession[]): Promise<void> {
    for (const session of ending) {
      await session.breakOff();
      sessions.delete(session);
    }
  }

  return {
    open(machine) {
      const session = new SimulatedSession(server, machine);
      sessions.add(session);
      return session;
    },
    close: (session) => void sessions.delete(session),
    get executed() {
      return executed;
    },
    endSessionsOf: (machine) => end([...sessions].filter((session) => session.machine === machine)),
    endAll: () => end([...sessions]),
  };
}

function setTime(at: Date): SentStatement {
  const text = "select set_config('faults.now', $1, false)";
  return { name: 'faults_set_now', text, values: [at.toISOString()] };
}
