import { hashOf } from '../schedule/draws.ts';
import type { Machine } from '../schedule/machine.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { RealConnections, SentStatement } from './real-connections.ts';
import {
  type ChangedRows,
  type SessionServer,
  SimulatedSession,
  type StatementFate,
} from './simulated-session.ts';

export interface DatabaseWorld {
  readonly scheduler: Scheduler;
  readonly real: RealConnections;
  /** What becomes of a statement of this process. */
  readonly fateOf: (machine: Machine, statement: SentStatement) => StatementFate;
  /** Another text for a statement: the planted bugs'. */
  readonly rewrite?: ((statement: SentStatement) => string | undefined) | undefined;
  /** The server's clock. */
  readonly serverNow: () => Date;
  /** What a transaction did that has taken effect, whether its process hears of it or not. */
  readonly onCommit: (changes: readonly ChangedRows[]) => void;
}

/** The connections of all processes: what they hold, and who waits for whom. */
export interface SimulatedDatabase {
  open(machine: Machine): SimulatedSession;
  close(session: SimulatedSession): void;
  /** Statements that reached the server so far and may have changed a row. */
  readonly executed: number;
  /** Ends the sessions of a process that died: the server rolls back what they had begun. */
  endSessionsOf(machine: Machine): Promise<void>;
  /** Ends all sessions, at the end of a run. */
  endAll(): Promise<void>;
}

/** What only reads has none of these words; the end of a transaction may show what it wrote. */
const mayChange = /\b(?:insert|update|delete|merge|commit|rollback)\b/i;
const times = /\b(?:clock_timestamp|statement_timestamp|transaction_timestamp|now)\(\)/;

export function createSimulatedDatabase(world: DatabaseWorld): SimulatedDatabase {
  const { scheduler, real } = world;
  const sessions = new Set<SimulatedSession>();
  // In the order in which they began to wait, which is PostgreSQL's too.
  const waiting = new Set<SimulatedSession>();
  let executed = 0;

  function prepare(statement: SentStatement): SentStatement {
    if (mayChange.test(statement.text)) executed += 1;
    const given = world.rewrite?.(statement) ?? statement.text;
    const sent = given === statement.text ? statement : renamed(statement, given);
    return times.test(given) ? atTime(sent, world.serverNow()) : sent;
  }

  const server: SessionServer = {
    scheduler,
    prepare,
    fateOf: world.fateOf,
    acquire: () => real.acquire(),
    release: (connection) => real.release(connection),
    othersHold: (own) =>
      [...sessions].some((session) => session !== own && session.isInTransaction),
    waiting,
    onCommit: world.onCommit,
    // An event of its own: whoever made the change goes on first, and then each that had waited.
    onChange() {
      if (waiting.size === 0) return;
      scheduler.after(0, async () => {
        for (const session of [...waiting]) await session.lookAgain();
      });
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

/** The server's clock is the simulation's: what asks for it is given it. */
function atTime(statement: SentStatement, now: Date): SentStatement {
  const values = [...(statement.values ?? []), now.toISOString()];
  const given = `$${values.length}::timestamptz`;
  const text = statement.text.replace(new RegExp(times, 'g'), () => given);
  return { ...renamed(statement, text), values };
}

/** A prepared statement has one text. */
function renamed(statement: SentStatement, text: string): SentStatement {
  const name = statement.name && `${statement.name.slice(0, 50)}@${hashOf(text)}`;
  return { ...statement, text, name };
}
