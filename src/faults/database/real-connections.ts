import pg from 'pg';
import { present } from '../../domain/present.ts';

/** A statement as the service sends it. */
export interface SentStatement {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: unknown[] | undefined;
  readonly types?: pg.CustomTypesConfig | undefined;
}

export type Outcome =
  | { readonly kind: 'rows'; readonly result: pg.QueryResult }
  | { readonly kind: 'error'; readonly error: Error };

/** A statement that waits for a lock of a transaction that is held up. */
export interface Waiting {
  readonly pid: number;
  readonly ended: Promise<Outcome>;
}

/**
 * The real connections to PostgreSQL, shared by all simulated ones: outside a transaction any of them
 * does. A few connections plan each statement once for a whole run.
 */
export interface RealConnections {
  acquire(): Promise<RealConnection>;
  release(connection: RealConnection): void;
  /** For the simulator's own questions. */
  readonly admin: pg.Client;
  close(): Promise<void>;
}

export interface RealConnection {
  /** It is gone, by no fault that the simulation drew. */
  isLost(): boolean;
  /** What became of the statement, or that it waits for another transaction's end. */
  run(statement: SentStatement, mayWait: boolean): Promise<Outcome | Waiting>;
  /** The same for one that waited. */
  look(waiting: Waiting): Promise<Outcome | Waiting>;
  cancel(waiting: Waiting): Promise<Outcome>;
}

/** How long a statement may take before it is asked whether it waits for a lock; real time. */
const patienceMs = 3;

/**
 * One plan for each statement, made before its first values are known: a plan that followed the
 * values would cost more and could give rows in another order from run to run.
 */
const options = '-c plan_cache_mode=force_generic_plan -c jit=off';

export async function openRealConnections(connectionString: string): Promise<RealConnections> {
  const open = async () => {
    const client = new pg.Client({ connectionString, options });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const admin = await open();
  const all: pg.Client[] = [admin];
  const free: RealConnection[] = [];

  async function connect(): Promise<RealConnection> {
    const client = await open();
    all.push(client);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return createConnection(admin, client, rows[0]?.pid ?? 0);
  }

  return {
    admin,
    acquire: async () => free.pop() ?? (await connect()),
    release: (connection) => void (connection.isLost() || free.push(connection)),
    close: async () => {
      await Promise.all(all.map((client) => client.end()));
    },
  };
}

interface Locks {
  readonly blocked: boolean;
  readonly deadlocked: boolean;
}

/** Whether a session waits for others, and whether one of them waits for it. */
const locksQuery = {
  name: 'locks_of',
  text: `
    with recursive before (pid) as (
      select unnest(pg_blocking_pids($1::integer))
      union
      select other from before cross join unnest(pg_blocking_pids(before.pid)) other
    )
    select count(*) > 0 as blocked, coalesce(bool_or(pid = $1::integer), false) as deadlocked
    from before`,
};

function createConnection(admin: pg.Client, client: pg.Client, pid: number): RealConnection {
  let isLost = false;
  client.on('end', () => {
    isLost = true;
  });

  async function look(waiting: Waiting): Promise<Outcome | Waiting> {
    for (;;) {
      const first = await Promise.race([waiting.ended, pause(patienceMs)]);
      if (first !== undefined) return first;
      const { blocked, deadlocked } = await locksOf();
      if (deadlocked) return breakDeadlock(waiting);
      if (blocked) return waiting;
    }
  }

  async function locksOf(): Promise<Locks> {
    const { rows } = await admin.query<Locks>({ ...locksQuery, values: [pid] });
    return rows[0] ?? { blocked: false, deadlocked: false };
  }

  async function cancel(waiting: Waiting): Promise<Outcome> {
    await admin.query('select pg_cancel_backend($1)', [pid]);
    return waiting.ended;
  }

  /** Whoever closed the circle gives way, at once: the server's own detector goes by real time. */
  async function breakDeadlock(waiting: Waiting): Promise<Outcome> {
    await cancel(waiting);
    const error = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    return { kind: 'error', error };
  }

  /** An error of the statement is its outcome; without an answer of the server there is none. */
  function told(error: Error): Outcome {
    if (error instanceof pg.DatabaseError && error.severity !== 'FATAL')
      return { kind: 'error', error };
    isLost = true;
    throw new Error(`the simulation lost its connection to the database: ${error.message}`);
  }

  return {
    isLost: () => isLost,
    look,
    run(statement, mayWait) {
      const { name, values = [], ...rest } = statement;
      const config = { ...rest, values, ...present({ name }) };
      const ended = client
        .query(config as pg.QueryConfig)
        .then((result): Outcome => ({ kind: 'rows', result }), told);
      return mayWait ? look({ pid, ended }) : ended;
    },
    cancel,
  };
}

function pause(durationMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, durationMs, undefined));
}
