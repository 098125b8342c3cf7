import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Machine } from '../schedule/machine.ts';
import type { SentStatement } from './real-connections.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { type SimulatedSession, terminated } from './simulated-session.ts';

type Done<Value> = (error: Error | null, value?: Value) => void;

/** The client that a process's pool makes of its connections: as the driver's own, as far as used. */
export function clientOf(database: SimulatedDatabase, machine: Machine): pg.PoolConfig['Client'] {
  class SimulatedClient extends EventEmitter {
    readonly #types: pg.CustomTypesConfig | undefined;
    #session: SimulatedSession | undefined;
    _ending = false;

    constructor(options?: { readonly types?: pg.CustomTypesConfig }) {
      super();
      this.#types = options?.types;
    }

    get _queryable(): boolean {
      return this.#session !== undefined && !this.#session.isBroken;
    }

    isConnected(): boolean {
      return this._queryable;
    }

    connect(done: Done<unknown>): void {
      const session = database.open(machine);
      this.#session = session;
      const inContext = AsyncLocalStorage.snapshot();
      session.connect((error) => inContext(() => done(error ?? null)));
    }

    query(config: string | SentStatement, values?: unknown, done?: unknown): unknown {
      const statement = typeof config === 'string' ? { text: config } : config;
      const given = Array.isArray(values) ? { ...statement, values } : statement;
      const callback = [values, done].find((item) => typeof item === 'function');
      if (callback !== undefined) return this.#run(given, callback as Done<pg.QueryResult>);
      return new Promise((resolve, reject) => {
        this.#run(given, (error, result) => (error === null ? resolve(result) : reject(error)));
      });
    }

    end(done?: () => void): void {
      this._ending = true;
      if (this.#session !== undefined) database.close(this.#session);
      done?.();
    }

    #run(statement: SentStatement, done: Done<pg.QueryResult>): void {
      const session = this.#session;
      if (session === undefined || session.isBroken) {
        process.nextTick(done, new Error(terminated));
        return;
      }
      const types = this.#types;
      this.#send(session, types === undefined ? statement : { ...statement, types }, done);
    }

    #send(session: SimulatedSession, statement: SentStatement, done: Done<pg.QueryResult>): void {
      const inContext = AsyncLocalStorage.snapshot();
      session.send(statement, (outcome) => {
        inContext(() => {
          if (outcome.kind === 'rows') done(null, outcome.result);
          else done(outcome.error);
        });
      });
    }
  }
  return SimulatedClient as unknown as pg.PoolConfig['Client'];
}
