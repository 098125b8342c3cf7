import pg from 'pg';
import type { Statement } from '../database.ts';
import { merchantsSetting } from './rights.ts';
import type { Role } from './roles.ts';

/** What a transaction is held to by the database. */
export interface Within {
  readonly role: Role;
  /** Of whom rows are there. */
  readonly merchantIds: readonly string[];
}

/** Both are set for the transaction alone: a connection that a pooler gives to others keeps nothing. */
const within: Statement = {
  name: 'within_merchants',
  text: `select set_config('${merchantsSetting}', $1, true), set_config('role', $2, true)`,
};

/** Has a new connection ready to hold statements to a role: `WithinQuery` only refers to it. */
export async function prepareWithin(client: pg.ClientBase): Promise<void> {
  await client.query({ ...within, values: ['', 'none'] });
}

/** Begins a transaction that is held to a role, after `begin`. */
export function beginWithin(begin: string, { role, merchantIds }: Within): string {
  const merchants = pg.escapeLiteral(merchantsText(merchantIds));
  return `${begin}; set local ${merchantsSetting} = ${merchants}; set local role ${role}`;
}

/** What the driver asks of a query that it has sent, as far as it is changed here (pg 8, lib/query.js). */
interface SentQuery extends pg.Submittable {
  prepare(connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}
const SentQuery = pg.Query as unknown as new (
  config: pg.QueryConfig & { readonly callback: Callback },
) => SentQuery;
type Callback = (error: Error | null, result: pg.QueryResult) => void;

/**
 * One statement and, before it in the same transaction and the same round trip, the role and the merchants
 * that it is held to: both are sent before the one Sync, so they succeed or fail together.
 */
class WithinQuery extends SentQuery {
  readonly #within: Within;
  #isWithin = false;

  constructor(config: pg.QueryConfig & { readonly callback: Callback }, held: Within) {
    super(config);
    this.#within = held;
  }

  override prepare(connection: pg.Connection): void {
    const { role, merchantIds } = this.#within;
    const values = [merchantsText(merchantIds), role];
    connection.bind({ statement: within.name, values }, true);
    connection.execute({ portal: '' }, true);
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isWithin) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isWithin) super.handleCommandComplete(message, connection);
    this.#isWithin = true;
  }
}

/** Rows of a statement that is held to a role, on a connection that was made ready for it. */
export function queryWithin(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[],
  held: Within,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, result) => (error ? reject(error) : resolve(result));
    client.query(new WithinQuery({ ...statement, values: [...values], callback }, held));
  });
}

/** Ids have no blanks: those that Recoup makes never do, and others name nobody here. */
function merchantsText(merchantIds: readonly string[]): string {
  return merchantIds.filter((id) => !/\s/.test(id)).join(' ');
}
