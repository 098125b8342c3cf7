import type { Queryable, Statement } from '../database.ts';

/**
 * Statements one after the other, whoever asks for several at once: on the one connection of a transaction they would be,
 * and the driver wants to be asked so.
 */
export function inTurn(tx: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  async function ask<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const answer = last.then(() => tx.query(statement, values));
    last = answer.catch(() => undefined);
    return (await answer) as Row[];
  }
  return { query: ask };
}
