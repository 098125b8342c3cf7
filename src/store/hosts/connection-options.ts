import pg from 'pg';
import { AppError } from '../../domain/errors.ts';
import { type DatabaseHost, type DatabaseHosts, databaseHosts } from './database-hosts.ts';

/** How the driver connects to an address: itself, or by a client that knows of several servers. */
export interface ConnectionOptions {
  readonly connectionString: string;
  readonly Client?: typeof pg.Client;
}

/** A server that says nothing for so long is passed over, so that the next one is asked in time. */
const lookTimeoutMs = 2_000;

/** For one pool or client: what it learns of its servers is its own. */
export function connectionOptions(connectionString: string): ConnectionOptions {
  const known = databaseHosts(connectionString);
  const [first] = known?.hosts ?? [];
  // One server is the driver's own matter, and so is an address that only it understands.
  if (known === undefined || first === undefined) return { connectionString };
  if (known.hosts.length === 1 && !known.needsWrites) return { connectionString };
  return { connectionString: known.urlOf(first), Client: clientOver(choiceOf(known)) };
}

/** Which of the servers is connected to. */
interface HostChoice {
  /** The one that did last, as long as nothing speaks against it. */
  choose(): Promise<DatabaseHost>;
  /** The next choice looks at all of them again. */
  doubt(): void;
  readonly needsWrites: boolean;
}

function choiceOf({ hosts, urlOf, needsWrites }: DatabaseHosts): HostChoice {
  let chosen: DatabaseHost | undefined;
  let looking: Promise<DatabaseHost> | undefined;
  const look = async (): Promise<DatabaseHost> => {
    let fault: unknown;
    for (const host of hosts) {
      try {
        await lookAt(urlOf(host), needsWrites);
        chosen = host;
        return host;
      } catch (error) {
        // What one that is there says is worth more than that another is not.
        fault = fault instanceof AppError || fault instanceof pg.DatabaseError ? fault : error;
      }
    }
    throw fault;
  };
  return {
    needsWrites,
    async choose() {
      if (chosen !== undefined) return chosen;
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    doubt() {
      chosen = undefined;
    },
  };
}

async function lookAt(connectionString: string, needsWrites: boolean): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: lookTimeoutMs,
    query_timeout: lookTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (needsWrites) await refuseReadOnly(client);
  } finally {
    // Nobody waits for the farewell of a server that is away.
    void client.end().catch(() => undefined);
  }
}

/** @throws AppError database_read_only */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_off: boolean }>(
    `select current_setting('transaction_read_only') = 'off' as is_off`,
  );
  if (rows[0]?.is_off !== true) throw new AppError('database_read_only');
}

/** A client of the driver that connects to the server of the choice, whatever its address says. */
function clientOver(choice: HostChoice): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.connectToChosen();
      if (callback === undefined) return connected;
      // The driver's own word for no error, which its types do not have.
      connected.then(() => callback(null as never), callback);
      return undefined;
    }

    private async connectToChosen(): Promise<pg.Client> {
      const { host, port } = await choice.choose();
      this.host = host;
      this.port = port;
      try {
        await super.connect();
        // It may have become a standby since it was chosen.
        if (choice.needsWrites) await refuseReadOnly(this);
        // One that breaks tells of its server, before the next one is made.
        this.on('error', () => choice.doubt());
        return this;
      } catch (error) {
        choice.doubt();
        void this.end().catch(() => undefined);
        throw error;
      }
    }
  };
}
